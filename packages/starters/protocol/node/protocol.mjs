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

import { AsyncLocalStorage } from 'node:async_hooks';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { inspect } from 'node:util';

const print = process.stdout.write.bind(process.stdout); // for the protocol
process.stdout.write = process.stderr.write.bind(process.stderr); // for console.log, console.dir and all other prints
const say = (line) => print(JSON.stringify(line) + '\n');

// serve says who the loop is, and carries out tasks until there are no more. converse holds the conversation of one task
// and returns its outcome; what it throws, or throws where nobody waits for it (in a timer, in a promise), and a call of
// process.exit, is an error that the loop reported to its caller. So is a result that is no outcome. Its signal says that
// the task is cancelled. eachPrompt calls what it is given for one prompt after the other, until that returns false or
// throws, with a signal that says as well when no more than this prompt is cancelled: then the next one follows, whatever
// became of it. So it does in a task that resumes after a failure, for loops that claim resume-after-failure.
export async function serve(hello, converse) {
  say({ type: 'hello', protocol: 2, language: 'javascript', dialects: ['chat'], ...hello });
  const running = new Map(); // task id to what can be cancelled of it
  catchStrays(running);
  for await (const line of createInterface({ input: process.stdin })) {
    const message = JSON.parse(line);
    if (message.type === 'decision') questions.get(message.approval)?.(message.decisions);
    if (message.type === 'prompt') running.get(message.id)?.say(message.text);
    if (message.type === 'cancel') running.get(message.id)?.cancel(message.scope);
    if (message.type === 'task') carryOut(message); // not awaited: other tasks go on meanwhile
  }

  // carryOut reports exactly one outcome for a task, whatever happens.
  async function carryOut(task) {
    const whole = new AbortController();
    let current; // the AbortController of the prompt that is being answered
    const cancel = (scope) => (scope === 'prompt' && current ? current : whole).abort();
    let line;
    try {
      const outcome = await new Promise((resolve, reject) => {
        const state = { cancel, ...steering(), signal: () => AbortSignal.any([whole, current].filter(Boolean).map((of) => of.signal)), fail: (error) => { state.failed = true; reject(error); } };
        running.set(task.id, state);
        inTask.run(state, async () => converse(task, whole.signal, eachPrompt)).then(resolve, reject);
      });
      line = outcomeLine(task, outcome);
    } catch (error) {
      line = outcomeLine(task, failure(error));
    }
    running.delete(task.id);
    print(line + '\n');

    async function eachPrompt(ask) {
      let failed; // what the last prompt threw
      for (const prompt of task.prompts) {
        current = new AbortController();
        failed = undefined;
        let goesOn;
        try {
          goesOn = await ask(prompt, AbortSignal.any([whole.signal, current.signal]));
        } catch (error) {
          if (!current.signal.aborted && !task.resume_after_failure) throw error;
          failed = { error };
        }
        if (whole.signal.aborted || goesOn === false && !current.signal.aborted && !task.resume_after_failure) return;
      }
      if (current.signal.aborted) throw new Error('cancelled'); // there is no answer to the last prompt
      if (failed) throw failed.error;
    }

    function failure(error) {
      if (whole.signal.aborted || current?.signal.aborted) return { status: 'stopped', reason: 'cancelled' };
      return { status: 'failed', error: described(error) };
    }
  }
}

const inTask = new AsyncLocalStorage(); // the task to which the code that runs belongs

// catchStrays makes a failure of its task what else would end the process and all its tasks. Where it is not known which
// task it belongs to, or that has its outcome already, the process ends: Loopproof then plays unfinished tasks again alone.
function catchStrays(running) {
  const exit = process.exit.bind(process);
  const fail = (error, code) => {
    const task = inTask.getStore() ?? (running.size === 1 ? running.values().next().value : undefined);
    if (!task?.failed && ![...running.values()].includes(task)) exit(code);
    task.fail(error);
  };
  const stray = (what) => (error) => {
    console.error(`${what}: ${printable(error)}`);
    fail(error, 1);
  };
  process.on('uncaughtException', stray('thrown where nothing catches it'));
  process.on('unhandledRejection', stray('a rejected promise that nothing handles'));
  process.exit = (code) => {
    const error = new Error(`the loop called process.exit(${code ?? ''})`);
    fail(error, code);
    throw error; // nothing behind the call may run
  };
}

// outcomeLine is the line that reports an outcome, or that what should be one is none.
function outcomeLine({ id }, outcome) {
  const problem = outcomeProblem(outcome);
  const line = { type: 'outcome', id };
  try {
    return JSON.stringify({ ...line, ...(problem ? { status: 'failed', error: problem } : outcome) });
  } catch (error) {
    return JSON.stringify({ ...line, status: 'failed', error: `the outcome cannot be written as JSON: ${described(error)}` });
  }
}

function outcomeProblem(outcome) {
  const expected = "where an outcome is expected, such as { status: 'completed', text }";
  try {
    if (typeof outcome !== 'object' || outcome === null || Array.isArray(outcome)) return `the loop returned ${printable(outcome)}, ${expected}`;
    if (!['completed', 'stopped', 'failed'].includes(outcome.status)) return `the loop returned the status ${printable(outcome.status)}, ${expected}`;
  } catch (error) {
    return `the loop returned an object that cannot be read: ${described(error)}`;
  }
}

// described is what was thrown, as a text. The error of a library says enough; of others it is said where they come from.
function described(error) {
  try {
    if (!(error instanceof Error)) return `thrown, and no Error: ${printable(error)}`;
    if (error instanceof AggregateError && error.errors.length) return `${error.message || error.name}: ${error.errors.map(described).join('; ')}`;
    const mistake = [TypeError, RangeError, ReferenceError].includes(error.constructor);
    if (error.message && !mistake) return String(error.message);
    const place = /^ +at (?!.*\bnode:)(?:(.*) \()?(?:file:\/\/)?([^()]*?:\d+):\d+\)?$/m.exec(error.stack ?? '');
    const said = error.message ? `${error.name}: ${error.message}` : `${error.name} without a message`;
    return place ? `${said} (${place[2].replace(/.*[\\/]/, '')}${place[1] ? `, in ${place[1]}` : ''})` : said;
  } catch {
    return 'an error was thrown whose message cannot be read';
  }
}

// printable is a value as a text, also one that cannot be made one.
function printable(value) {
  try {
    return value instanceof Error ? inspect(value) : inspect(value, { depth: 1, breakLength: Infinity }).slice(0, 500);
  } catch {
    return `a value of the type ${typeof value} that cannot be printed`;
  }
}

// runTool does the work of a tool of the task: the tool itself lives at its URL, which gets the arguments as the loop
// hands them to a tool, as a value and not as JSON text, and the id of the call where the loop tells it. It returns a text, or to a loop that claims images
// { mediaType, data } with the data in base64, and throws where the tool fails.
export async function runTool({ url }, args, { callId, signal } = {}) {
  const headers = callId ? { 'X-Tool-Call-Id': callId } : {};
  const response = await fetch(url, { method: 'POST', body: write(args), headers, signal });
  const mediaType = response.headers.get('content-type') ?? '';
  if (response.ok && mediaType.startsWith('image/')) {
    return { mediaType, data: Buffer.from(await response.arrayBuffer()).toString('base64') };
  }
  const text = await response.text();
  if (response.status !== 200) throw new Error(text);
  return text;
}

// steering hands what the user says while tools run to who waits for it.
function steering() {
  const said = [];
  let take;
  const hand = () => {
    while (take && said.length) take(said.shift());
  };
  return { say: (text) => { said.push(text); hand(); }, onPrompt: (taker) => { take = taker; hand(); } };
}

// onPrompt calls take with what the user says while tools run, in a task with steering: for loops that claim it. It is
// called in the code of the task.
export function onPrompt(take) {
  inTask.getStore()?.onPrompt(take);
}

const questions = new Map(); // to the user, with what takes the answer
let asked = 0;

// toolApprovals asks the user about calls of tools that have needs_approval, each { id, name, arguments } with the id where
// the loop tells it. It returns a decision for each: { approve, reason, arguments }, where reason is that of a denial, and
// arguments are those to run the call with instead. It throws when the user cancels the task or the prompt instead.
export function toolApprovals({ id }, calls, { signal = inTask.getStore()?.signal() } = {}) {
  return new Promise((resolve, reject) => {
    const approval = String(++asked);
    const drop = () => {
      questions.delete(approval);
      reject(signal.reason);
    };
    if (signal?.aborted) return drop();
    signal?.addEventListener('abort', drop, { once: true });
    questions.set(approval, (decisions) => {
      questions.delete(approval);
      signal?.removeEventListener('abort', drop);
      resolve(decisions);
    });
    print(write({ type: 'approval', id, approval, calls }) + '\n');
  });
}

// toolApproval is toolApprovals for one call.
export async function toolApproval(task, call, options) {
  return (await toolApprovals(task, [call], options))[0];
}

// versionOf returns the version of a package in the node_modules beside the adapter whose import.meta.url is given.
export function versionOf(name, adapter) {
  return JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, adapter))).version;
}

// write is JSON.stringify, which takes no BigInt, with the integers that are one.
function write(args) {
  const text = JSON.stringify(args, (_, value) => (typeof value === 'bigint' ? `\0${value}` : value));
  return text?.replace(/"\\u0000(-?\d+)"/g, '$1');
}
