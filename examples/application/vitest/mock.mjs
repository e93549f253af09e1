import { spawn } from "node:child_process";
import { once } from "node:events";
import OpenAI from "openai";
import { afterAll, beforeAll, expect, onTestFinished } from "vitest";

let server, runs;

beforeAll(async () => {
  server = spawn(process.env.LOOPPROOF ?? "loopproof", ["serve", "--addr", "127.0.0.1:0", "--scenario", "../scripts"], { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await once(server.stdout.setEncoding("utf8"), "data");
  runs = JSON.parse(line).base_url + "/loopproof/runs";
});
afterAll(() => server.kill());

// A client that sees nothing of other tests, and fails the test when it sends what a provider refuses.
export async function modelFor(behaviour = {}) {
  const run = await (await fetch(runs, { method: "POST", body: JSON.stringify({ behaviour }) })).json();
  onTestFinished(async () => {
    const { sum } = await (await fetch(`${runs}/${run.id}`)).json();
    await fetch(`${runs}/${run.id}`, { method: "DELETE" });
    expect(sum.musts).toBe(0);
  });
  return new OpenAI({ baseURL: run.base_url, apiKey: run.api_key });
}
