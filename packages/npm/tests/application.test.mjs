// Tests of an application that is wrong: helpers.test.mjs runs them, and looks at what they print.
import { expect } from 'vitest';
import { test as base } from 'loopproof/vitest';

const test = base.extend({ runOptions: { scripts: [{ model: [{ text: 'Good day.' }] }] } });
const hello = { role: 'user', content: 'Hello?' };
const orphan = { role: 'tool', tool_call_id: 'none', content: '4 C' };

async function ask({ baseURL, apiKey }, ...messages) {
  const response = await fetch(`${baseURL}/chat/completions`, {
    method: 'POST', headers: { authorization: `Bearer ${apiKey}` }, body: JSON.stringify({ model: 'gpt-5', messages }),
  });
  return response.ok ? (await response.json()).choices[0].message.content : response.status;
}

test.concurrent('right', async ({ loopproof }) => {
  expect(await ask(loopproof, hello)).toBe('Good day.');
  await loopproof.assertRequest({ user: 'Hello', answer: 'Good', count: 1 });
  await loopproof.assertInOrder([{ user: 'Hello' }]);
  expect(await loopproof.requests({ user: 'Hello' })).toHaveLength(1);
});

test.concurrent('orphan', async ({ loopproof }) => {
  expect(await ask(loopproof, hello, orphan)).toBe(400);
});

test.concurrent('count', async ({ loopproof }) => {
  await ask(loopproof, hello);
  await loopproof.assertRequest({ user: 'Hello', count: 2 });
});

test.concurrent('misspelt', async ({ loopproof }) => {
  await loopproof.assertRequest({ usr: 'Hello' });
});

test.concurrent('may violate', async ({ newRun }) => {
  expect(await ask(await newRun({ mayViolate: true }), orphan)).toBe(400);
});

test.concurrent('environment', async ({ loopproof }) => {
  expect(loopproof.environment).toMatchObject({ OPENAI_BASE_URL: loopproof.baseURL, OPENAI_API_KEY: loopproof.apiKey });
});
