// Lets Loopproof judge the agent loop of pi, with its implementation of Chat Completions.
//
//   npm ci && loopproof run -- node adapter.mjs

import { onPrompt, serve, runTool, versionOf } from '../../../../packages/starters/protocol/node/protocol.mjs';
import { Agent } from '@earendil-works/pi-agent-core';
import { createModels, createProvider } from '@earendil-works/pi-ai';
import { openAICompletionsApi } from '@earendil-works/pi-ai/api/openai-completions.lazy';

const thinks = ({ profile }) => ['deepseek', 'openrouter', 'vllm'].includes(profile);

await serve({
  name: 'pi',
  version: versionOf('@earendil-works/pi-agent-core', import.meta.url),
  features: ['streaming', 'parallel-calls', 'reasoning', 'multi-prompt', 'resume-after-failure', 'cancel', 'retries', 'turn-limit', 'usage', 'images', 'steering'],
  // pi has an API of its own for Mistral, and knows DeepSeek's models from V4 on.
  profiles: ['openai', 'deepseek', 'openrouter', 'vllm', 'gateway'],
  deliveries: ['sse*'], // it always streams
  concurrency: 8,
}, converse);

// converse holds the conversation as a user of pi would write it by its documentation.
async function converse(task, _, eachPrompt) {
  const models = createModels();
  models.setProvider(asProvider(task));
  let turns = 0;
  const agent = new Agent({
    initialState: {
      systemPrompt: task.system ?? '', model: models.getModel(task.profile, task.model), tools: task.tools.map(asTool),
      thinkingLevel: thinks(task) ? 'medium' : 'off',
    },
    streamFn: (model, context, options) => models.streamSimple(model, context, { ...options, maxRetries: 2 }),
    finishTurn: ({ toolResults }) => {
      turns += 1;
      if (turns >= task.max_turns && toolResults.length) return { action: 'end' };
    },
  });
  onPrompt((text) => agent.steer({ role: 'user', content: [{ type: 'text', text }], timestamp: Date.now() }));
  await eachPrompt(async (prompt, signal) => {
    signal.addEventListener('abort', () => agent.abort());
    await agent.prompt(prompt);
    return agent.state.messages.at(-1).stopReason === 'stop'; // else there is no answer that the user could go on from
  });
  return report(agent.state.messages);
}

// asProvider sets up a provider of the task's profile, which pi knows by its name.
function asProvider(task) {
  const { profile, base_url, api_key, model } = task;
  return createProvider({
    id: profile,
    name: profile,
    baseUrl: base_url,
    auth: { apiKey: { name: profile, resolve: async () => ({ auth: { apiKey: api_key } }) } },
    models: [{
      id: model, name: model, api: 'openai-completions', provider: profile, baseUrl: base_url, input: ['text', 'image'],
      reasoning: thinks(task), cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
      contextWindow: 128000, maxTokens: 32000,
    }],
    api: openAICompletionsApi(),
  });
}

// asTool offers a tool of the task to pi.
function asTool(each) {
  return {
    name: each.name,
    label: each.name,
    description: each.description,
    parameters: each.parameters,
    execute: async (callId, args, signal) => ({
      content: [asContent(await runTool(each, args, { callId, signal }))], details: {},
    }),
  };
}

function asContent(result) {
  if (typeof result === 'string') return { type: 'text', text: result };
  return { type: 'image', data: result.data, mimeType: result.mediaType };
}

// report says how the conversation ended, from the last message. pi throws nothing: errors are messages too.
function report(messages) {
  const answers = messages.filter(({ role }) => role === 'assistant');
  const { stopReason, errorMessage, content } = answers.at(-1);
  const text = content.filter(({ type }) => type === 'text').map((part) => part.text).join('');
  if (stopReason === 'error') return { status: 'failed', error: errorMessage };
  const outcome = { text, finish_reason: stopReason, usage: usageOf(answers) };
  if (stopReason === 'stop') return { status: 'completed', ...outcome };
  return { status: 'stopped', reason: errorMessage ?? stopReason, ...outcome };
}

function usageOf(answers) {
  return {
    input_tokens: answers.reduce((sum, { usage }) => sum + usage.input + usage.cacheRead + usage.cacheWrite, 0),
    output_tokens: answers.reduce((sum, { usage }) => sum + usage.output, 0),
  };
}
