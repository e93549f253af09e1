// Lets Loopproof judge the tool loop of the Vercel AI SDK, generateText and streamText, with one of six providers: the
// one for any OpenAI-compatible API, the one for DeepSeek, the one for OpenAI, which speaks Responses, that for Gemini, over
// generateContent or Interactions, that for Cohere, or that for Amazon Bedrock, which speaks Converse. A second model may be that of another one, or of Anthropic.
//
//   npm ci && loopproof run -- node adapter.mjs openai-compatible
//   npm ci && loopproof run -- node adapter.mjs deepseek
//   npm ci && loopproof run -- node adapter.mjs openai
//   npm ci && loopproof run -- node adapter.mjs google
//   npm ci && loopproof run -- node adapter.mjs google --interactions
//   npm ci && loopproof run -- node adapter.mjs cohere
//   npm ci && loopproof run -- node adapter.mjs amazon-bedrock
//   npm ci && loopproof run --scenario 'images/**' -- node adapter.mjs openai-compatible --images

import { onPrompt, serve, runTool, toolApprovals, versionOf } from '../../../../packages/starters/protocol/node/protocol.mjs';
import { createMCPClient } from '@ai-sdk/mcp';
import { experimental_createSteering as createSteering, generateText, isStepCount, jsonSchema, Output, streamText, tool } from 'ai';
import { z } from 'zod';

const name = process.argv[2] ?? 'openai-compatible';
const images = process.argv.includes('--images');
const interactions = process.argv.includes('--interactions');

// The package of the provider, and those of a second model of another one; the others need not be installed.
const others = { chat: 'openai-compatible', messages: 'anthropic', responses: 'openai', gemini: 'google' };
const packages = await Promise.all([...new Set([name, ...Object.values(others)])].map((each) => import(`@ai-sdk/${each}`)));
const { createAmazonBedrock, createAnthropic, createCohere, createDeepSeek, createGoogle, createOpenAI, createOpenAICompatible, openai } = Object.assign({}, ...packages);

// Each provider as its documentation sets it up, and the profiles that it is made for.
const providers = {
  'openai-compatible': {
    // An option lets results hold images, for servers that take them there.
    claims: images ? { profiles: ['openrouter', 'llamacpp', 'ollama'] } : {},
    model: ({ base_url, api_key, model, answer_schema }) => // another option is for servers that take a json_schema
      createOpenAICompatible({
        name: 'loopproof', baseURL: base_url, apiKey: api_key, includeUsage: true, supportsMultiPartToolContent: images,
        supportsStructuredOutputs: answer_schema !== undefined,
      })(model),
  },
  deepseek: {
    claims: { profiles: ['deepseek'], designs: ['own-model'] },
    model: ({ base_url, api_key, model }, first) => // what goes back of the reasoning depends on the name of the model
      createDeepSeek({ baseURL: base_url, apiKey: api_key })(model === first ? 'deepseek-v4-flash' : `deepseek-v4-${model}`),
  },
  openai: {
    claims: { dialects: ['responses'], designs: ['own-model'] },
    model: ({ base_url, api_key, model }, first) => // whether it reasons depends on the name of the model
      createOpenAI({ baseURL: base_url, apiKey: api_key })(model === first ? 'gpt-5' : `gpt-5-${model}`),
  },
  anthropic: { // of which only a second model is judged
    model: ({ base_url, api_key, model }) => createAnthropic({ baseURL: `${base_url}/v1`, apiKey: api_key })(`claude-opus-4-7-${model}`),
    options: { anthropic: { thinking: { type: 'adaptive' } } },
  },
  google: {
    claims: { dialects: [interactions ? 'interactions' : 'gemini'], designs: ['own-model'] },
    model: ({ base_url, api_key, model }, first) => { // what it does about signatures and images depends on the name of the model
      const google = createGoogle({ baseURL: `${base_url}/v1beta`, apiKey: api_key });
      const named = model === first ? 'gemini-3-pro-preview' : `gemini-3-${model}`;
      return interactions ? google.interactions(named) : google(named);
    },
    options: { google: interactions ? { thinkingSummaries: 'auto' } : { thinkingConfig: { includeThoughts: true } } },
  },
  cohere: {
    claims: { dialects: ['cohere-chat'] },
    model: ({ base_url, api_key, model }) => createCohere({ baseURL: `${base_url}/v2`, apiKey: api_key })(model),
  },
  'amazon-bedrock': {
    claims: { dialects: ['converse'], designs: ['own-model'] },
    model: ({ base_url, api_key, model, profile }, first) => { // what is sent depends on the maker, which the name of the model says
      const named = bedrock(profile).model;
      return createAmazonBedrock({ baseURL: base_url, region: 'us-east-1', apiKey: api_key })(model === first ? named : `${named}-${model}`);
    },
    options: ({ profile }) => ({ amazonBedrock: { reasoningConfig: bedrock(profile).reasoning } }),
  },
};

// bedrock returns a model of the maker that a profile is about, and how it is asked to reason:
// https://ai-sdk.dev/providers/ai-sdk-providers/amazon-bedrock#reasoning
function bedrock(profile) {
  return {
    'bedrock-nova': { model: 'us.amazon.nova-2-lite-v1:0', reasoning: { type: 'enabled', maxReasoningEffort: 'low' } },
    'bedrock-llama': { model: 'us.meta.llama4-maverick-17b-instruct-v1:0' },
  }[profile] ?? { model: 'us.anthropic.claude-opus-4-7', reasoning: { type: 'adaptive' } };
}

const provider = providers[name];

await serve({
  name: `Vercel AI SDK, ${name}${interactions ? ', Interactions' : ''}`,
  version: `ai ${versionOf('ai', import.meta.url)}, @ai-sdk/${name} ${versionOf(`@ai-sdk/${name}`, import.meta.url)}`,
  features: ['streaming', 'parallel-calls', 'reasoning', 'multi-prompt', 'resume-after-failure', 'cancel', 'retries', 'turn-limit', 'usage', 'tool-approvals', 'token-budget', 'answer-schema', 'steering', 'sub-agents', 'model-switch', 'mcp-tools', ...(name === 'deepseek' || interactions ? [] : ['second-api']), ...(name === 'openai' ? ['server-compaction', 'programmatic-tools'] : []), ...(images || ['google', 'amazon-bedrock'].includes(name) ? ['images'] : [])],
  concurrency: 8,
  ...provider.claims,
}, converse);

// modelOf returns a model of the task: the second one may be that of another provider.
function modelOf(task, model) {
  const other = task.second_api;
  if (other?.model === model) return providers[others[other.dialect]].model({ ...task, ...other }, task.model);
  return provider.model({ ...task, model }, task.model);
}

// converse holds the conversation as a user of the SDK would write it by its documentation.
async function converse(task, _, eachPrompt) {
  if (!task.mcp_tools) return hold(task, eachPrompt, {});
  const server = await createMCPClient({ transport: { type: 'http', url: task.mcp_url } }); // https://ai-sdk.dev/docs/ai-sdk-core/mcp-tools
  try {
    return await hold(task, eachPrompt, await server.tools());
  } finally {
    await server.close();
  }
}

// hold answers the prompts of a task with its tools, and with those of its MCP server.
async function hold(task, eachPrompt, more) {
  const usage = { input_tokens: 0, output_tokens: 0 };
  const messages = [];
  let last;
  let number = 0;
  await eachPrompt(async (prompt, signal) => {
    const model = modelOf(task, task.prompt_models?.[number++] ?? task.model);
    messages.push({ role: 'user', content: prompt });
    for (let pending = true; pending;) {
      last = await ask(task.stream, {
        model,
        instructions: task.system,
        messages,
        tools: { ...more, ...code(task.tools), ...Object.fromEntries(task.tools.map((each) => [each.name, each.agent ? asAgent(each, task, model) : asTool(each)])) },
        toolApproval: Object.fromEntries(task.tools.filter((each) => each.needs_approval).map((each) => [each.name, 'user-approval'])),
        stopWhen: [isStepCount(task.max_turns), spends(task.token_budget)],
        output: task.answer_schema && Output.object({ schema: z.fromJSONSchema(task.answer_schema) }),
        experimental_steering: task.steering && steering(),
        abortSignal: signal,
        providerOptions: task.compact_threshold ? compacting(task.compact_threshold) : optionsOf(task),
      });
      usage.input_tokens += last.usage.inputTokens ?? 0;
      usage.output_tokens += last.usage.outputTokens ?? 0;
      messages.push(...said(task, last)); // the documentation adds them whatever the finish reason is
      pending = await decide(task, last.content.filter((part) => part.type === 'tool-approval-request' && !part.isAutomatic), messages, signal);
    }
    return !reasonToStop(last); // else there is no answer that the user could go on from
  });
  const reason = reasonToStop(last);
  const text = task.answer_schema && !reason ? JSON.stringify(last.output) : last.text;
  return { status: reason ? 'stopped' : 'completed', text, reason, finish_reason: last.rawFinishReason, usage };
}

// optionsOf returns what the providers of the task are asked for, each under its own name.
function optionsOf(task) {
  const asked = [provider, ...(task.second_api ? [providers[others[task.second_api.dialect]]] : [])];
  return Object.assign({}, ...asked.map(({ options }) => typeof options === 'function' ? options(task) : options));
}

// compacting lets the provider make the history shorter: https://ai-sdk.dev/providers/ai-sdk-providers/openai#compaction
function compacting(compactThreshold) {
  return { openai: { contextManagement: [{ type: 'compaction', compactThreshold }] } };
}

// spends returns a condition of one's own: https://ai-sdk.dev/docs/agents/loop-control#custom-conditions
function spends(budget) {
  const cost = ({ usage }) => (usage.inputTokens ?? 0) + (usage.outputTokens ?? 0);
  return ({ steps }) => budget !== undefined && steps.reduce((sum, step) => sum + cost(step), 0) > budget;
}

// steering returns what hands the loop the words of the user: https://ai-sdk.dev/docs/agents/loop-control#steering
function steering() {
  const hand = createSteering();
  onPrompt((text) => hand.steer(text));
  return hand;
}

// said returns what a call adds to the messages. Those of the user among them are in its steps alone.
function said({ steering }, { steps, responseMessages }) {
  if (!steering) return responseMessages;
  return steps.flatMap((step) => [...(step.experimental_steeringMessages ?? []), ...step.response.messages]);
}

// decide adds the user's decisions to the messages: https://ai-sdk.dev/docs/agents/tool-approvals
async function decide(task, requests, messages, signal) {
  if (!requests.length) return false;
  const calls = requests.map(({ toolCall }) => ({ id: toolCall.toolCallId, name: toolCall.toolName, arguments: toolCall.input }));
  const decisions = await toolApprovals(task, calls, { signal });
  messages.push({
    role: 'tool',
    content: requests.map(({ approvalId }, i) => ({ type: 'tool-approval-response', approvalId, approved: decisions[i].approve, reason: decisions[i].reason })),
  });
  return true;
}

// ask returns what is left of generateText or streamText at their end. A stream that fails has an error among its parts.
async function ask(stream, settings) {
  if (!stream) return generateText(settings);
  const over = new AbortController(); // behind an error that the user is told of, the SDK goes on by itself
  const result = streamText({ ...settings, abortSignal: AbortSignal.any([settings.abortSignal, over.signal]), onError() {} });
  for await (const part of result.stream) {
    if (part.type === 'error') over.abort();
    if (part.type === 'error') throw part.error;
    if (part.type === 'abort') throw new Error('aborted');
  }
  const [text, finishReason, rawFinishReason, usage, responseMessages, content, steps] = await Promise.all(
    [result.text, result.finishReason, result.rawFinishReason, result.usage, result.responseMessages, result.content, result.steps]);
  const output = settings.output && finishReason === 'stop' ? await result.output : undefined;
  return { text, finishReason, rawFinishReason, usage, responseMessages, content, steps, output };
}

// code offers the tool that runs code, if it may call tools: https://ai-sdk.dev/providers/ai-sdk-providers/openai#programmatic-tool-calling
function code(tools) {
  return tools.some((each) => each.programmatic) ? { program: openai.tools.programmaticToolCalling() } : {};
}

// asTool offers a tool of the task to the SDK.
function asTool(each) {
  return tool({
    description: each.description,
    inputSchema: jsonSchema(each.parameters),
    providerOptions: each.programmatic && { openai: { allowedCallers: ['direct', 'programmatic'] } },
    execute: (input, { toolCallId, abortSignal }) => runTool(each, input, { callId: toolCallId, signal: abortSignal }),
    toModelOutput: ({ output }) => typeof output === 'string' ? { type: 'text', value: output } : asContent(output),
  });
}

// asAgent offers an agent that a tool runs: https://ai-sdk.dev/docs/agents/subagents
function asAgent({ description, parameters, agent }, task, model) {
  return tool({
    description,
    inputSchema: jsonSchema(parameters),
    execute: async ({ prompt }, { abortSignal }) => {
      const last = await ask(task.stream, {
        model,
        instructions: agent.system,
        prompt,
        tools: Object.fromEntries(agent.tools.map((each) => [each.name, asTool(each)])),
        stopWhen: isStepCount(agent.max_turns),
        abortSignal,
        providerOptions: optionsOf(task),
      });
      const reason = reasonToStop(last);
      if (reason) throw new Error(reason);
      return last.text;
    },
  });
}

function asContent({ mediaType, data }) {
  return { type: 'content', value: [{ type: 'file', mediaType, data: { type: 'data', data } }] };
}

// reasonToStop returns why the last step is no answer, or undefined, from the finish reason that the SDK reports.
function reasonToStop({ finishReason, rawFinishReason }) {
  if (finishReason === 'tool-calls') return 'turn limit';
  if (['length', 'content-filter', 'error', 'interrupted'].includes(finishReason)) return finishReason;
  if (rawFinishReason === 'error') return rawFinishReason;
}
