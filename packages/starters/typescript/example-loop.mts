// A small agent loop over Chat Completions, so that the adapter runs as it stands. Delete it when yours is in its place.

export interface LoopTool {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
  run(args: unknown, callId: string): Promise<string>;
}

export interface LoopOptions {
  baseURL: string;
  apiKey: string;
  model: string;
  system: string | undefined;
  tools: LoopTool[];
  maxTurns: number;
}

// The loop gave up by itself.
export class Stopped extends Error {}

interface Call {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

type Message =
  | { role: 'system' | 'user'; content: string }
  | { role: 'assistant'; content: string | null; tool_calls?: Call[] }
  | { role: 'tool'; tool_call_id: string; content: string };

interface Choice {
  finish_reason: string;
  error?: unknown;
  message: { content?: string | null; refusal?: string | null; tool_calls?: Call[] | null };
}

export class Loop {
  readonly #options: LoopOptions;
  readonly #messages: Message[] = [];
  #turnsLeft: number;

  constructor(options: LoopOptions) {
    this.#options = options;
    this.#turnsLeft = options.maxTurns;
    if (options.system) this.#messages.push({ role: 'system', content: options.system });
  }

  async ask(prompt: string, signal: AbortSignal): Promise<string> {
    this.#messages.push({ role: 'user', content: prompt });
    for (;;) {
      const { text, calls } = await this.#turn(signal);
      if (!calls.length) return text;
      const results = await Promise.all(calls.map((call) => this.#run(call)));
      calls.forEach((call, i) => this.#messages.push({ role: 'tool', tool_call_id: call.id, content: results[i]! }));
      signal.throwIfAborted();
    }
  }

  async #turn(signal: AbortSignal): Promise<{ text: string; calls: Call[] }> {
    if (this.#turnsLeft-- === 0) throw new Stopped('turn limit');
    const { baseURL, apiKey, model, tools } = this.#options;
    const offered = tools.map(({ name, description, parameters }) => ({ type: 'function', function: { name, description, parameters } }));
    const response = await fetch(`${baseURL}/chat/completions`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${apiKey}` },
      body: JSON.stringify({ model, messages: this.#messages, ...(offered.length && { tools: offered }) }),
      signal,
    });
    const body = await response.text();
    const choice: Choice | undefined = response.ok ? JSON.parse(body).choices?.[0] : undefined;
    if (!choice || choice.error) throw new Error(`no answer: ${response.status} ${body}`);
    const { finish_reason: finish, message } = choice;
    // The answer is cut off, and its calls may be, too: they are not run.
    if (finish === 'length' || finish === 'content_filter') throw new Stopped(finish);
    if (message.refusal) throw new Error(`the model refused: ${message.refusal}`);
    const text = message.content || '';
    const calls = (message.tool_calls ?? []).map(({ id, function: { name, arguments: args } }): Call => (
      { id, type: 'function', function: { name, arguments: args } }));
    if (!text && !calls.length) throw new Error('the model said nothing');
    this.#messages.push({ role: 'assistant', content: text || null, ...(calls.length && { tool_calls: calls.map(echo) }) });
    return { text, calls };
  }

  // The result of a call, or an error that the model can read.
  async #run({ id, function: { name, arguments: text } }: Call): Promise<string> {
    try {
      const tool = this.#options.tools.find((one) => one.name === name);
      if (!tool) throw new Error(`there is no tool ${name}`);
      const args = text === '' || text === 'null' ? {} : parseExactly(text);
      if (typeof args !== 'object' || Array.isArray(args)) throw new Error('the arguments have to be an object');
      return await tool.run(args, id);
    } catch (error) {
      return `Error: ${error instanceof Error ? error.message : error}`;
    }
  }
}

// JSON with integers beyond 2^53 as BigInt: JSON.parse alone rounds them, and a tool gets the id of another.
function parseExactly(text: string): unknown {
  const tokens = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
  const marked = text.replace(tokens, (token) => (
    /^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"\\u0000${token}"` : token));
  return JSON.parse(marked, (_, value) => (
    typeof value === 'string' && /^\0-?\d+$/.test(value) ? BigInt(value.slice(1)) : value));
}

// A call as it goes back: some providers parse its arguments, and refuse anything but JSON.
function echo({ id, type, function: { name, arguments: text } }: Call): Call {
  try {
    JSON.parse(text);
  } catch {
    text = '{}';
  }
  return { id, type, function: { name, arguments: text } };
}
