// Lets Loopproof judge the versions 5 and 6 of the Vercel AI SDK, for pairs of versions before and after a fix. It is the
// adapter lab/adapters/node/ai-sdk, with the names that these versions have for the same.

import { serve, runTool, versionOf } from '../../../../packages/starters/protocol/node/protocol.mjs';
import { generateText, jsonSchema, stepCountIs, streamText, tool } from 'ai';

const name = process.argv[2];

// Each provider as its documentation sets it up, and the profiles that it is made for.
const providers = {
  'openai-compatible': {
    package: '@ai-sdk/openai-compatible',
    model: ({ createOpenAICompatible }, { base_url, api_key, model }) =>
      createOpenAICompatible({ name: 'loopproof', baseURL: base_url, apiKey: api_key, includeUsage: true })(model),
  },
  'openai-chat': {
    package: '@ai-sdk/openai',
    model: ({ createOpenAI }, { base_url, api_key, model }) => createOpenAI({ baseURL: base_url, apiKey: api_key }).chat(model),
  },
  openai: {
    package: '@ai-sdk/openai',
    claims: { dialects: ['responses'] },
    model: ({ createOpenAI }, { base_url, api_key }) => // whether it reasons depends on the name of the model
      createOpenAI({ baseURL: base_url, apiKey: api_key }).responses('gpt-5'),
  },
  deepseek: {
    package: '@ai-sdk/deepseek',
    claims: { profiles: ['deepseek'] },
    model: ({ createDeepSeek }, { base_url, api_key }) => // what goes back of the reasoning depends on the name of the model
      createDeepSeek({ baseURL: base_url, apiKey: api_key })('deepseek-v4-flash'),
  },
  groq: {
    package: '@ai-sdk/groq',
    claims: { profiles: ['groq'] },
    model: ({ createGroq }, { base_url, api_key, model }) => createGroq({ baseURL: base_url, apiKey: api_key })(model),
  },
  mistral: {
    package: '@ai-sdk/mistral',
    claims: { profiles: ['mistral', 'mistral-reasoning'] },
    model: ({ createMistral }, { base_url, api_key, model }) => createMistral({ baseURL: base_url, apiKey: api_key })(model),
  },
  anthropic: {
    package: '@ai-sdk/anthropic',
    claims: { dialects: ['messages'] },
    model: ({ createAnthropic }, { base_url, api_key }) => // whether it reasons depends on the name of the model
      createAnthropic({ baseURL: `${base_url}/v1`, apiKey: api_key })('claude-sonnet-4-5'),
  },
  google: {
    package: '@ai-sdk/google',
    claims: { dialects: ['gemini'] },
    model: ({ createGoogleGenerativeAI }, { base_url, api_key }) => // what it does about signatures depends on the name of the model
      createGoogleGenerativeAI({ baseURL: `${base_url}/v1beta`, apiKey: api_key })('gemini-3-pro-preview'),
    options: { google: { thinkingConfig: { includeThoughts: true } } },
  },
};

const provider = providers[name];
const library = await import(provider.package); // the others need not be installed

await serve({
  name: `Vercel AI SDK, ${name}`,
  version: `ai ${versionOf('ai', import.meta.url)}, ${provider.package} ${versionOf(provider.package, import.meta.url)}`,
  features: ['streaming', 'parallel-calls', 'reasoning', 'multi-prompt', 'resume-after-failure', 'cancel', 'retries', 'turn-limit', 'usage'],
  concurrency: 8,
  ...provider.claims,
}, converse);

// converse holds the conversation as a user of the SDK would write it by its documentation.
async function converse(task, _, eachPrompt) {
  const model = provider.model(library, task);
  const usage = { input_tokens: 0, output_tokens: 0 };
  const messages = [];
  let last;
  await eachPrompt(async (prompt, signal) => {
    messages.push({ role: 'user', content: prompt });
    last = await ask(task.stream, {
      model,
      system: task.system,
      messages,
      tools: Object.fromEntries(task.tools.map((each) => [each.name, asTool(each)])),
      stopWhen: stepCountIs(task.max_turns),
      abortSignal: signal,
      providerOptions: provider.options,
    });
    usage.input_tokens += last.usage.inputTokens ?? 0;
    usage.output_tokens += last.usage.outputTokens ?? 0;
    messages.push(...last.response.messages); // the documentation adds them whatever the finish reason is
    return !reasonToStop(last); // else there is no answer that the user could go on from
  });
  const reason = reasonToStop(last);
  return { status: reason ? 'stopped' : 'completed', text: last.text, reason, finish_reason: last.rawFinishReason, usage };
}

// ask returns what is left of generateText or streamText at their end. A stream that fails has an error among its parts.
async function ask(stream, settings) {
  if (!stream) return generateText(settings);
  const over = new AbortController(); // behind an error that the user is told of, the SDK goes on by itself
  const result = streamText({ ...settings, abortSignal: AbortSignal.any([settings.abortSignal, over.signal]), onError() {} });
  for await (const part of result.fullStream) {
    if (part.type === 'error') over.abort();
    if (part.type === 'error') throw part.error;
    if (part.type === 'abort') throw new Error('aborted');
  }
  const [text, finishReason, rawFinishReason, usage, response] = await Promise.all(
    [result.text, result.finishReason, result.rawFinishReason, result.usage, result.response]);
  return { text, finishReason, rawFinishReason, usage, response };
}

// asTool offers a tool of the task to the SDK.
function asTool(each) {
  return tool({
    description: each.description,
    inputSchema: jsonSchema(each.parameters),
    execute: (input, { toolCallId, abortSignal }) => runTool(each, input, { callId: toolCallId, signal: abortSignal }),
  });
}

// reasonToStop returns why the last step is no answer, or undefined, from the finish reason that the SDK reports.
function reasonToStop({ finishReason, rawFinishReason }) {
  if (finishReason === 'tool-calls') return 'turn limit';
  if (['length', 'content-filter', 'error', 'interrupted'].includes(finishReason)) return finishReason;
  if (rawFinishReason === 'error') return rawFinishReason;
}
