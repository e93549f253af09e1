// Lets Loopproof judge your agent loop.
//
//   loopproof run --quick -- node adapter.mts       the first verdict, with Node 22.18 or newer
//   loopproof run --quick -- npx tsx adapter.mts    with an older one
//   loopproof run -- node adapter.mts               everything
//
// It runs as it stands, with the small loop of example-loop.mts. Put your loop in its place: change what is marked YOURS.
// Node strips the types and checks none: npx -p typescript tsc does.

import { type Hello, type Tool, runTool, serve } from './protocol.mjs'; // first: from here on, console.log goes to standard error
import { Loop, type LoopTool, Stopped } from './example-loop.mts'; // YOURS: import your loop

const hello: Hello = {
  name: 'my loop', // YOURS: what the report calls it
  language: 'typescript',
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
  let text = '';
  try {
    await eachPrompt(async (prompt, cancelled) => { // several only if you claim multi-prompt: turns of one conversation
      text = await loop.ask(prompt, AbortSignal.any([cancelled, late])); // YOURS; the signal aborts when the user cancels
    });
  } catch (error) {
    if (error instanceof Stopped) return { status: 'stopped', reason: error.message }; // turn limit, truncation, filter
    throw error;
  }
  return { status: 'completed', text };
});

// Offer a tool of the task to your loop. The work is done at the tool's URL: runTool returns its text (of a tool with
// images: an image), and throws where the tool fails, as a tool of your users would.
function asTool(tool: Tool, signal: AbortSignal): LoopTool {
  return { // YOURS: how your loop takes a tool
    name: tool.name,
    description: tool.description,
    parameters: tool.parameters, // JSON Schema
    run: async (args, callId) => String(await runTool(tool, args, { callId, signal })), // the call id only where your loop tells it
  };
}
