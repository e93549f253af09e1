// Lets Loopproof judge chat() of TanStack AI, with its adapter for OpenAI's Chat Completions and its client.
//
//   npm ci && loopproof run -- node adapter.mjs

import { serve, runTool, versionOf } from '../../../../packages/starters/protocol/node/protocol.mjs';
import { chat, maxIterations, toolDefinition } from '@tanstack/ai';
import { ChatClient, stream } from '@tanstack/ai-client';
import { createOpenaiChatCompletions } from '@tanstack/ai-openai';

await serve({
  name: 'TanStack AI',
  version: versionOf('@tanstack/ai', import.meta.url),
  features: ['streaming', 'parallel-calls', 'multi-prompt', 'resume-after-failure', 'cancel', 'retries', 'turn-limit', 'usage'],
  profiles: ['openai'],
  deliveries: ['sse*'], // it always streams
  concurrency: 8,
}, converse);

// converse holds the conversation as the documentation shows it: the client has the messages, and chat() answers them.
// https://tanstack.com/ai/latest/docs/api/ai-client
async function converse(task, _, eachPrompt) {
  const usage = { input_tokens: 0, output_tokens: 0 };
  let finish;
  const client = new ChatClient({
    connection: stream((messages, __, signal) => answers(task, messages, signal)),
    onChunk: (chunk) => {
      if (chunk.type !== 'RUN_FINISHED') return;
      finish = chunk.finishReason;
      usage.input_tokens += chunk.usage?.promptTokens ?? 0;
      usage.output_tokens += chunk.usage?.completionTokens ?? 0;
    },
  });
  await eachPrompt(async (prompt, signal) => {
    finish = undefined;
    signal.addEventListener('abort', () => client.stop(), { once: true });
    await client.sendMessage(prompt);
    signal.throwIfAborted();
    if (client.getStatus() === 'error') throw client.getError();
    return finish === 'stop'; // else there is no answer that the user could go on from
  });
  const text = textOf(client.getMessages().at(-1));
  return { status: finish === 'stop' ? 'completed' : 'stopped', text, reason: finish === 'tool_calls' ? 'turn limit' : finish, finish_reason: finish, usage };
}

function answers(task, messages, signal) {
  const abortController = new AbortController();
  signal?.addEventListener('abort', () => abortController.abort(), { once: true });
  return chat({
    adapter: createOpenaiChatCompletions(task.model, task.api_key, { baseURL: task.base_url }),
    messages,
    systemPrompts: task.system ? [task.system] : [],
    tools: task.tools.map(asTool),
    agentLoopStrategy: maxIterations(task.max_turns),
    abortController,
  });
}

// asTool offers a tool of the task to chat(). What it throws goes to the model.
function asTool(each) {
  return toolDefinition({ name: each.name, description: each.description, inputSchema: each.parameters })
    .server((args, { toolCallId, abortSignal }) => runTool(each, args, { callId: toolCallId, signal: abortSignal }));
}

// textOf is the text behind the last tool result of a message, which has all turns of an answer.
function textOf(message) {
  if (message?.role !== 'assistant') return '';
  const last = message.parts.findLastIndex((part) => part.type === 'tool-call' || part.type === 'tool-result');
  return message.parts.slice(last + 1).filter((part) => part.type === 'text').map((part) => part.content).join('');
}
