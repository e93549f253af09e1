// Lets clients in JavaScript use a mock server by its base URL alone, and prints a line for each: what went wrong.
// node clients.mjs BASE BELOW: BELOW is a JSON object, an API to the path below which the server has it.
import { readFileSync } from "node:fs";
import Anthropic from "@anthropic-ai/sdk";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createGoogleGenerativeAI } from "@ai-sdk/google";
import { createOpenAI } from "@ai-sdk/openai";
import { GoogleGenAI } from "@google/genai";
import { tool as langchainTool } from "@langchain/core/tools";
import { HumanMessage, ToolMessage } from "@langchain/core/messages";
import { ChatAnthropic } from "@langchain/anthropic";
import { ChatOpenAI } from "@langchain/openai";
import { generateText, stepCountIs, streamText, tool } from "ai";
import OpenAI from "openai";
import { z } from "zod";

globalThis.AI_SDK_LOG_WARNINGS = false; // else it prints them among the lines
const base = process.argv[2], below = JSON.parse(process.argv[3]) ?? {};
const url = (api) => base + (below[api] ?? "");
const openaiURL = url("OpenAI") + "/v1", key = "sk-test";
const city = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const fn = { name: "get_weather", description: "The weather in a city.", parameters: city };
const hello = [{ role: "user", content: "hello" }];
const joined = async (stream, part) => { let all = ""; for await (const x of stream) all += part(x) ?? ""; return all; };

function chat() {
  const c = new OpenAI({ baseURL: openaiURL, apiKey: key, maxRetries: 0 }).chat.completions;
  const tools = [{ type: "function", function: fn }], of = { model: "gpt-5", messages: hello };
  return {
    text: async () => (await c.create(of)).choices[0].message.content,
    stream: async () => joined(await c.create({ ...of, stream: true }), (x) => x.choices[0]?.delta.content),
    tools: async () => {
      const m = (await c.create({ ...of, tools })).choices[0].message;
      JSON.parse(m.tool_calls[0].function.arguments).city.length;
      return (await c.create({ ...of, tools, messages: [...hello, m, { role: "tool", tool_call_id: m.tool_calls[0].id, content: "4 C" }] })).choices[0].message.content;
    },
    "streamed tools": async () => JSON.parse(await joined(await c.create({ ...of, tools, stream: true }), (x) => x.choices[0]?.delta.tool_calls?.[0].function.arguments)).city,
  };
}

function responses() {
  const c = new OpenAI({ baseURL: openaiURL, apiKey: key, maxRetries: 0 }).responses;
  const tools = [{ type: "function", strict: false, ...fn }], of = { model: "gpt-5", input: hello };
  const call = (r) => r.output.find((x) => x.type === "function_call");
  return {
    text: async () => (await c.create(of)).output_text,
    stream: async () => (await c.stream(of).finalResponse()).output_text,
    tools: async () => {
      const asked = call(await c.create({ ...of, tools }));
      JSON.parse(asked.arguments).city.length;
      return (await c.create({ ...of, tools, input: [...hello, asked, { type: "function_call_output", call_id: asked.call_id, output: "4 C" }] })).output_text;
    },
    "streamed tools": async () => JSON.parse(call(await c.stream({ ...of, tools }).finalResponse()).arguments).city,
  };
}

function anthropic() {
  const c = new Anthropic({ baseURL: url("Anthropic"), apiKey: key, maxRetries: 0 }).messages;
  const tools = [{ name: "get_weather", input_schema: city }], of = { model: "claude-sonnet-4-5", max_tokens: 99, messages: hello };
  const call = (m) => m.content.find((b) => b.type === "tool_use");
  return {
    text: async () => (await c.create(of)).content[0].text,
    stream: async () => c.stream(of).finalText(),
    tools: async () => {
      const m = await c.create({ ...of, tools });
      call(m).input.city.length;
      return (await c.create({ ...of, tools, messages: [...hello, { role: "assistant", content: m.content }, { role: "user", content: [{ type: "tool_result", tool_use_id: call(m).id, content: "4 C" }] }] })).content[0].text;
    },
    "streamed tools": async () => call(await c.stream({ ...of, tools }).finalMessage()).input.city,
  };
}

function google() {
  const c = new GoogleGenAI({ apiKey: key, httpOptions: { baseUrl: url("Gemini") } }).models, of = { model: "gemini-3-pro", contents: "hello" };
  const config = { tools: [{ functionDeclarations: [{ name: fn.name, description: fn.description, parametersJsonSchema: city }] }] };
  return {
    text: async () => (await c.generateContent(of)).text,
    stream: async () => joined(await c.generateContentStream(of), (x) => x.text),
    tools: async () => {
      const m = await c.generateContent({ ...of, config }), call = m.functionCalls[0];
      call.args.city.length;
      const contents = [{ role: "user", parts: [{ text: "hello" }] }, m.candidates[0].content, { role: "user", parts: [{ functionResponse: { id: call.id, name: call.name, response: { output: "4 C" } } }] }];
      return (await c.generateContent({ ...of, config, contents })).text;
    },
    "streamed tools": async () => joined(await c.generateContentStream({ ...of, config }), (x) => x.functionCalls?.[0].args.city),
  };
}

function aiSDK(model) {
  const tools = { get_weather: tool({ description: fn.description, inputSchema: z.object({ city: z.string() }), execute: async () => "4 C" }) };
  const of = { model, prompt: "hello", maxRetries: 0 }, loop = { ...of, tools, stopWhen: stepCountIs(3) };
  const ran = (steps, text) => (steps.some((s) => s.toolResults.length) ? text : "");
  return {
    text: async () => (await generateText(of)).text,
    stream: async () => joined(streamText({ ...of, onError() {} }).textStream, (x) => x),
    tools: async () => { const r = await generateText(loop); return ran(r.steps, r.text); },
    "streamed tools": async () => { const r = streamText({ ...loop, onError() {} }); return ran(await r.steps, await r.text); },
  };
}

function langchain(model) {
  const bound = model.bindTools([langchainTool(() => "4 C", { name: fn.name, description: fn.description, schema: z.object({ city: z.string() }) })]);
  return {
    text: async () => (await model.invoke("hello")).text,
    stream: async () => joined(await model.stream("hello"), (x) => x.text),
    tools: async () => {
      const a = await bound.invoke("hello"), call = a.tool_calls[0];
      call.args.city.length;
      return (await bound.invoke([new HumanMessage("hello"), a, new ToolMessage({ content: "4 C", tool_call_id: call.id })])).text;
    },
    "streamed tools": async () => { let all; for await (const x of await bound.stream("hello")) all = all ? all.concat(x) : x; return all.tool_calls[0].args.city; },
  };
}

const ai = { baseURL: openaiURL, apiKey: key };
const clients = {
  "openai, chat": ["openai", chat],
  "openai, responses": ["openai", responses],
  "@anthropic-ai/sdk": ["@anthropic-ai/sdk", anthropic],
  "@google/genai": ["@google/genai", google],
  "AI SDK, chat": ["ai", () => aiSDK(createOpenAI(ai).chat("gpt-5"))],
  "AI SDK, Responses": ["ai", () => aiSDK(createOpenAI(ai)("gpt-5"))],
  "AI SDK, Anthropic": ["ai", () => aiSDK(createAnthropic({ baseURL: url("Anthropic") + "/v1", apiKey: key })("claude-sonnet-4-5"))],
  "AI SDK, Google": ["ai", () => aiSDK(createGoogleGenerativeAI({ baseURL: url("Gemini") + "/v1beta", apiKey: key })("gemini-3-pro"))],
  "LangChain, OpenAI": ["@langchain/openai", () => langchain(new ChatOpenAI({ model: "gpt-5", apiKey: key, maxRetries: 0, configuration: { baseURL: openaiURL } }))],
  "LangChain, Anthropic": ["@langchain/anthropic", () => langchain(new ChatAnthropic({ model: "claude-sonnet-4-5", apiKey: key, maxRetries: 0, anthropicApiUrl: url("Anthropic") }))],
};
const version = (name) => JSON.parse(readFileSync(new URL(`./node_modules/${name}/package.json`, import.meta.url))).version;
process.on("unhandledRejection", () => {});
for (const [client, [name, make]] of Object.entries(clients)) {
  const wrong = {};
  for (const what of ["text", "stream", "tools", "streamed tools"]) {
    try {
      wrong[what] = (await make()[what]()) ? "" : "nothing came";
    } catch (e) {
      wrong[what] = `${e.name}: ${e.message}`.slice(0, 200);
    }
  }
  console.log(JSON.stringify({ client, version: version(name), wrong }));
}
process.exit(0);
