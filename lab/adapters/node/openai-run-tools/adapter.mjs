// Lets Loopproof judge runTools, the agent loop of the official openai package. Also the model for adapters in other
// languages: hello, then a task a line on standard input, and an outcome a line on standard output.
//
//   npm ci && loopproof run -- node adapter.mjs

import { createInterface } from 'node:readline';
import OpenAI, { APIUserAbortError, AzureOpenAI } from 'openai';
import { VERSION } from 'openai/version';

console.log = console.error; // standard output is for the protocol, logs belong on standard error
const say = (line) => process.stdout.write(JSON.stringify(line) + '\n');

// Who is judged, and what it claims. What is claimed is judged in full, so: only what the loop offers. runTools returns
// no reasoning to the model, and has no list of events of its own.
say({
  type: 'hello', protocol: 1, name: 'openai-node runTools', version: VERSION, language: 'javascript',
  dialects: ['chat'],
  features: ['streaming', 'parallel-calls', 'multi-prompt', 'resume-after-failure', 'cancel', 'retries', 'turn-limit', 'usage'],
  concurrency: 8,
});

const running = new Map(); // task id to its AbortController

for await (const line of createInterface({ input: process.stdin })) {
  const message = JSON.parse(line);
  if (message.type === 'cancel') running.get(message.id)?.abort();
  if (message.type === 'task') carryOut(message); // not awaited: other tasks go on meanwhile
}

// carryOut reports exactly one outcome for a task, whatever happens.
async function carryOut(task) {
  const abort = new AbortController();
  running.set(task.id, abort);
  const outcome = await converse(task, abort.signal).catch(failure);
  running.delete(task.id);
  say({ type: 'outcome', id: task.id, ...outcome });
}

// converse holds the conversation as a user of runTools would write it by its documentation.
async function converse(task, signal) {
  const client = clientOf(task);
  const usage = { input_tokens: 0, output_tokens: 0 };
  let messages = task.system ? [{ role: 'system', content: task.system }] : [];
  let last;
  for (const [index, prompt] of task.prompts.entries()) {
    try {
      await ask(prompt);
    } catch (error) { // goes on where the user does, with the history as it was before the prompt that failed
      if (!task.resume_after_failure || index === task.prompts.length - 1 || signal.aborted) throw error;
      continue;
    }
    if (reasonToStop(last) && !task.resume_after_failure) break; // there is no answer that the user could go on from
  }
  return report(last, usage);

  async function ask(prompt) {
    const runner = client.chat.completions.runTools({
      model: task.model,
      messages: [...messages, { role: 'user', content: prompt }],
      tools: task.tools.map((tool) => asTool(tool, signal)),
      stream: task.stream,
      ...(task.stream && { stream_options: { include_usage: true } }),
    }, { maxChatCompletions: task.max_turns, signal });
    last = (await runner.finalChatCompletion()).choices[0];
    messages = runner.messages; // the history, for the next prompt
    const used = await runner.totalUsage();
    usage.input_tokens += used.prompt_tokens;
    usage.output_tokens += used.completion_tokens;
  }
}

// clientOf returns the client of the provider that is played: Azure has a deployment for each model, and a version in the query.
function clientOf({ profile, base_url, api_key }) {
  if (profile !== 'azure') return new OpenAI({ baseURL: base_url, apiKey: api_key });
  return new AzureOpenAI({ endpoint: base_url.replace(/\/v1$/, ''), apiKey: api_key, apiVersion: '2024-10-21' });
}

// asTool offers a tool of the task to the loop. The tool itself lives at its URL: we hand it what the loop hands us, and
// throw when it fails, as a tool of the loop's users would. runTools does not tell a tool the id of its call; where a
// loop does, it goes into the header X-Tool-Call-Id.
function asTool({ name, description, parameters, url }, signal) {
  const run = async (args) => {
    const response = await fetch(url, { method: 'POST', body: JSON.stringify(args), signal });
    const text = await response.text();
    if (response.status !== 200) throw new Error(text);
    return text;
  };
  return { type: 'function', function: { name, description, parameters, parse: JSON.parse, function: run } };
}

// report says how the conversation ended, in the words of the loop: from what it returned, not from what we know better.
function report({ message, finish_reason }, usage) {
  const reason = reasonToStop({ message, finish_reason });
  return { status: reason ? 'stopped' : 'completed', text: message.content || message.refusal || '', reason, finish_reason, usage };
}

// reasonToStop returns why the last turn of the model is no answer, or undefined. After maxChatCompletions, runTools
// returns the last turn that it got, which asks for tools.
function reasonToStop({ message, finish_reason }) {
  if (['length', 'content_filter', 'error'].includes(finish_reason)) return finish_reason;
  if (message.tool_calls?.length) return 'turn limit';
}

function failure(error) {
  if (error instanceof APIUserAbortError) return { status: 'stopped', reason: 'cancelled' };
  return { status: 'failed', error: error.message };
}
