// Lets Loopproof judge runAgent of Open Agent Loops with its OpenAICompatibleModel, from a checkout of the library that
// was built. Its transcript is judged too, in the library's own form.
//
//   loopproof run -- node adapter.mjs PATH/TO/open-agent-loops

import { serve, runTool } from '../../../../packages/starters/protocol/node/protocol.mjs';
import { execSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const checkout = resolve(process.argv[2] ?? '.');
const load = (path) => import(pathToFileURL(join(checkout, path)));
const { runAgent, SessionMemoryStore } = await load('dist/index.js');
const { OpenAICompatibleModel } = await load('dist/providers/openai.js');
const { z } = await import(pathToFileURL(createRequire(join(checkout, 'package.json')).resolve('zod')));

await serve({
  name: 'Open Agent Loops',
  version: version(),
  features: ['streaming', 'parallel-calls', 'reasoning', 'multi-prompt', 'resume-after-failure', 'cancel', 'retries', 'turn-limit', 'transcript'],
  deliveries: ['sse*'], // it always streams
  concurrency: 8,
}, converse);

function version() {
  const { version } = JSON.parse(readFileSync(join(checkout, 'package.json')));
  try {
    return `${version} ${execSync('git rev-parse --short=8 HEAD', { cwd: checkout, stdio: ['ignore', 'pipe', 'ignore'] })}`.trim();
  } catch {
    return version; // not a checkout of git
  }
}

// converse holds the conversation as the library's guide shows it: one session, whose memory goes from prompt to prompt.
async function converse(task, _, eachPrompt) {
  const model = new OpenAICompatibleModel({ baseURL: task.base_url, apiKey: task.api_key, model: task.model });
  const memory = new SessionMemoryStore();
  let outcome;
  let steps = 0;
  await eachPrompt(async (prompt, signal) => {
    const maxSteps = task.max_turns - steps;
    const run = { model, memory, sessionId: task.id, system: task.system, tools: task.tools.map(asTool), prompt, maxSteps, signal };
    const result = await runAgent(run).catch((error) => ({ error }));
    if (result.error) {
      outcome = signal.aborted ? { status: 'stopped', reason: 'cancelled' } : { status: 'failed', error: result.error.message };
      return false;
    }
    steps += result.steps;
    outcome = report(result.messages.findLast((message) => message.role === 'assistant'));
    return outcome.status === 'completed'; // else there is no answer that the user could go on from
  });
  return { ...outcome, transcript: await memory.load(task.id), transcript_format: 'open-agent-loops' };
}

function asTool(tool) {
  return {
    name: tool.name,
    description: tool.description,
    parameters: z.fromJSONSchema(tool.parameters),
    execute: async (args, { toolCallId, signal }) => ({ content: await runTool(tool, args, { callId: toolCallId, signal }) }),
  };
}

// report says how a run ended, by what its caller can see of the last turn.
function report({ content, finishReason, isError, tool_calls }) {
  const told = { text: content, finish_reason: finishReason };
  if (isError) return { ...told, status: 'failed', error: 'the last turn is marked as an error' };
  if (finishReason === 'length' || finishReason === 'content_filter') return { ...told, status: 'stopped', reason: finishReason };
  if (tool_calls?.length) return { ...told, status: 'stopped', reason: 'turn limit' };
  return { ...told, status: 'completed' };
}
