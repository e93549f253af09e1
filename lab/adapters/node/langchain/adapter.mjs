// Lets Loopproof judge createAgent of LangChain with ChatOpenAI, over Chat Completions or Responses, or with
// ChatGoogleGenerativeAI, over Gemini's generateContent.
//
//   npm ci && loopproof run -- node adapter.mjs chat
//   npm ci && loopproof run -- node adapter.mjs responses
//   npm ci && loopproof run -- node adapter.mjs gemini

import { serve, runTool, toolApprovals, versionOf } from '../../../../packages/starters/protocol/node/protocol.mjs';
import { ChatGoogleGenerativeAI } from '@langchain/google-genai';
import { ChatOpenAI } from '@langchain/openai';
import { Command, MemorySaver } from '@langchain/langgraph';
import {
  AIMessage, createAgent, createMiddleware, humanInTheLoopMiddleware, modelCallLimitMiddleware, modelFallbackMiddleware, summarizationMiddleware, tool,
} from 'langchain';

const dialect = process.argv[2] ?? 'chat';
const library = dialect === 'gemini' ? '@langchain/google-genai' : '@langchain/openai';

const served = serve({
  dialects: [dialect],
  name: 'LangChain createAgent',
  version: `langchain ${versionOf('langchain', import.meta.url)}, ${library} ${versionOf(library, import.meta.url)}`,
  features: [
    'streaming', 'parallel-calls', 'multi-prompt', 'resume-after-failure', 'cancel', 'retries', 'turn-limit', 'usage', 'images',
    'tool-approvals', 'approval-edits', 'compaction', 'answer-schema', 'model-fallback', 'model-switch', 'sub-agents', ...(dialect === 'chat' ? [] : ['reasoning']),
  ],
  designs: dialect === 'gemini' ? ['own-model'] : [],
  concurrency: 8,
}, converse);

// @google/generative-ai rejects a promise that nobody awaits when a stream fails, of which the half for Node makes the end of the
// task, or of all tasks. What the caller of the agent gets is the same, and the conversation goes on.
if (dialect === 'gemini') process.removeAllListeners('unhandledRejection').on('unhandledRejection', (error) => console.error(error));

await served;

// converse holds the conversation as a user of LangChain would write it by its documentation.
async function converse(task, _, eachPrompt) {
  const model = modelFor(task, task.model);
  const chosen = {};
  const agent = createAgent({
    model,
    tools: task.tools.map((each) => (each.agent ? asAgent(each, task, model) : asTool(each))),
    systemPrompt: task.system,
    ...(task.answer_schema && { responseFormat: { title: 'Answer', ...task.answer_schema } }),
    ...(asks(task) && { checkpointer: new MemorySaver() }),
    middleware: [...options(task, model, chosen), modelCallLimitMiddleware({ runLimit: task.max_turns, exitBehavior: 'error' })],
  });
  let state = { messages: [] };
  let limit;
  let number = 0;
  await eachPrompt(async (prompt, signal) => {
    limit = undefined;
    if (task.prompt_models) chosen.model = modelFor(task, task.prompt_models[number]);
    number++;
    const config = { signal, recursionLimit: 200, configurable: { thread_id: task.id } }; // a checkpointer has the messages before
    try {
      state = await ask(agent, task.stream, { messages: [...(asks(task) ? [] : state.messages), { role: 'user', content: prompt }] }, config);
      while (state.__interrupt__?.length) state = await ask(agent, task.stream, await decide(task, state, signal), config);
    } catch (error) {
      if (error.name !== 'ModelCallLimitMiddlewareError') throw error;
      limit = { status: 'stopped', reason: error.message };
    }
    return !limit && !reasonToStop(state.messages.at(-1)); // else there is no answer that the user could go on from
  });
  return limit ?? report(task, state);
}

// asks says whether tools of the task wait for the user, for which the agent needs a checkpointer.
function asks(task) {
  return task.tools.some((each) => each.needs_approval);
}

// options are what some tasks want, each as its page shows it: https://docs.langchain.com/oss/javascript/langchain/middleware/built-in
function options(task, model, chosen) {
  const names = task.tools.filter((each) => each.needs_approval).map((each) => each.name);
  return [
    ...(names.length ? [humanInTheLoopMiddleware({ interruptOn: Object.fromEntries(names.map((each) => [each, true])) })] : []),
    ...(task.context_limit ? [summarizationMiddleware({ model, trigger: { tokens: task.context_limit * 0.8 }, keep: { tokens: task.context_limit * 0.3 } })] : []),
    ...(task.fallback_model ? [modelFallbackMiddleware(modelFor(task, task.fallback_model))] : []),
    // https://docs.langchain.com/oss/javascript/langchain/agents#dynamic-model
    ...(task.prompt_models ? [createMiddleware({ name: 'Chosen', wrapModelCall: (request, handler) => handler({ ...request, model: chosen.model }) })] : []),
  ];
}

// decide resumes a run that waits for the user: https://docs.langchain.com/oss/javascript/langchain/human-in-the-loop
async function decide(task, state, signal) {
  const requests = state.__interrupt__[0].value.actionRequests;
  const decisions = await toolApprovals(task, requests.map(({ name, args }) => ({ name, arguments: args })), { signal });
  return new Command({ resume: { decisions: decisions.map((each, i) => asDecision(requests[i], each)) } });
}

function asDecision({ name }, { approve, reason, arguments: args }) {
  if (!approve) return { type: 'reject', ...(reason && { message: reason }) };
  return args ? { type: 'edit', editedAction: { name, args } } : { type: 'approve' };
}

function modelFor({ base_url, api_key, model: first }, model) {
  if (dialect === 'gemini') {
    // What it does about signatures depends on the name of the model.
    return new ChatGoogleGenerativeAI({
      model: model === first ? 'gemini-3-pro-preview' : `gemini-3-${model}`, apiKey: api_key, baseUrl: base_url, maxRetries: 2,
      thinkingConfig: { includeThoughts: true },
    });
  }
  return new ChatOpenAI({ model, apiKey: api_key, configuration: { baseURL: base_url }, maxRetries: 2, useResponsesApi: dialect === 'responses' });
}

// ask returns the state at the end of a run. Streaming the messages is what makes the model stream.
async function ask(agent, stream, input, options) {
  if (!stream) return agent.invoke(input, options);
  let last;
  for await (const [mode, chunk] of await agent.stream(input, { ...options, streamMode: ['messages', 'values'] })) {
    if (mode === 'values') last = { ...last, __interrupt__: undefined, ...chunk };
  }
  return last;
}

// asTool offers a tool of the task to LangChain.
function asTool(each) {
  return tool(
    async (input, config) => {
      const result = await runTool(each, input, { callId: config.toolCall?.id, signal: config.signal });
      return typeof result === 'string' ? result : [{ type: 'image', mimeType: result.mediaType, data: result.data }];
    },
    { name: each.name, description: each.description, schema: each.parameters });
}

// asAgent offers a tool that asks an agent: https://docs.langchain.com/oss/javascript/langchain/multi-agent/subagents
function asAgent({ name, description, parameters, agent: { system, tools, max_turns } }, task, model) {
  const agent = createAgent({
    model, tools: tools.map(asTool), systemPrompt: system, middleware: [modelCallLimitMiddleware({ runLimit: max_turns, exitBehavior: 'error' })],
  });
  const call = async ({ prompt }, { signal }) => {
    const { messages } = await ask(agent, task.stream, { messages: [{ role: 'user', content: prompt }] }, { signal, recursionLimit: 200 });
    return messages.at(-1).text;
  };
  return tool(call, { name, description, schema: parameters });
}

// report says how the conversation ended, from what LangChain returned.
function report(task, { messages, structuredResponse }) {
  const last = messages.at(-1);
  const reason = reasonToStop(last);
  if (task.answer_schema && !reason) return { status: 'completed', text: JSON.stringify(structuredResponse), usage: usageOf(messages) };
  return {
    status: reason ? 'stopped' : 'completed', text: last.text || last.additional_kwargs.refusal || '', reason, // a refusal stands beside the text
    finish_reason: finishReason(last), usage: usageOf(messages),
  };
}

// reasonToStop returns why a message is no answer, or undefined.
function reasonToStop(message) {
  const reason = finishReason(message);
  if (['length', 'max_output_tokens', 'content_filter', 'error', 'MAX_TOKENS', 'SAFETY'].includes(reason)) return reason;
}

function finishReason({ response_metadata: said }) {
  return said?.finish_reason ?? said?.finishReason ?? said?.incomplete_details?.reason;
}

function usageOf(messages) {
  const usages = messages.filter(AIMessage.isInstance).map((message) => message.usage_metadata).filter(Boolean);
  return {
    input_tokens: usages.reduce((sum, each) => sum + each.input_tokens, 0),
    output_tokens: usages.reduce((sum, each) => sum + each.output_tokens, 0),
  };
}
