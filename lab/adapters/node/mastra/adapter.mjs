// Lets Loopproof judge the Agent of Mastra, generate and stream, with the model router for OpenAI-compatible providers.
//
//   npm ci && loopproof run -- node adapter.mjs

import { serve, runTool, versionOf } from '../../../../packages/starters/protocol/node/protocol.mjs';
import { Mastra } from '@mastra/core';
import { Agent } from '@mastra/core/agent';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { Memory } from '@mastra/memory';

await serve({
  name: 'Mastra',
  version: versionOf('@mastra/core', import.meta.url),
  features: ['streaming', 'parallel-calls', 'multi-prompt', 'resume-after-failure', 'cancel', 'retries', 'turn-limit', 'usage'],
  concurrency: 8,
}, converse);

// converse holds the conversation as the documentation shows it: https://mastra.ai/docs/memory/overview
async function converse(task, _, eachPrompt) {
  const agent = new Agent({
    id: 'loopproof',
    name: 'Loopproof',
    instructions: task.system ?? '',
    model: { id: `loopproof/${task.model}`, url: task.base_url, apiKey: task.api_key },
    tools: Object.fromEntries(task.tools.map((each) => [each.name, asTool(each)])),
    memory: new Memory({ options: { lastMessages: 100 } }), // 10
    maxRetries: 2, // 0
  });
  new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false });
  const usage = { input_tokens: 0, output_tokens: 0 };
  let last;
  await eachPrompt(async (prompt, signal) => {
    last = await ask(agent, prompt, task.stream, {
      memory: { thread: task.id, resource: 'user' },
      maxSteps: task.max_turns,
      abortSignal: signal,
    });
    usage.input_tokens += last.totalUsage?.inputTokens ?? 0;
    usage.output_tokens += last.totalUsage?.outputTokens ?? 0;
    return !reasonToStop(last); // else there is no answer that the user could go on from
  });
  const reason = reasonToStop(last);
  return { status: reason ? 'stopped' : 'completed', text: last.text, reason, finish_reason: last.finishReason, usage };
}

async function ask(agent, prompt, stream, options) {
  if (!stream) return agent.generate(prompt, options);
  const output = await agent.stream(prompt, options);
  for await (const _ of output.fullStream); // eslint-disable-line no-empty
  const full = await output.getFullOutput();
  if (full.error) throw full.error;
  return full;
}

// asTool offers a tool of the task to Mastra. What it throws goes to the model.
function asTool(each) {
  return createTool({
    id: each.name,
    description: each.description,
    inputSchema: each.parameters,
    execute: (input, context) => runTool(each, input, { callId: context.agent?.toolCallId, signal: context.abortSignal }),
  });
}

function reasonToStop({ finishReason }) {
  if (finishReason === 'tool-calls') return 'turn limit';
  if (finishReason !== 'stop') return finishReason;
}
