// Lets Loopproof judge your agent loop.
//
//   loopproof run --quick -- node adapter.mjs    the first verdict
//   loopproof run -- node adapter.mjs            everything
//
// It runs as it stands, with the small loop of example-loop.mjs. Put your loop in its place: change what is marked YOURS.

import { serve, runTool } from './protocol.mjs'; // first: from here on, console.log goes to standard error
import { Loop, Stopped } from './example-loop.mjs'; // YOURS: import your loop

const hello = {
  name: 'my loop', // YOURS: what the report calls it
  version: '0.0.0',
  // What you claim is judged in full; what you do not claim is listed, and never passed. Begin with little, then add:
  // resume-after-failure (eachPrompt does it), streaming, reasoning, retries, usage, images, transcript, events.
  // docs/adapters.md explains each.
  features: ['parallel-calls', 'multi-prompt', 'turn-limit', 'cancel'],
  // dialects: ['chat'], the wire APIs that the loop speaks: chat, messages, responses, gemini, converse; without it, chat.
  concurrency: 8, // tasks at the same time; 1 if your loop has global state
};

// Hold one conversation. Create a new client for each task: the base URL is different each time. What this function
// throws is reported as a failure, with its message.
await serve(hello, async (task, cancelled, eachPrompt) => {
  const late = AbortSignal.timeout(task.timeout_ms); // for how long the loop waits for the model and the tools
  const signal = AbortSignal.any([cancelled, late]);
  const loop = new Loop({ // YOURS: create your loop, as its documentation shows it
    baseURL: task.base_url, // what the official SDK takes as its base URL
    apiKey: task.api_key,
    model: task.model,
    system: task.system, // undefined when there is none
    tools: task.tools.map((tool) => asTool(tool, signal)),
    maxTurns: task.max_turns, // after how many answers of the model the loop stops by itself
  });
  let text;
  try {
    await eachPrompt(async (prompt, cancelled) => { // several only if you claim multi-prompt: turns of one conversation
      const signal = AbortSignal.any([cancelled, late]);
      text = await loop.ask(prompt, { signal }); // YOURS; the signal aborts when the user cancels
    });
  } catch (error) {
    if (error instanceof Stopped) return { status: 'stopped', reason: error.message }; // turn limit, truncation, filter
    throw error;
  }
  return { status: 'completed', text };
});

// Offer a tool of the task to your loop. The work is done at the tool's URL: runTool returns its text, and throws where
// the tool fails, as a tool of your users would.
function asTool(tool, signal) {
  return { // YOURS: how your loop takes a tool
    name: tool.name,
    description: tool.description,
    parameters: tool.parameters, // JSON Schema
    run: (args, { callId } = {}) => runTool(tool, args, { callId, signal }), // the call id only where your loop tells it
  };
}
