// Lets Loopproof judge callModel, the agent loop of OpenRouter, over its Responses API.
//
//   npm ci && loopproof run -- node adapter.mjs

import { serve, runTool, versionOf } from '../../../../packages/starters/protocol/node/protocol.mjs';
import { OpenRouter, stepCountIs, tool } from '@openrouter/agent';
import { z } from 'zod';

await serve({
  name: 'OpenRouter agent',
  version: versionOf('@openrouter/agent', import.meta.url),
  dialects: ['responses'],
  profiles: ['openrouter-responses', 'openai-responses'],
  features: ['streaming', 'parallel-calls', 'multi-prompt', 'resume-after-failure', 'reasoning', 'cancel', 'retries', 'turn-limit', 'usage'],
  deliveries: ['sse*'], // it always streams
  concurrency: 8,
}, converse);

// converse holds the conversation as the documentation shows it: https://openrouter.ai/docs/sdks/typescript/call-model/overview
async function converse(task, _, eachPrompt) {
  const client = new OpenRouter({
    apiKey: task.api_key,
    serverURL: task.base_url,
    retryConfig: { strategy: 'backoff', backoff: { initialInterval: 100, maxInterval: 1000, exponent: 2, maxElapsedTime: 5000 }, retryConnectionErrors: true },
  });
  const tools = task.tools.map(asTool);
  const usage = { input_tokens: 0, output_tokens: 0 };
  let stored = null;
  let last;
  await eachPrompt(async (prompt, signal) => {
    const result = client.callModel({
      model: task.model,
      instructions: task.system,
      input: prompt,
      tools,
      state: { load: async () => stored, save: async (state) => { stored = state; } },
      stopWhen: stepCountIs(task.max_turns - 1), // rounds of tools
      allowFinalResponse: false, // a last answer without tools would be one more
      hooks: { SessionEnd: [{ handler: ({ totalUsage }) => {
        usage.input_tokens += totalUsage?.inputTokens ?? 0;
        usage.output_tokens += totalUsage?.outputTokens ?? 0;
      } }] },
    }, { signal });
    last = { text: await result.getText(), response: await result.getResponse() };
    return !reasonToStop(last.response); // else there is no answer that the user could go on from
  });
  const reason = reasonToStop(last.response);
  return { status: reason ? 'stopped' : 'completed', text: last.text, reason, usage };
}

function reasonToStop({ status, incompleteDetails, output }) {
  if (status === 'incomplete') return incompleteDetails?.reason ?? status;
  if (output.some((item) => item.type === 'function_call')) return 'turn limit';
}

// asTool offers a tool of the task to callModel. What it throws goes to the model.
function asTool(each) {
  return tool({
    name: each.name,
    description: each.description,
    inputSchema: z.fromJSONSchema(each.parameters),
    execute: (input, context) => runTool(each, input, { callId: context?.toolCall?.callId }),
  });
}
