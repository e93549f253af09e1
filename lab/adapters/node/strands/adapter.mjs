// Lets Loopproof judge the agent of the Strands Agents SDK for TypeScript, with its model for Chat Completions.
//
//   npm ci && loopproof run -- node adapter.mjs

import { serve, runTool, versionOf } from '../../../../packages/starters/protocol/node/protocol.mjs';
import { Agent, ConstantBackoff, DefaultModelRetryStrategy, FunctionTool, ImageBlock } from '@strands-agents/sdk';
import { OpenAIModel } from '@strands-agents/sdk/models/openai';

await serve({
  name: 'Strands Agents SDK for TypeScript',
  version: versionOf('@strands-agents/sdk', import.meta.url),
  features: ['streaming', 'parallel-calls', 'multi-prompt', 'resume-after-failure', 'cancel', 'retries', 'turn-limit', 'usage', 'images'],
  deliveries: ['sse*'], // it always streams
  concurrency: 8,
}, converse);

// converse holds the conversation as a user of the SDK would write it by its documentation.
async function converse(task, _, eachPrompt) {
  const agent = new Agent({
    model: new OpenAIModel({ api: 'chat', apiKey: task.api_key, modelId: task.model, clientConfig: { baseURL: task.base_url } }),
    systemPrompt: task.system,
    tools: task.tools.map(asTool),
    retryStrategy: new DefaultModelRetryStrategy({ maxAttempts: 3, backoff: new ConstantBackoff({ delayMs: 100 }) }),
    printer: false,
  });
  let last;
  await eachPrompt(async (prompt, signal) => {
    last = await agent.invoke(prompt, { cancelSignal: signal, limits: { turns: task.max_turns } });
    return last.stopReason === 'endTurn'; // else there is no answer that the user could go on from
  });
  return report(last);
}

// report says how the conversation ended, from what the SDK returned. A truncated answer is a MaxTokensError.
function report(last) {
  const stopped = last.stopReason !== 'endTurn';
  const { inputTokens, outputTokens } = last.metrics.accumulatedUsage;
  return {
    status: stopped ? 'stopped' : 'completed', text: last.toString(), reason: stopped ? last.stopReason : undefined,
    usage: { input_tokens: inputTokens, output_tokens: outputTokens },
  };
}

// asTool offers a tool of the task to the SDK.
function asTool(each) {
  return new FunctionTool({
    name: each.name,
    description: each.description,
    inputSchema: each.parameters,
    callback: async (input, { toolUse, cancelSignal }) => {
      const result = await runTool(each, input, { callId: toolUse.toolUseId, signal: cancelSignal });
      if (typeof result === 'string') return result;
      return new ImageBlock({ format: result.mediaType.replace('image/', ''), source: { bytes: Buffer.from(result.data, 'base64') } });
    },
  });
}
