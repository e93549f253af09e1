// A plain loop over Ollama's client for JavaScript, which reads what the mock provider sends in /api/chat, whole and as lines.
//
//   npm install ollama && loopproof run --dialect ollama-chat -- node selfcheck/ollamaloop.mjs FOLDER
//
// FOLDER is where the client is installed. The loop is written from the guides:
// https://docs.ollama.com/capabilities/tool-calling and https://docs.ollama.com/capabilities/streaming

import { createRequire } from 'node:module';
import { resolve } from 'node:path';

import { runTool, serve } from '../../packages/starters/protocol/node/protocol.mjs';

const required = createRequire(resolve(process.argv[2] ?? '.', 'package.json'));
const { Ollama } = required('ollama');

await serve(
  {
    name: 'ollama',
    version: required('./node_modules/ollama/package.json').version,
    dialects: ['ollama-chat'],
    features: ['streaming', 'parallel-calls', 'reasoning', 'multi-prompt', 'turn-limit', 'usage'],
    concurrency: 8,
  },
  run,
);

async function run(task, signal) {
  const slow = AbortSignal.timeout(20_000);
  const client = new Ollama({
    host: task.base_url,
    headers: { Authorization: `Bearer ${task.api_key}` },
    fetch: (url, init) => fetch(url, { ...init, signal: AbortSignal.any([slow, signal]) }), // the client has no other limit
  });
  const messages = task.system ? [{ role: 'system', content: task.system }] : [];
  const usage = { input_tokens: 0, output_tokens: 0 };
  let turns = task.max_turns || 50;
  let text;
  let finish;
  for (const prompt of task.prompts) {
    messages.push({ role: 'user', content: prompt });
    for (let calls = [null]; calls.length; ) {
      if (turns-- === 0) return { status: 'stopped', reason: 'too many turns', usage };
      const { message, last } = await ask(client, task, messages);
      usage.input_tokens += last.prompt_eval_count ?? 0;
      usage.output_tokens += last.eval_count ?? 0;
      text = message.content;
      finish = last.done_reason;
      if (finish !== 'stop') return { status: 'stopped', reason: finish ?? 'unknown', text, finish_reason: finish, usage };
      messages.push(message);
      calls = message.tool_calls ?? [];
      for (const call of calls) messages.push({ role: 'tool', tool_name: call.function.name, content: await result(task, call.function) });
    }
  }
  if (!text.trim()) throw new Error('the model has not said anything');
  return { status: 'completed', text, finish_reason: finish, usage };
}

async function ask(client, task, messages) {
  const tools = task.tools.map(({ name, description, parameters }) => ({ type: 'function', function: { name, description, parameters } }));
  const said = await client.chat({ model: task.model, messages, tools, stream: task.stream });
  if (!task.stream) {
    if (!said.done) throw new Error('the answer broke off');
    return { message: said.message, last: said };
  }
  const message = { role: 'assistant', content: '' };
  let last;
  for await (last of said) {
    message.content += last.message.content ?? '';
    if (last.message.thinking) message.thinking = (message.thinking ?? '') + last.message.thinking;
    if (last.message.tool_calls) message.tool_calls = [...(message.tool_calls ?? []), ...last.message.tool_calls];
  }
  return { message, last };
}

async function result(task, { name, arguments: args }) {
  const tool = task.tools.find((each) => each.name === name);
  if (!tool) return `There is no tool ${name}.`;
  try {
    return await runTool(tool, args ?? {});
  } catch (error) {
    return `Error: ${error.message}`;
  }
}
