// Lets Loopproof judge the parts of ART that a native tool loop is made of: createArtInstance, the reasoning engine with
// the OpenRouter adapter, and the tool system, from a checkout of the framework that was built. The agent core between
// them is below, as the framework's guide to agents of one's own describes it: ART's own agent calls tools by a text
// protocol of its own, which no provider speaks.
//
//   loopproof run -- node adapter.mjs PATH/TO/ART

import { serve, runTool } from '../../../../packages/starters/protocol/node/protocol.mjs';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const checkout = resolve(process.argv[2] ?? '.');
const { createArtInstance, OpenRouterAdapter } = await import(pathToFileURL(join(checkout, 'dist/index.js')));

await serve({
  name: 'ART, an agent core over its OpenRouter adapter',
  version: JSON.parse(readFileSync(join(checkout, 'package.json'))).version,
  profiles: ['openrouter'],
  features: ['streaming', 'parallel-calls', 'multi-prompt', 'resume-after-failure', 'transcript'], // it retries nothing and resends no reasoning
  concurrency: 8,
}, converse);

// converse makes an instance for each task, whose providers and tools are set up as the guide shows it.
async function converse(task, signal) {
  const prompt = task.system ? [{ role: 'system', content: task.system }] : []; // the conversation so far, an ArtStandardPrompt
  const art = await createArtInstance({
    storage: { type: 'memory' },
    providers: { availableProviders: [{ name: 'openrouter', adapter: OpenRouterAdapter }] },
    tools: task.tools.map((tool) => asTool(tool, signal)),
    agentCore: agentOver(prompt, task),
  });
  const adapterOptions = { apiKey: task.api_key, model: task.model, apiBaseUrl: task.base_url };
  await art.stateManager.setThreadConfig(task.id, {
    providerConfig: { providerName: 'openrouter', modelId: task.model, adapterOptions },
    enabledTools: task.tools.map((tool) => tool.name),
    historyLimit: 100,
  });
  let outcome;
  for (const query of task.prompts) {
    outcome = await art.process({ query, threadId: task.id }).catch((error) => ({ status: 'failed', error: error.message }));
    if (outcome.status !== 'completed' && !task.resume_after_failure) break;
  }
  return { ...outcome, transcript: prompt, transcript_format: 'art-messages' };
}

// agentOver returns an agent core that asks the model, lets the tool system run what it calls, and asks again.
function agentOver(prompt, task) {
  let turns = 0;
  return class {
    constructor({ reasoningEngine, stateManager, toolRegistry, toolSystem }) {
      Object.assign(this, { reasoningEngine, stateManager, toolRegistry, toolSystem });
    }

    async process({ query, threadId }) {
      prompt.push({ role: 'user', content: query });
      const { config } = await this.stateManager.loadThreadContext(threadId);
      while (turns++ < task.max_turns) {
        const tools = await this.toolRegistry.getAvailableTools();
        const options = { threadId, providerConfig: config.providerConfig, stream: task.stream, tools };
        const { text, calls, finish } = await read(await this.reasoningEngine.call(prompt, options));
        if (finish === 'length' || finish === 'content_filter') return { status: 'stopped', reason: finish, finish_reason: finish, text };
        prompt.push(assistant(text, calls));
        if (calls.length === 0) return { status: 'completed', text, finish_reason: finish };
        const planned = calls.map(({ id, name, input }) => ({ callId: id, toolName: name, arguments: input }));
        for (const result of await this.toolSystem.executeTools(planned, threadId)) prompt.push(toolResult(result));
      }
      return { status: 'stopped', reason: 'turn limit' };
    }
  };
}

// read gathers the events of an answer. An ERROR event is what the caller of the engine gets.
async function read(events) {
  const answer = { text: '', calls: [] };
  for await (const { type, data, tokenType } of events) {
    if (type === 'ERROR') throw data;
    if (type === 'METADATA') answer.finish = data.stopReason;
    if (type !== 'TOKEN' || tokenType?.endsWith('LLM_THINKING')) continue;
    for (const block of Array.isArray(data) ? data : [{ type: 'text', text: data }]) {
      if (block.type === 'text') answer.text += block.text;
      if (block.type === 'tool_use') answer.calls.push(block);
    }
  }
  return answer;
}

function assistant(text, calls) {
  if (calls.length === 0) return { role: 'assistant', content: text };
  const asCall = ({ id, name, input }) => ({ id, type: 'function', function: { name, arguments: JSON.stringify(input) } });
  return { role: 'assistant', content: text || null, tool_calls: calls.map(asCall) };
}

function toolResult({ callId, toolName, status, output, error }) {
  const content = status === 'success' ? output : error;
  return { role: 'tool_result', name: toolName, tool_call_id: callId, content };
}

function asTool(tool, signal) {
  return {
    schema: { name: tool.name, description: tool.description, inputSchema: tool.parameters },
    execute: async (args) => ({ status: 'success', output: await runTool(tool, args, { signal }) }),
  };
}
