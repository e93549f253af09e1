// The fixtures of vitest.
//
//   import { test } from 'loopproof/vitest';
//   test('sings', async ({ loopproof }) => {
//     const client = new OpenAI({ baseURL: loopproof.baseURL, apiKey: loopproof.apiKey });
import { inject, test as base } from 'vitest';
import { Server } from '../mock.js';

export const test = base.extend({
  runOptions: {},
  newRun: ({ task, runOptions, onTestFinished }, use) => use(async (own = {}) => {
    const { mayViolate = false, ...options } = { ...runOptions, ...own };
    const run = await server().newRun({ name: task.name, ...options });
    onTestFinished(async () => {
      try {
        if (!mayViolate) await run.check();
      } finally {
        await run.end();
      }
    });
    return run;
  }),
  loopproof: async ({ newRun }, use) => use(await newRun()),
});

function server() {
  const url = inject('loopproofServer');
  if (!url) throw new Error("no mock provider is running: add the plugin of 'loopproof/vitest/config' to the configuration of vitest");
  return new Server(url);
}
