import { test as base } from "loopproof/vitest";
import OpenAI from "openai";
import { expect } from "vitest";

const test = base.extend({ runOptions: { profile: "openai-responses" } });
const client = ({ baseURL, apiKey }) => new OpenAI({ baseURL, apiKey });

const ask = (model, input, options) => model.responses.create({
  model: "gpt-5", input, ...options,
  tools: [{ type: "function", name: "get_weather", strict: false, parameters: { type: "object", properties: { city: { type: "string" } } } }],
});

test.concurrent("looks the weather up", async ({ loopproof }) => {
  const model = client(loopproof);
  const asked = await ask(model, "What is the weather in Oslo?");
  const { call_id } = asked.output.find((item) => item.type === "function_call");
  const result = { type: "function_call_output", call_id, output: '{"city":"Oslo","degrees":4}' };
  expect((await ask(model, [result], { previous_response_id: asked.id })).output_text).toBe("It is 4 degrees in Oslo.");
});

test.concurrent("keeps the history itself", async ({ loopproof }) => {
  const model = client(loopproof);
  const alone = { store: false, include: ["reasoning.encrypted_content"] };
  const history = [{ role: "user", content: "What is the weather in Lima?" }];
  history.push(...(await ask(model, history, alone)).output);
  history.push({ type: "function_call_output", call_id: history.at(-1).call_id, output: '{"city":"Lima","degrees":19}' });
  expect((await ask(model, history, alone)).output_text).toBe("It is 19 degrees in Lima.");
});

test.concurrent("lives through an overload", async ({ newRun }) => {
  const model = client(await newRun({ behaviour: { faults: [{ status: 503, times: 2 }] } }));
  expect((await ask(model, "Sing.")).output_text).toBe("I only know about the weather.");
});
