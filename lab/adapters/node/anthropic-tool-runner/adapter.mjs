// Lets Loopproof judge toolRunner, the agent loop of the official @anthropic-ai/sdk package, over the Messages API.
//
//   npm ci && loopproof run -- node adapter.mjs
//   loopproof run -- node adapter.mjs --no-threads
//   loopproof run -- node adapter.mjs anthropic-vertex   # or anthropic-bedrock: through the client of that cloud

import { onPrompt, runTool, serve, versionOf } from '../../../../packages/starters/protocol/node/protocol.mjs';
import { AnthropicBedrock } from '@anthropic-ai/bedrock-sdk';
import Anthropic from '@anthropic-ai/sdk';
import { betaJSONSchemaOutputFormat, betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema';
import { mcpTools } from '@anthropic-ai/sdk/helpers/beta/mcp';
import { AnthropicVertex } from '@anthropic-ai/vertex-sdk';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { OAuth2Client } from 'google-auth-library';

const noThreads = process.argv.includes('--no-threads');
const codeExecution = 'code_execution_20260120';

// clouds are the clients of the clouds, by the profiles that play these.
const clouds = {
  'anthropic-vertex': ({ base_url, api_key }) => new AnthropicVertex({ baseURL: `${base_url}/v1`, region: 'global', projectId: 'loopproof', authClient: withToken(api_key) }),
  'anthropic-bedrock': ({ base_url, api_key }) => new AnthropicBedrock({ baseURL: base_url, apiKey: api_key }),
};
const claimed = process.argv.filter((each) => each in clouds);

await serve({
  name: 'Anthropic toolRunner (TypeScript)', version: versionOf('@anthropic-ai/sdk', import.meta.url), dialects: ['messages'],
  features: ['streaming', 'parallel-calls', 'reasoning', 'multi-prompt', 'resume-after-failure', 'cancel', 'retries', 'turn-limit', 'usage', 'images', 'steering', 'answer-schema', 'server-tools', 'server-compaction', 'model-switch', 'mcp-tools', 'programmatic-tools'],
  concurrency: 8,
  ...(claimed.length > 0 && { profiles: claimed }),
}, converse);

// converse holds the conversation as the SDK's documentation shows it. By default the runner wants the server to keep the
// history, and sends it with each request to one that does not; thread: false never asks. Its history is params.messages.
async function converse(task, _, eachPrompt) {
  if (!task.mcp_tools) return hold(task, eachPrompt, toolsOf(task));
  const server = new Client({ name: 'loopproof', version: '1.0.0' });
  await server.connect(new StreamableHTTPClientTransport(new URL(task.mcp_url)));
  try {
    const { tools } = await server.listTools();
    return await hold(task, eachPrompt, mcpTools(tools, server)); // the SDK's helpers for MCP
  } finally {
    await server.close();
  }
}

// hold lets the runner answer the prompts of a task.
async function hold(task, eachPrompt, tools) {
  const client = clouds[task.profile]?.(task) ?? new Anthropic({ baseURL: task.base_url, apiKey: task.api_key });
  const usage = { input_tokens: 0, output_tokens: 0 };
  let messages = [];
  let last;
  let number = 0;
  await eachPrompt(async (prompt, signal) => {
    const runner = client.beta.messages.toolRunner({
      model: task.prompt_models?.[number++] ?? task.model,
      max_tokens: 16000,
      ...(task.system && { system: task.system }),
      messages: [...messages, { role: 'user', content: prompt }],
      tools,
      thinking: thinkingFor(task.profile),
      ...(task.answer_schema && { output_config: { format: betaJSONSchemaOutputFormat(task.answer_schema) } }),
      ...compacting(task.compact_threshold),
      stream: task.stream,
      max_iterations: task.max_turns,
      ...(noThreads && { thread: false }),
    }, { signal });
    if (task.steering) onPrompt((text) => runner.pushMessages({ role: 'user', content: text }));
    for await (const item of runner) {
      last = task.stream ? await item.finalMessage() : item;
      usage.input_tokens += last.usage.input_tokens;
      usage.output_tokens += last.usage.output_tokens;
    }
    if (reasonToStop(last)) return false; // there is no answer that the user could go on from
    messages = runner.params.messages;
  });
  return report(last, usage);
}

// withToken returns what has a token of Google already.
function withToken(token) {
  const client = new OAuth2Client();
  client.setCredentials({ access_token: token });
  return client;
}

// thinkingFor asks for the model's reasoning in the way of its generation.
function thinkingFor(profile) {
  return profile === 'anthropic-4.5' ? { type: 'enabled', budget_tokens: 4000 } : { type: 'adaptive' };
}

// compacting lets the provider make the history shorter: https://platform.claude.com/docs/en/build-with-claude/compaction
function compacting(threshold) {
  if (!threshold) return {};
  const edit = { type: 'compact_20260112', trigger: { type: 'input_tokens', value: threshold } };
  return { context_management: { edits: [edit] }, betas: ['compact-2026-01-12'] };
}

// toolsOf offers the tools of the task, and one that runs code if code may call them:
// https://platform.claude.com/docs/en/agents-and-tools/tool-use/programmatic-tool-calling
function toolsOf({ tools }) {
  const code = tools.some((each) => each.programmatic) ? [{ type: codeExecution, name: 'code_execution' }] : [];
  return [...code, ...tools.map(asTool)];
}

// asTool offers a tool of the task to the loop, which tells a tool the call that it serves.
function asTool({ name, description, parameters, url, programmatic }) {
  const run = async (args, { toolUse, signal }) => {
    const result = await runTool({ url }, args, { callId: toolUse.id, signal });
    if (typeof result === 'string') return result;
    return [{ type: 'image', source: { type: 'base64', media_type: result.mediaType, data: result.data } }];
  };
  return betaTool({ name, description, inputSchema: parameters, run, ...(programmatic && { allowed_callers: ['direct', codeExecution] }) });
}

// report says how the conversation ended, in the words of the loop: from what it returned, not from what we know better.
function report(message, usage) {
  const reason = reasonToStop(message);
  const text = message.content.filter((block) => block.type === 'text').map((block) => block.text).join('');
  return { status: reason ? 'stopped' : 'completed', text, reason, finish_reason: message.stop_reason ?? undefined, usage };
}

// reasonToStop returns why the last turn of the model is no answer, or undefined. After max_iterations, the runner
// returns the last turn that it got, which asks for tools.
function reasonToStop({ content, stop_reason }) {
  if (['max_tokens', 'refusal', 'model_context_window_exceeded', 'pause_turn'].includes(stop_reason)) return stop_reason;
  if (stop_reason === 'tool_use' && content.some((block) => block.type === 'tool_use')) return 'turn limit';
}
