// A plain loop over Google's SDK for JavaScript, which reads what the mock provider sends as Interactions, whole and as a stream.
//
//   npm install @google/genai && loopproof run --dialect interactions -- node selfcheck/interactionsloop.mjs FOLDER
//
// FOLDER is where the SDK is installed. The loop sends the whole history, and is written from the guides:
// https://ai.google.dev/gemini-api/docs/interactions

import { createRequire } from 'node:module';
import { resolve } from 'node:path';

import { runTool, serve } from '../../packages/starters/protocol/node/protocol.mjs';

const required = createRequire(resolve(process.argv[2] ?? '.', 'package.json'));
const { GoogleGenAI } = required('@google/genai');

// unread are the calls whose arguments could not be read, and why.
const unread = new WeakMap();

await serve(
  {
    name: '@google/genai',
    version: required('./node_modules/@google/genai/package.json').version,
    dialects: ['interactions'],
    features: ['streaming', 'parallel-calls', 'reasoning', 'multi-prompt', 'turn-limit', 'usage'],
    concurrency: 8,
  },
  run,
);

async function run(task, signal) {
  const client = new GoogleGenAI({ apiKey: task.api_key, httpOptions: { baseUrl: task.base_url } });
  const history = [];
  const usage = { input_tokens: 0, output_tokens: 0 };
  let turns = task.max_turns || 50;
  let text;
  let finish;
  for (const prompt of task.prompts) {
    history.push({ type: 'user_input', content: [{ type: 'text', text: prompt }] });
    for (let calls = [null]; calls.length; ) {
      if (turns-- === 0) return { status: 'stopped', reason: 'too many turns', usage };
      const { steps, status, usage: counted } = await ask(client, task, history, signal);
      usage.input_tokens += counted?.total_input_tokens ?? 0;
      usage.output_tokens += (counted?.total_output_tokens ?? 0) + (counted?.total_thought_tokens ?? 0);
      text = steps.flatMap((step) => (step.type === 'model_output' ? step.content ?? [] : [])).map((part) => part.text ?? '').join('');
      finish = status;
      if (status === 'incomplete') return { status: 'stopped', reason: status, text, finish_reason: finish, usage };
      if (status !== 'completed' && status !== 'requires_action') throw new Error(`the model failed: ${status}`);
      history.push(...steps);
      calls = steps.filter((step) => step.type === 'function_call');
      for (const call of calls) history.push(await answer(task, call));
    }
  }
  if (!text.trim()) throw new Error('the model has not said anything');
  return { status: 'completed', text, finish_reason: finish, usage };
}

async function ask(client, task, history, signal) {
  const request = { model: task.model, input: history, store: false, generation_config: { thinking_summaries: 'auto' } };
  if (task.system) request.system_instruction = task.system;
  if (task.tools.length) {
    request.tools = task.tools.map(({ name, description, parameters }) => ({ type: 'function', name, description, parameters }));
  }
  const options = { timeout_ms: 20_000, signal };
  if (task.stream) return putTogether(await client.interactions.create({ ...request, stream: true }, options));
  const { steps = [], status, usage } = await client.interactions.create(request, options);
  return { steps, status, usage };
}

// putTogether puts the steps together by their indexes.
async function putTogether(events) {
  const steps = new Map();
  const written = new Map();
  let end;
  for await (const e of events) {
    if (e.event_type === 'step.start') steps.set(e.index, { ...e.step });
    else if (e.event_type === 'step.delta') grow(steps.get(e.index), written, e.index, e.delta);
    else if (e.event_type === 'interaction.completed') end = e.interaction;
    else if (e.event_type === 'error') throw new Error(`the stream carries an error: ${e.error?.message}`);
  }
  if (!end) throw new Error('the stream broke off');
  for (const [index, text] of written) read(steps.get(index), text);
  return { steps: [...steps.values()], status: end.status, usage: end.usage };
}

function read(call, text) {
  try {
    call.arguments = JSON.parse(text);
  } catch (error) {
    unread.set(call, error);
  }
}

function grow(step, written, index, delta) {
  if (delta.type === 'text') {
    step.content ??= [];
    if (!step.content.length) step.content.push({ type: 'text', text: '' });
    step.content.at(-1).text += delta.text;
  } else if (delta.type === 'thought_summary') {
    step.summary = [...(step.summary ?? []), { type: 'text', text: delta.content.text }];
  } else if (delta.type === 'thought_signature') {
    step.signature = (step.signature ?? '') + delta.signature;
  } else if (delta.type === 'arguments_delta') {
    written.set(index, (written.get(index) ?? '') + delta.arguments);
  }
}

async function answer(task, call) {
  const said = { type: 'function_result', call_id: call.id, name: call.name };
  const tool = task.tools.find((each) => each.name === call.name);
  if (!tool) return { ...said, result: `There is no tool ${call.name}.`, is_error: true };
  try {
    if (unread.has(call)) throw unread.get(call);
    return { ...said, result: await runTool(tool, call.arguments ?? {}, { callId: call.id }) };
  } catch (error) {
    return { ...said, result: `Error: ${error.message}`, is_error: true };
  }
}
