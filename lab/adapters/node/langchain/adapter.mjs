// Lets Loopproof judge createAgent of LangChain with ChatOpenAI, over Chat Completions or Responses, or with
// ChatGoogleGenerativeAI, over Gemini's generateContent.
//
//   npm ci && loopproof run -- node adapter.mjs chat
//   npm ci && loopproof run -- node adapter.mjs responses
//   npm ci && loopproof run -- node adapter.mjs gemini

import { serve, runTool, versionOf } from '../../../../packages/starters/protocol/node/protocol.mjs';
import { ChatGoogleGenerativeAI } from '@langchain/google-genai';
import { ChatOpenAI } from '@langchain/openai';
import { AIMessage, createAgent, modelCallLimitMiddleware, tool } from 'langchain';

const dialect = process.argv[2] ?? 'chat';
const library = dialect === 'gemini' ? '@langchain/google-genai' : '@langchain/openai';

// @google/generative-ai rejects a promise that nobody awaits when a stream fails, which would end this process, and with it the
// other tasks. What the caller of the agent gets is the same.
if (dialect === 'gemini') process.on('unhandledRejection', (error) => console.error(error));

await serve({
  dialects: [dialect],
  name: 'LangChain createAgent',
  version: `langchain ${versionOf('langchain', import.meta.url)}, ${library} ${versionOf(library, import.meta.url)}`,
  features: ['streaming', 'parallel-calls', 'multi-prompt', 'resume-after-failure', 'cancel', 'retries', 'turn-limit', 'usage', 'images', ...(dialect === 'chat' ? [] : ['reasoning'])],
  designs: dialect === 'gemini' ? ['own-model'] : [],
  concurrency: 8,
}, converse);

// converse holds the conversation as a user of LangChain would write it by its documentation.
async function converse(task, _, eachPrompt) {
  const agent = createAgent({
    model: modelFor(task),
    tools: task.tools.map(asTool),
    systemPrompt: task.system,
    middleware: [modelCallLimitMiddleware({ runLimit: task.max_turns, exitBehavior: 'error' })],
  });
  let messages = [];
  let limit;
  await eachPrompt(async (prompt, signal) => {
    limit = undefined;
    try {
      messages = await ask(agent, task.stream, [...messages, { role: 'user', content: prompt }], { signal, recursionLimit: 200 });
    } catch (error) {
      if (error.name !== 'ModelCallLimitMiddlewareError') throw error;
      limit = { status: 'stopped', reason: error.message };
    }
    return !limit && !reasonToStop(messages.at(-1)); // else there is no answer that the user could go on from
  });
  return limit ?? report(messages);
}

function modelFor({ base_url, api_key, model }) {
  if (dialect === 'gemini') {
    // What it does about signatures depends on the name of the model.
    return new ChatGoogleGenerativeAI({
      model: 'gemini-3-pro-preview', apiKey: api_key, baseUrl: base_url, maxRetries: 2, thinkingConfig: { includeThoughts: true },
    });
  }
  return new ChatOpenAI({ model, apiKey: api_key, configuration: { baseURL: base_url }, maxRetries: 2, useResponsesApi: dialect === 'responses' });
}

// ask returns the messages at the end of a run. Streaming the messages is what makes the model stream.
async function ask(agent, stream, messages, options) {
  if (!stream) return (await agent.invoke({ messages }, options)).messages;
  let last;
  for await (const [mode, chunk] of await agent.stream({ messages }, { ...options, streamMode: ['messages', 'values'] })) {
    if (mode === 'values') last = chunk.messages;
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

// report says how the conversation ended, from what LangChain returned.
function report(messages) {
  const last = messages.at(-1);
  const reason = reasonToStop(last);
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
