// The half of an adapter that is the same for every loop on Node: hello, then a task a line on standard input, and an
// outcome a line on standard output. What differs, the use of a library, is in the folders beside this file. Import it
// first: it keeps the library's own prints away from standard output.
//
//   import { serve, runTool } from '../protocol.mjs';
//   await serve({ name: 'my loop', features: ['streaming'], concurrency: 8 }, async (task, signal, eachPrompt) => {
//     let text;
//     await eachPrompt(async (prompt, signal) => {
//       text = await agent.ask(prompt, { signal });
//     });
//     return { status: 'completed', text };
//   });

import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

console.log = console.info = console.debug = console.error; // standard output is for the protocol
const say = (line) => process.stdout.write(JSON.stringify(line) + '\n');

// serve says who the loop is, and carries out tasks until there are no more. converse holds the conversation of one task
// and returns its outcome; what it throws is an error that the loop reported to its caller. Its signal says that the task
// is cancelled. eachPrompt calls what it is given for one prompt after the other, until that returns false or throws, with
// a signal that says as well when no more than this prompt is cancelled: then the next one follows, whatever became of it.
// So it does in a task that resumes after a failure, for loops that claim resume-after-failure.
export async function serve(hello, converse) {
  say({ type: 'hello', protocol: 1, language: 'javascript', dialects: ['chat'], ...hello });
  const running = new Map(); // task id to what can be cancelled of it
  for await (const line of createInterface({ input: process.stdin })) {
    const message = JSON.parse(line);
    if (message.type === 'cancel') running.get(message.id)?.cancel(message.scope);
    if (message.type === 'task') carryOut(message); // not awaited: other tasks go on meanwhile
  }

  // carryOut reports exactly one outcome for a task, whatever happens.
  async function carryOut(task) {
    const whole = new AbortController();
    let current; // the AbortController of the prompt that is being answered
    const cancel = (scope) => (scope === 'prompt' && current ? current : whole).abort();
    running.set(task.id, { cancel });
    const outcome = await converse(task, whole.signal, eachPrompt).catch(failure);
    running.delete(task.id);
    say({ type: 'outcome', id: task.id, ...outcome });

    async function eachPrompt(ask) {
      let failed; // what the last prompt threw
      for (const prompt of task.prompts) {
        current = new AbortController();
        failed = undefined;
        const asked = ask(prompt, AbortSignal.any([whole.signal, current.signal]));
        const goesOn = await asked.catch((error) => {
          if (!current.signal.aborted && !task.resume_after_failure) throw error;
          failed = { error };
        });
        if (whole.signal.aborted || goesOn === false && !current.signal.aborted && !task.resume_after_failure) return;
      }
      if (current.signal.aborted) throw new Error('cancelled'); // there is no answer to the last prompt
      if (failed) throw failed.error;
    }

    function failure(error) {
      if (whole.signal.aborted || current?.signal.aborted) return { status: 'stopped', reason: 'cancelled' };
      return { status: 'failed', error: error?.message ?? String(error) };
    }
  }
}

// runTool does the work of a tool of the task: the tool itself lives at its URL, which gets the arguments as the loop
// hands them to a tool, as a value and not as JSON text, and the id of the call where the loop tells it. It returns a text, or to a loop that claims images
// { mediaType, data } with the data in base64, and throws where the tool fails.
export async function runTool({ url }, args, { callId, signal } = {}) {
  const headers = callId ? { 'X-Tool-Call-Id': callId } : {};
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(args), headers, signal });
  const mediaType = response.headers.get('content-type') ?? '';
  if (response.ok && mediaType.startsWith('image/')) {
    return { mediaType, data: Buffer.from(await response.arrayBuffer()).toString('base64') };
  }
  const text = await response.text();
  if (response.status !== 200) throw new Error(text);
  return text;
}

// versionOf returns the version of a package in the node_modules beside the adapter whose import.meta.url is given.
export function versionOf(name, adapter) {
  return JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, adapter))).version;
}
