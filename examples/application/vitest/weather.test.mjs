import { test } from "loopproof/vitest";
import OpenAI from "openai";
import { expect } from "vitest";

const client = ({ baseURL, apiKey }) => new OpenAI({ baseURL, apiKey });

const ask = (model, messages) => model.chat.completions.create({
  model: "gpt-5", messages,
  tools: [{ type: "function", function: { name: "get_weather", parameters: { type: "object", properties: { city: { type: "string" } } } } }],
});

test.concurrent("looks the weather up", async ({ loopproof }) => {
  const model = client(loopproof);
  const messages = [{ role: "user", content: "What is the weather in Oslo?" }];
  const asked = (await ask(model, messages)).choices[0].message;
  messages.push(asked, { role: "tool", tool_call_id: asked.tool_calls[0].id, content: '{"city":"Oslo","degrees":4}' });
  expect((await ask(model, messages)).choices[0].message.content).toBe("It is 4 degrees in Oslo.");
  await loopproof.assertRequest({ tool: "get_weather", result: "Oslo", count: 1 });
});

test.concurrent("lives through an overload", async ({ newRun }) => {
  const model = client(await newRun({ behaviour: { faults: [{ status: 503, times: 2 }] } }));
  const answer = await ask(model, [{ role: "user", content: "Sing." }]);
  expect(answer.choices[0].message.content).toBe("I only know about the weather.");
});
