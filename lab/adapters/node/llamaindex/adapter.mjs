// Lets Loopproof judge the agent of LlamaIndex.TS, with its model for OpenAI over Chat Completions.
//
//   npm ci && loopproof run -- node adapter.mjs

import { serve, runTool, versionOf } from '../../../../packages/starters/protocol/node/protocol.mjs';
import { openai } from '@llamaindex/openai';
import { agent } from '@llamaindex/workflow';
import { createMemory, tool } from 'llamaindex';

await serve({
  name: 'LlamaIndex.TS',
  version: versionOf('llamaindex', import.meta.url),
  features: ['streaming', 'parallel-calls', 'multi-prompt', 'retries'],
  profiles: ['openai'],
  deliveries: ['sse*'], // it always streams
  concurrency: 8,
}, converse);

// converse holds the conversation as the documentation shows it: https://developers.llamaindex.ai/typescript/framework/modules/agents/agent_workflow/
async function converse(task, _, eachPrompt) {
  const loop = agent({
    llm: openai({ model: task.model, apiKey: task.api_key, baseURL: task.base_url, maxRetries: 2 }), // 10
    tools: task.tools.map(asTool),
    systemPrompt: task.system,
    memory: createMemory(),
  });
  let last;
  await eachPrompt(async (prompt) => {
    last = (await loop.run(prompt)).data;
  });
  return { status: 'completed', text: last.result };
}

// asTool offers a tool of the task to the agent. What it throws goes to the model.
function asTool(each) {
  return tool((input) => runTool(each, input), { name: each.name, description: each.description, parameters: each.parameters });
}
