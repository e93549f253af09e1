// Lets Loopproof judge the tool loop of Genkit, generate and generateStream, with its plugin for the Gemini API.
//
//   npm ci && loopproof run -- node adapter.mjs

import { serve, runTool, versionOf } from '../../../../packages/starters/protocol/node/protocol.mjs';
import { googleAI } from '@genkit-ai/google-genai';
import { genkit } from 'genkit';
import { retry } from 'genkit/model/middleware';
import { dynamicTool } from 'genkit/tool';

await serve({
  name: 'Genkit',
  version: `genkit ${versionOf('genkit', import.meta.url)}, @genkit-ai/google-genai ${versionOf('@genkit-ai/google-genai', import.meta.url)}`,
  dialects: ['gemini'],
  features: ['streaming', 'parallel-calls', 'reasoning', 'multi-prompt', 'resume-after-failure', 'cancel', 'retries', 'turn-limit'],
  concurrency: 8,
}, converse);

// converse holds the conversation as a user of Genkit would write it by its documentation.
async function converse(task, _, eachPrompt) {
  const ai = genkit({ plugins: [googleAI({ apiKey: task.api_key, baseUrl: task.base_url })] });
  let messages = [];
  let last;
  await eachPrompt(async (prompt, signal) => {
    last = await ask(ai, task.stream, {
      model: googleAI.model(task.model),
      system: messages.length === 0 ? task.system : undefined, // it stands in the history then
      messages,
      prompt,
      tools: task.tools.map((each) => asTool(each, signal)),
      maxTurns: task.max_turns - 1, // the calls that may be followed by another answer
      config: { thinkingConfig: { includeThoughts: true } },
      use: [retry({ initialDelayMs: 200, noJitter: true })],
      abortSignal: signal,
    });
    if (last.status) return false;
    messages = last.messages;
    return !reasonToStop(last); // else there is no answer that the user could go on from
  });
  if (last.status) return last;
  const reason = reasonToStop(last);
  return { status: reason ? 'stopped' : 'completed', text: last.text, reason, finish_reason: last.finishReason };
}

// ask returns the response, or how the run was stopped.
async function ask(ai, stream, options) {
  try {
    if (!stream) return await ai.generate(options);
    const { stream: chunks, response } = ai.generateStream(options);
    response.catch(() => {}); // it is awaited behind the chunks
    for await (const _ of chunks); // eslint-disable-line no-empty
    return await response;
  } catch (error) {
    if (/^ABORTED: Exceeded maximum tool call iterations/.test(error.message)) return { status: 'stopped', reason: error.message };
    throw error;
  }
}

function asTool(each, signal) {
  return dynamicTool(
    { name: each.name, description: each.description, inputJsonSchema: each.parameters },
    (input) => runTool(each, input, { signal }));
}

function reasonToStop({ finishReason, finishMessage }) {
  if (finishReason !== 'stop') return finishMessage ?? finishReason;
}
