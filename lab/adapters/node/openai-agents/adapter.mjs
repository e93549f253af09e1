// Lets Loopproof judge the OpenAI Agents SDK for JavaScript, run() with one of its two models: that of Chat Completions,
// or that of Responses, which is its default.
//
//   npm ci && loopproof run -- node adapter.mjs chat
//   npm ci && loopproof run -- node adapter.mjs responses

import { serve, runTool, toolApprovals, versionOf } from '../../../../packages/starters/protocol/node/protocol.mjs';
import { Agent, MaxTurnsExceededError, MCPServerStreamableHttp, OpenAIProvider, programmaticToolCallingTool, Runner, tool, user } from '@openai/agents';

const dialect = process.argv[2] ?? 'chat';
const useResponses = dialect === 'responses';

await serve({
  name: `OpenAI Agents SDK, ${dialect}`,
  version: versionOf('@openai/agents', import.meta.url),
  dialects: [dialect],
  features: [
    'streaming', 'parallel-calls', ...(useResponses ? ['reasoning', 'programmatic-tools'] : []), 'multi-prompt', 'resume-after-failure', 'cancel', 'retries', 'turn-limit', 'usage', 'tool-approvals', 'answer-schema', 'mcp-tools', 'changing-tools',
  ],
  concurrency: 8,
}, converse);

// converse holds the conversation as a user of the SDK would write it by its documentation.
async function converse(task, _, eachPrompt) {
  const modelProvider = new OpenAIProvider({ baseURL: task.base_url, apiKey: task.api_key, useResponses });
  const runner = new Runner({ modelProvider, tracingDisabled: true }); // traces go to OpenAI
  const servers = task.mcp_tools ? [new MCPServerStreamableHttp({ url: task.mcp_url })] : []; // https://openai.github.io/openai-agents-js/guides/mcp/
  for (const server of servers) await server.connect();
  try {
    return await hold(task, eachPrompt, runner, servers);
  } finally {
    for (const server of servers) await server.close();
  }
}

// hold lets an agent with the tools of the task, or with those of servers, answer its prompts.
async function hold(task, eachPrompt, runner, mcpServers) {
  const agent = new Agent({
    name: 'Assistant', instructions: task.system, model: task.model, tools: [...code(task.tools), ...task.tools.map(asTool)], mcpServers,
    ...(task.answer_schema && { outputType: { type: 'json_schema', name: 'answer', strict: true, schema: task.answer_schema } }),
  });
  const usage = { input_tokens: 0, output_tokens: 0 };
  let history = [];
  let last, limit;
  await eachPrompt(async (prompt, signal) => {
    limit = undefined;
    try {
      const options = { stream: task.stream, maxTurns: task.max_turns, signal };
      last = await ask(runner, agent, [...history, user(prompt)], options);
      while (last.interruptions.length) last = await ask(runner, agent, await decide(task, last, signal), options);
    } catch (error) {
      if (!(error instanceof MaxTurnsExceededError)) throw error;
      limit = { status: 'stopped', reason: error.message };
      return false;
    }
    history = last.history;
    usage.input_tokens += last.state.usage.inputTokens;
    usage.output_tokens += last.state.usage.outputTokens;
  });
  if (limit) return limit;
  const finish_reason = finishReason(last);
  const stopped = ['length', 'max_output_tokens', 'content_filter', 'error'].includes(finish_reason);
  const text = typeof last.finalOutput === 'object' ? JSON.stringify(last.finalOutput) : last.finalOutput;
  return { status: stopped ? 'stopped' : 'completed', reason: stopped ? finish_reason : undefined, text, finish_reason, usage };
}

// decide returns the state of an interrupted run with the user's decisions:
// https://openai.github.io/openai-agents-js/guides/human-in-the-loop/
async function decide(task, { interruptions, state }, signal) {
  const calls = interruptions.map(({ name, arguments: args, rawItem }) => ({ id: rawItem.callId, name, arguments: args || '{}' }));
  const decisions = await toolApprovals(task, calls, { signal });
  interruptions.forEach((each, i) => {
    if (decisions[i].approve) state.approve(each);
    else state.reject(each, decisions[i].reason ? { message: decisions[i].reason } : undefined);
  });
  return state;
}

// finishReason returns what the SDK leaves of the finish reason: whole answers are in the result as they came.
function finishReason({ rawResponses }) {
  const answer = rawResponses.at(-1)?.providerData;
  return useResponses ? answer?.incomplete_details?.reason ?? answer?.status : answer?.choices?.[0]?.finish_reason;
}

// ask returns the result of a run that is over. A stream has its error in its promise.
async function ask(runner, agent, input, options) {
  const result = await runner.run(agent, input, options);
  if (!options.stream) return result;
  for await (const _ of result) { /* what happens on the way is not looked at */ }
  await result.completed;
  if (result.cancelled) throw new Error('cancelled'); // a stream that was aborted ends without an error
  return result;
}

// code offers the tool that runs code, if it may call tools: https://openai.github.io/openai-agents-js/guides/tools/
function code(tools) {
  return tools.some((each) => each.programmatic) ? [programmaticToolCallingTool()] : [];
}

// asTool offers a tool of the task to the SDK.
function asTool(each) {
  return tool({
    name: each.name,
    description: each.description,
    parameters: each.parameters,
    strict: false,
    needsApproval: each.needs_approval ?? false,
    ...(each.programmatic && { allowedCallers: ['direct', 'programmatic'] }),
    execute: (input, context, details) =>
      runTool(each, input, { callId: details?.toolCall?.callId, signal: details?.signal }),
  });
}
