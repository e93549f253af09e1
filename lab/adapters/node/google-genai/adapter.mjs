// Lets Loopproof judge the automatic function calling of the official @google/genai package, as a chat does it.
//
//   npm ci && loopproof run -- node adapter.mjs

import { serve, runTool, versionOf } from '../../../../packages/starters/protocol/node/protocol.mjs';
import { FinishReason, GoogleGenAI } from '@google/genai';

await serve({
  name: '@google/genai automatic function calling',
  version: versionOf('@google/genai', import.meta.url),
  dialects: ['gemini'],
  features: ['streaming', 'parallel-calls', 'reasoning', 'multi-prompt', 'resume-after-failure', 'cancel', 'retries', 'turn-limit', 'images'],
  concurrency: 8,
}, converse);

// converse holds the conversation as a user of the SDK would write it by its documentation. Without retryOptions the
// client does not try again.
async function converse(task, _, eachPrompt) {
  const httpOptions = { baseUrl: task.base_url, retryOptions: { initialDelay: 0.2 } };
  const vertexai = task.profile === 'vertex'; // with a key alone, in what Google calls the express mode
  const chat = new GoogleGenAI({ vertexai, apiKey: task.api_key, httpOptions }).chats.create({ model: task.model });
  let last;
  await eachPrompt(async (prompt, signal) => {
    const config = {
      systemInstruction: task.system,
      thinkingConfig: { includeThoughts: true },
      tools: task.tools.length > 0 ? [asTool(task.tools, signal)] : undefined,
      automaticFunctionCalling: { maximumRemoteCalls: task.max_turns },
      abortSignal: signal,
    };
    last = report(await ask(chat, task.stream, { message: prompt, config }));
    return last.status === 'completed'; // else there is no answer that the user could go on from
  });
  return last;
}

async function ask(chat, stream, params) {
  if (!stream) return [await chat.sendMessage(params)];
  const chunks = [];
  for await (const chunk of await chat.sendMessageStream(params)) chunks.push(chunk);
  return chunks;
}

// asTool offers the tools of the task to the SDK: a CallableTool, which runs calls and returns the parts that answer them.
function asTool(tools, signal) {
  return {
    tool: async () => ({
      functionDeclarations: tools.map(({ name, description, parameters }) => ({ name, description, parametersJsonSchema: parameters })),
    }),
    callTool: (calls) => Promise.all(calls.map((call) => answer(tools, call, signal))),
  };
}

async function answer(tools, { id, name, args }, signal) {
  const said = { id, name };
  try {
    const tool = tools.find((each) => each.name === name);
    if (!tool) throw new Error(`there is no tool ${name}`);
    const result = await runTool(tool, args ?? {}, { callId: id, signal });
    if (typeof result === 'string') {
      said.response = { output: result };
    } else {
      said.response = { output: 'the image' };
      said.parts = [{ inlineData: { mimeType: result.mediaType, data: result.data } }];
    }
  } catch (error) {
    said.response = { error: String(error) };
  }
  return { functionResponse: said };
}

// report says how a prompt ended, by what the SDK returned: the chunks of a stream are those of all its turns.
function report(chunks) {
  const blocked = chunks.map((chunk) => chunk.promptFeedback?.blockReason).find(Boolean);
  if (blocked) return { status: 'stopped', reason: `the prompt was blocked: ${blocked}` };
  const candidates = lastTurn(chunks).map((chunk) => chunk.candidates?.[0]).filter(Boolean);
  const reason = candidates.map(({ finishReason }) => finishReason).findLast(Boolean);
  const parts = candidates.filter(({ content }) => content?.role !== 'user').flatMap(({ content }) => content?.parts ?? []);
  const text = parts.filter((part) => part.text && !part.thought).map((part) => part.text).join('');
  if (!reason) throw new Error('the answer has no finish reason');
  if (reason !== FinishReason.STOP) return { status: 'stopped', reason, text, finish_reason: reason };
  if (parts.some((part) => part.functionCall)) return { status: 'stopped', reason: 'turn limit', finish_reason: reason };
  return { status: 'completed', text, finish_reason: reason };
}

// lastTurn returns the chunks behind the one that ended the turn before, or that has its results, since a turn may break off.
// Chunks that only count tokens may follow the last one.
function lastTurn(chunks) {
  const said = chunks.filter((chunk) => chunk.candidates?.length);
  const ends = ({ candidates: [candidate] }) => candidate.finishReason || candidate.content?.role === 'user';
  return said.slice(said.slice(0, -1).findLastIndex(ends) + 1);
}
