// A plain loop over Cohere's SDK for JavaScript, which reads what the mock provider sends in /v2/chat, whole and as a stream.
//
//   npm install cohere-ai && loopproof run --dialect cohere-chat -- node selfcheck/cohereloop.mjs FOLDER
//
// FOLDER is where the SDK is installed. It reads answers and events into its own types, with names of their own. The loop is
// written from the guides: https://docs.cohere.com/docs/tool-use-usage-patterns

import { createRequire } from 'node:module';
import { resolve } from 'node:path';

import { runTool, serve } from '../../packages/starters/protocol/node/protocol.mjs';

const required = createRequire(resolve(process.argv[2] ?? '.', 'package.json'));
const { CohereClientV2 } = required('cohere-ai');

await serve(
  {
    name: 'cohere-ai',
    version: required('./node_modules/cohere-ai/package.json').version,
    dialects: ['cohere-chat'],
    features: ['streaming', 'parallel-calls', 'reasoning', 'multi-prompt', 'turn-limit', 'usage'],
    concurrency: 8,
  },
  run,
);

async function run(task, signal) {
  const client = new CohereClientV2({ token: task.api_key, environment: task.base_url });
  const messages = task.system ? [{ role: 'system', content: task.system }] : [];
  const usage = { input_tokens: 0, output_tokens: 0 };
  let turns = task.max_turns || 50;
  let text;
  let finish;
  for (const prompt of task.prompts) {
    messages.push({ role: 'user', content: prompt });
    for (let calls = [null]; calls.length; ) {
      if (turns-- === 0) return { status: 'stopped', reason: 'too many turns', usage };
      const { message, finishReason, counted } = await ask(client, task, messages, signal);
      usage.input_tokens += counted?.tokens?.inputTokens ?? 0;
      usage.output_tokens += counted?.tokens?.outputTokens ?? 0;
      text = (message.content ?? []).map((block) => (block.type === 'text' ? block.text : '')).join('');
      finish = finishReason;
      if (!finish || finish === 'ERROR' || finish === 'TIMEOUT') throw new Error(`the model failed: ${finish}`);
      if (!['TOOL_CALL', 'COMPLETE', 'STOP_SEQUENCE'].includes(finish)) return { status: 'stopped', reason: finish, text, finish_reason: finish, usage };
      messages.push(message);
      calls = message.toolCalls ?? [];
      for (const call of calls) messages.push({ role: 'tool', toolCallId: call.id, content: await result(task, call) });
    }
  }
  if (!text.trim()) throw new Error('the model has not said anything');
  return { status: 'completed', text, finish_reason: finish, usage };
}

async function ask(client, task, messages, signal) {
  const request = { model: task.model, messages };
  if (task.tools.length) {
    request.tools = task.tools.map(({ name, description, parameters }) => ({ type: 'function', function: { name, description, parameters } }));
  }
  const options = { timeoutInSeconds: 20, abortSignal: signal };
  if (task.stream) return putTogether(await client.chatStream(request, options));
  const { message, finishReason, usage } = await client.chat(request, options);
  return { message, finishReason, counted: usage };
}

// putTogether puts the blocks and the calls together by their indexes.
async function putTogether(events) {
  const blocks = new Map();
  const calls = new Map();
  let toolPlan = '';
  let end;
  for await (const e of events) {
    const said = e.delta?.message;
    if (e.type === 'content-start') {
      blocks.set(e.index, { type: said.content.type, [said.content.type]: '' });
    } else if (e.type === 'content-delta') {
      const block = blocks.get(e.index);
      block[block.type] += said.content[block.type] ?? '';
    } else if (e.type === 'tool-plan-delta') {
      toolPlan += said.toolPlan;
    } else if (e.type === 'tool-call-start') {
      const { id, function: { name, arguments: begun } } = said.toolCalls;
      calls.set(e.index, { id, type: 'function', function: { name, arguments: begun ?? '' } });
    } else if (e.type === 'tool-call-delta') {
      calls.get(e.index).function.arguments += said.toolCalls.function.arguments;
    } else if (e.type === 'message-end') {
      end = e.delta;
    }
  }
  const message = { role: 'assistant' };
  if (toolPlan) message.toolPlan = toolPlan;
  if (blocks.size) message.content = [...blocks.values()];
  if (calls.size) message.toolCalls = [...calls.values()];
  return { message, finishReason: end?.finishReason, counted: end?.usage };
}

async function result(task, { id, function: { name, arguments: written } }) {
  const tool = task.tools.find((each) => each.name === name);
  if (!tool) return `There is no tool ${name}.`;
  try {
    return await runTool(tool, JSON.parse(written || '{}') ?? {}, { callId: id });
  } catch (error) {
    return `Error: ${error.message}`;
  }
}
