// A plain loop over @aws-sdk/client-bedrock-runtime, AWS's SDK for JavaScript, which reads what the mock provider sends in Converse and
// ConverseStream.
//
//   selfcheck/clients-check   # installs it, and plays it
//
// The SDK checks the length and the checksums of each message of a stream, and throws where it ends within one. The loop is
// written from the documentation: https://docs.aws.amazon.com/bedrock/latest/userguide/tool-use-inference-call.html

import { createRequire } from 'node:module';
import { runTool, serve } from '../../packages/starters/protocol/node/protocol.mjs';

const installed = createRequire(`${process.argv[2] ?? process.cwd()}/`); // the folder in which the SDK is installed
const { BedrockRuntimeClient, ConverseCommand, ConverseStreamCommand } = installed('@aws-sdk/client-bedrock-runtime');
const { NodeHttpHandler } = installed('@smithy/node-http-handler');

const broken = 'INVALID_JSON';

await serve({
  name: 'AWS SDK for JavaScript', version: installed('@aws-sdk/client-bedrock-runtime/package.json').version, dialects: ['converse'],
  profiles: ['bedrock-claude', 'bedrock-nova'],
  features: ['streaming', 'parallel-calls', 'reasoning', 'multi-prompt', 'turn-limit', 'usage'],
  concurrency: 8,
}, converse);

async function converse(task, _, eachPrompt) {
  const client = new BedrockRuntimeClient({
    endpoint: task.base_url, region: 'us-east-1', maxAttempts: 3,
    credentials: { accessKeyId: 'any', secretAccessKey: task.api_key },
    requestHandler: new NodeHttpHandler({ requestTimeout: 20_000 }), // by default it speaks HTTP/2
  });
  const messages = [];
  const usage = { input_tokens: 0, output_tokens: 0 };
  let outcome;
  await eachPrompt(async (prompt) => {
    messages.push({ role: 'user', content: [{ text: prompt }] });
    for (let turns = 0; ; turns++) {
      if (turns === (task.max_turns ?? 50)) {
        outcome = { status: 'stopped', reason: 'too many turns', usage };
        return false;
      }
      const { message, stop, counted } = await ask(client, task, messages);
      usage.input_tokens += counted?.inputTokens ?? 0;
      usage.output_tokens += counted?.outputTokens ?? 0;
      const text = message.content.map((block) => block.text ?? '').join('');
      if (!['tool_use', 'end_turn', 'stop_sequence'].includes(stop)) {
        outcome = { status: 'stopped', reason: stop, text, usage };
        return false;
      }
      message.content = message.content.filter((block) => block.text === undefined || block.text.trim()); // which is refused
      if (message.content.length > 0) messages.push(message);
      const calls = message.content.filter((block) => block.toolUse);
      if (calls.length === 0) {
        if (!text.trim()) throw new Error('the model has not said anything');
        outcome = { status: 'completed', text, usage };
        return true;
      }
      messages.push({ role: 'user', content: await Promise.all(calls.map(({ toolUse }) => answer(task, toolUse))) });
    }
  });
  return outcome;
}

async function ask(client, task, messages) {
  const request = {
    modelId: task.model, messages, additionalModelRequestFields: { thinking: { type: 'adaptive' } },
    ...(task.system && { system: [{ text: task.system }] }),
    ...(task.tools?.length && {
      toolConfig: { tools: task.tools.map(({ name, description, parameters }) => ({ toolSpec: { name, description, inputSchema: { json: parameters } } })) },
    }),
  };
  if (!task.stream) {
    const said = await client.send(new ConverseCommand(request));
    if (!said.output?.message?.content) throw new Error('an answer without a message');
    return { message: said.output.message, stop: said.stopReason, counted: said.usage };
  }
  return putTogether((await client.send(new ConverseStreamCommand(request))).stream);
}

// putTogether makes a message of the blocks by their indexes, of which only those of calls have a start.
async function putTogether(stream) {
  const blocks = new Map();
  const at = (index) => blocks.get(index) ?? blocks.set(index, {}).get(index);
  let stop;
  let counted;
  for await (const event of stream) {
    if (event.contentBlockStart?.start.toolUse) at(event.contentBlockStart.contentBlockIndex).toolUse = { ...event.contentBlockStart.start.toolUse, input: '' };
    if (event.contentBlockDelta) grow(at(event.contentBlockDelta.contentBlockIndex), event.contentBlockDelta.delta);
    if (event.messageStop) stop = event.messageStop.stopReason;
    if (event.metadata) counted = event.metadata.usage;
  }
  if (!stop) throw new Error('the stream ended before the message did');
  const content = [...blocks].sort(([a], [b]) => a - b).map(([, block]) => block);
  for (const { toolUse } of content) if (toolUse) toolUse.input = read(toolUse.input);
  return { message: { role: 'assistant', content }, stop, counted };
}

function grow(block, { text, toolUse, reasoningContent }) {
  if (text !== undefined) block.text = (block.text ?? '') + text;
  if (toolUse) block.toolUse.input += toolUse.input;
  if (reasoningContent?.redactedContent) block.reasoningContent = reasoningContent;
  else if (reasoningContent) {
    block.reasoningContent ??= { reasoningText: { text: '' } };
    const said = block.reasoningContent.reasoningText;
    for (const [key, more] of Object.entries(reasoningContent)) said[key] = (said[key] ?? '') + more;
  }
}

// read reads the input of a call. What is none goes back within an object, for the model to see what it wrote.
function read(written) {
  try {
    const value = JSON.parse(written || '{}');
    if (value && typeof value === 'object' && !Array.isArray(value)) return value;
  } catch {}
  return { [broken]: written };
}

async function answer(task, { toolUseId, name, input }) {
  const said = (text, status) => ({ toolResult: { toolUseId, content: text.trim() ? [{ text }] : [], ...(status && { status }) } });
  const tool = task.tools.find((each) => each.name === name);
  if (!tool) return said(`There is no tool ${name}.`, 'error');
  if (broken in input) return said('The input is not a JSON object.', 'error');
  try {
    return said(await runTool(tool, input, { callId: toolUseId }));
  } catch (error) {
    return said(`Error: ${error.message}`, 'error');
  }
}
