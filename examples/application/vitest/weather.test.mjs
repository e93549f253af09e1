import { expect, test } from "vitest";
import { modelFor } from "./mock.mjs";

const ask = (model, messages) => model.chat.completions.create({
  model: "gpt-5", messages,
  tools: [{ type: "function", function: { name: "get_weather", parameters: { type: "object", properties: { city: { type: "string" } } } } }],
});

test.concurrent("looks the weather up", async () => {
  const model = await modelFor();
  const messages = [{ role: "user", content: "What is the weather in Oslo?" }];
  const asked = (await ask(model, messages)).choices[0].message;
  messages.push(asked, { role: "tool", tool_call_id: asked.tool_calls[0].id, content: '{"city":"Oslo","degrees":4}' });
  expect((await ask(model, messages)).choices[0].message.content).toBe("It is 4 degrees in Oslo.");
});

test.concurrent("lives through an overload", async () => {
  const model = await modelFor({ faults: [{ status: 503, times: 2 }] });
  const answer = await ask(model, [{ role: "user", content: "Sing." }]);
  expect(answer.choices[0].message.content).toBe("I only know about the weather.");
});
