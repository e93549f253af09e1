// A small agent loop over Chat Completions, so that the adapter runs as it stands. Delete it when yours is in its place.

// The loop gave up by itself.
export class Stopped extends Error {}

export class Loop {
  constructor({ baseURL, apiKey, model, system, tools, maxTurns }) {
    this.url = `${baseURL}/chat/completions`;
    this.apiKey = apiKey;
    this.tools = new Map(tools.map((tool) => [tool.name, tool]));
    this.turnsLeft = maxTurns;
    this.request = { model, messages: system ? [{ role: 'system', content: system }] : [] };
    if (tools.length) {
      this.request.tools = tools.map(({ name, description, parameters }) => ({
        type: 'function', function: { name, description, parameters },
      }));
    }
  }

  async ask(prompt, { signal }) {
    const { messages } = this.request;
    messages.push({ role: 'user', content: prompt });
    for (;;) {
      const { text, calls, message } = await this.turn(signal);
      messages.push(message);
      if (!calls.length) return text;
      const results = await Promise.all(calls.map((call) => this.run(call)));
      calls.forEach((call, i) => messages.push({ role: 'tool', tool_call_id: call.id, content: results[i] }));
      signal.throwIfAborted();
    }
  }

  async turn(signal) {
    if (this.turnsLeft-- === 0) throw new Stopped('turn limit');
    const response = await fetch(this.url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${this.apiKey}` },
      body: JSON.stringify(this.request),
      signal,
    });
    const body = await response.text();
    const choice = response.ok ? JSON.parse(body).choices?.[0] : undefined;
    if (!choice || choice.error) throw new Error(`no answer: ${response.status} ${body}`);
    const { finish_reason: finish, message } = choice;
    // The answer is cut off, and its calls may be, too: they are not run.
    if (finish === 'length' || finish === 'content_filter') throw new Stopped(finish);
    const text = message.content || '';
    const calls = (message.tool_calls ?? []).map(({ id, function: { name, arguments: args } }) => (
      { id, type: 'function', function: { name, arguments: args } }));
    if (message.refusal) throw new Error(`the model refused: ${message.refusal}`);
    if (!text && !calls.length) throw new Error('the model said nothing');
    return { text, calls, message: { role: 'assistant', content: text || null, ...(calls.length && { tool_calls: calls.map(echo) }) } };
  }

  // run returns the result of a call, or an error that the model can read.
  async run({ id, function: { name, arguments: text } }) {
    try {
      const tool = this.tools.get(name);
      if (!tool) throw new Error(`there is no tool ${name}`);
      const args = text === '' || text === 'null' ? {} : parseExactly(text);
      if (typeof args !== 'object' || Array.isArray(args)) throw new Error('the arguments have to be an object');
      return await tool.run(args, { callId: id });
    } catch (error) {
      return `Error: ${error.message}`;
    }
  }
}

// parseExactly reads JSON with integers beyond 2^53 as BigInt: JSON.parse alone rounds them, and a tool gets the id of another.
function parseExactly(text) {
  const tokens = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
  const marked = text.replace(tokens, (token) => (
    /^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"\\u0000${token}"` : token));
  return JSON.parse(marked, (_, value) => (
    typeof value === 'string' && /^\0-?\d+$/.test(value) ? BigInt(value.slice(1)) : value));
}

// echo is a call as it goes back: some providers parse its arguments, and refuse anything but JSON.
function echo({ id, type, function: { name, arguments: text } }) {
  try {
    JSON.parse(text);
  } catch {
    text = '{}';
  }
  return { id, type, function: { name, arguments: text } };
}
