import { GoogleGenAI } from "@google/genai";
import { test as base } from "loopproof/vitest";
import { expect } from "vitest";

const test = base.extend({ runOptions: { profile: "gemini-3" } });
const client = ({ baseURL, apiKey }) => new GoogleGenAI({ apiKey, httpOptions: { baseUrl: baseURL, retryOptions: { initialDelay: 0.01 } } });

const ask = ({ models }, contents) => models.generateContent({
  model: "gemini-3-pro-preview", contents,
  config: { tools: [{ functionDeclarations: [{ name: "get_weather", parametersJsonSchema: { type: "object", properties: { city: { type: "string" } } } }] }] },
});

test.concurrent("looks the weather up", async ({ loopproof }) => {
  const model = client(loopproof);
  const contents = [{ role: "user", parts: [{ text: "What is the weather in Oslo?" }] }];
  const asked = await ask(model, contents);
  const [{ id, name, args }] = asked.functionCalls;
  contents.push(asked.candidates[0].content, { role: "user", parts: [{ functionResponse: { id, name, response: { ...args, degrees: 4 } } }] });
  expect((await ask(model, contents)).text).toBe("It is 4 degrees in Oslo.");
});

test.concurrent("lives through an overload", async ({ newRun }) => {
  const model = client(await newRun({ behaviour: { faults: [{ status: 503, times: 2 }] } }));
  expect((await ask(model, "Sing.")).text).toBe("I only know about the weather.");
});
