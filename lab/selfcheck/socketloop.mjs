// A plain loop over OpenAI's SDK for JavaScript, which asks in Responses over a WebSocket.
//
//   npm install openai ws && loopproof run --dialect responses -- node selfcheck/socketloop.mjs FOLDER
//
// FOLDER is where the SDK is installed, which needs Node 22. Each message says what is new, and continues from the response before, which
// is not stored: the connection keeps it. Where that is lost, with the connection or by an error, the whole conversation is sent:
// https://developers.openai.com/api/docs/guides/websocket-mode

import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

import { runTool, serve } from '../../packages/starters/protocol/node/protocol.mjs';

const required = createRequire(resolve(process.argv[2] ?? '.', 'package.json'));
const { OpenAI } = required('openai');
const { ResponsesWS } = required('openai/resources/responses/ws');

class Failed extends Error {
  constructor(message, status = 0, code = undefined) {
    super(`${status} ${code ?? ''}: ${message}`);
    Object.assign(this, { status, code });
  }

  // mayPass says that another try may not fail. The message of a lost connection has no status.
  get mayPass() {
    if (['websocket_connection_limit_reached', 'previous_response_not_found'].includes(this.code)) return true;
    return this.code !== 'insufficient_quota' && ([0, 408, 409, 429].includes(this.status) || this.status >= 500);
  }
}

// Model asks over one connection as long as it lasts.
class Model {
  constructor(task) {
    this.task = task;
    this.client = new OpenAI({ apiKey: task.api_key, baseURL: task.base_url });
    this.kept = undefined; // the response that the connection keeps, and how many items it knows with it
  }

  async ask(items) {
    for (let tried = 0; ; tried++) {
      try {
        return await this.say(items);
      } catch (error) {
        this.kept = undefined;
        if (!error.status || error.code === 'websocket_connection_limit_reached') this.close();
        if (tried === 3 || (error instanceof Failed && !error.mayPass)) throw error;
        if (error.code !== 'previous_response_not_found') await sleep(500 * 2 ** tried);
      }
    }
  }

  async say(items) {
    this.socket ??= new ResponsesWS(this.client);
    const request = { type: 'response.create', model: this.task.model, store: false, input: items, include: ['reasoning.encrypted_content'], stream_id: 'main' };
    if (this.kept) Object.assign(request, { previous_response_id: this.kept.id, input: items.slice(this.kept.known) });
    if (this.task.system) request.instructions = this.task.system;
    if (this.task.tools.length) {
      request.tools = this.task.tools.map(({ name, description, parameters }) => ({ type: 'function', name, description, parameters, strict: false }));
    }
    const events = this.socket.stream();
    this.socket.send(request);
    const late = sleep(20_000, { done: true }, { ref: false });
    for (;;) {
      const { value: event, done } = await Promise.race([events.next(), late]);
      if (done || event.type === 'close') throw new Failed('the connection ended');
      if (event.type === 'error') throw failedBy(event.error);
      if (event.type !== 'message') continue;
      const said = event.message;
      if (said.stream_id !== 'main') throw new Error(`an event of the stream ${said.stream_id}`);
      if (said.type === 'response.failed') throw new Failed(said.response.error.message, 500, said.response.error.code);
      if (said.type !== 'response.completed' && said.type !== 'response.incomplete') continue;
      this.kept = { id: said.response.id, known: items.length + said.response.output.length };
      return said.response;
    }
  }

  close() {
    this.kept = undefined;
    this.socket?.close();
    this.socket = undefined;
  }
}

// failedBy returns what an error of the SDK says, which has the event of one that the API sent.
function failedBy(error) {
  const { status, error: sent } = error.error ?? {};
  return sent ? new Failed(sent.message, status ?? 500, sent.code) : new Failed(error.message);
}

await serve(
  {
    name: 'openai for JavaScript over a WebSocket',
    version: required('./node_modules/openai/package.json').version,
    dialects: ['responses'],
    deliveries: ['socket'],
    features: ['sockets', 'streaming', 'parallel-calls', 'reasoning', 'multi-prompt', 'turn-limit', 'usage', 'retries'],
    concurrency: 4,
  },
  async (task) => {
    const model = new Model(task);
    try {
      return await converse(model, task);
    } finally {
      model.close();
    }
  },
);

async function converse(model, task) {
  const items = [];
  const usage = { input_tokens: 0, output_tokens: 0 };
  let text;
  let finish;
  for (const prompt of task.prompts) {
    items.push({ role: 'user', content: prompt });
    let turns = task.max_turns || 50;
    for (let calls = [null]; calls.length; ) {
      if (turns-- === 0) return { status: 'stopped', reason: 'too many turns', usage };
      const said = await model.ask(items);
      usage.input_tokens += said.usage?.input_tokens ?? 0;
      usage.output_tokens += said.usage?.output_tokens ?? 0;
      const parts = said.output.flatMap((item) => (item.type === 'message' ? item.content.map((part) => ({ ...part, phase: item.phase })) : []));
      text = parts.map((part) => (part.type === 'output_text' && part.phase !== 'commentary' ? part.text : '')).join('');
      finish = said.status;
      if (finish !== 'completed') return { status: 'stopped', reason: said.incomplete_details?.reason ?? finish, text, finish_reason: finish, usage };
      const refused = parts.find((part) => part.type === 'refusal');
      if (refused) return { status: 'stopped', reason: 'refusal', text: refused.refusal, finish_reason: finish, usage };
      items.push(...said.output);
      calls = said.output.filter((item) => item.type === 'function_call');
      items.push(...(await Promise.all(calls.map(async (call) => ({ type: 'function_call_output', call_id: call.call_id, output: await result(task, call) })))));
    }
  }
  if (!text.trim()) throw new Error('the model has not said anything');
  return { status: 'completed', text, finish_reason: finish, usage };
}

async function result(task, call) {
  const tool = task.tools.find((each) => each.name === call.name);
  if (!tool) return `There is no tool ${call.name}.`;
  try {
    return await runTool(tool, JSON.parse(call.arguments || '{}'), { callId: call.call_id });
  } catch (error) {
    return `Error: ${error.message}`;
  }
}
