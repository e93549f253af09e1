// Lets Loopproof judge createAgent of LangChain with ChatOpenAI, over Chat Completions or Responses.
//
//   npm ci && loopproof run -- node adapter.mjs chat
//   npm ci && loopproof run -- node adapter.mjs responses

import { serve, runTool, versionOf } from '../protocol.mjs';
import { ChatOpenAI } from '@langchain/openai';
import { AIMessage, createAgent, modelCallLimitMiddleware, tool } from 'langchain';

const dialect = process.argv[2] ?? 'chat';

await serve({
  dialects: [dialect],
  name: 'LangChain createAgent',
  version: `langchain ${versionOf('langchain', import.meta.url)}, @langchain/openai ${versionOf('@langchain/openai', import.meta.url)}`,
  features: ['streaming', 'parallel-calls', 'multi-prompt', 'resume-after-failure', 'cancel', 'retries', 'turn-limit', 'usage', 'images', ...(dialect === 'responses' ? ['reasoning'] : [])],
  concurrency: 8,
}, converse);

// converse holds the conversation as a user of LangChain would write it by its documentation.
async function converse(task, _, eachPrompt) {
  const agent = createAgent({
    model: new ChatOpenAI({
      model: task.model, apiKey: task.api_key, configuration: { baseURL: task.base_url }, maxRetries: 2, useResponsesApi: dialect === 'responses',
    }),
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
    finish_reason: last.response_metadata.finish_reason ?? last.response_metadata.incomplete_details?.reason, usage: usageOf(messages),
  };
}

// reasonToStop returns why a message is no answer, or undefined.
function reasonToStop({ response_metadata }) {
  const reason = response_metadata?.finish_reason ?? response_metadata?.incomplete_details?.reason;
  if (['length', 'max_output_tokens', 'content_filter', 'error'].includes(reason)) return reason;
}

function usageOf(messages) {
  const usages = messages.filter(AIMessage.isInstance).map((message) => message.usage_metadata).filter(Boolean);
  return {
    input_tokens: usages.reduce((sum, each) => sum + each.input_tokens, 0),
    output_tokens: usages.reduce((sum, each) => sum + each.output_tokens, 0),
  };
}
