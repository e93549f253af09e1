// Tests of the package in a project where it is installed: node --test helpers.mjs
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { startServer } from 'loopproof/mock';

const command = new URL('bin/loopproof.js', import.meta.resolve('loopproof/package.json'));

test('an assertion that fails says what came, and a violation has its rule, place and source', () => {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', 'application.test.mjs'], {
    encoding: 'utf8', env: { ...process.env, NO_COLOR: '1' },
  });
  assert.equal(status, 1);
  const said = stdout + stderr;
  for (const expected of [
    /3 failed \| 3 passed/,
    /^Violation: a real provider refuses what was sent: pairing\/no-orphan-result$/m,
    /^ {2}request 1 {2}\/messages\/1$/m, /^ +provider {2}OpenAI \(openai\) answers 400/m, /^ +source {2}https:/m,
    /expected 2 requests with .*; there is 1\nthese came:\nrequest 1 .*\n {2}user +Hello\?/,
    /no parameter "usr" \(did you mean "user"\?\)/,
    /^loopproof: request \d breaks pairing\/no-orphan-result \(must\)/m, /^loopproof: 4 requests; broken: 1 must, 0 shoulds$/m,
  ]) assert.match(said, expected);
});

test('a server that does not start says why', async () => {
  await assert.rejects(startServer({ scenarios: ['pairing/singl-call'] }), /did not start.*did you mean "pairing\/single-call"/s);
});

test('a signal to the command ends the server, and its exit code is that of the command', { skip: process.platform === 'win32' }, async () => {
  const started = spawn(process.execPath, [command.pathname, 'serve', '--addr', '127.0.0.1:0', '--require-requests'], { stdio: ['ignore', 'pipe', 'ignore'] });
  const [line] = await once(createInterface({ input: started.stdout }), 'line');
  started.kill('SIGTERM');
  assert.deepEqual(await once(started, 'exit'), [2, null]);
  await ends(JSON.parse(line).base_url);
});

test('the server ends when the tests are killed', async () => {
  const program = "import { startServer } from 'loopproof/mock'; console.log((await startServer()).baseURL); setInterval(() => {}, 1000);";
  const tests = spawn(process.execPath, ['--input-type=module', '-e', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [url] = await once(createInterface({ input: tests.stdout }), 'line');
  assert.equal((await fetch(`${url}/loopproof/healthz`)).status, 200);
  tests.kill('SIGKILL');
  await ends(url);
});

async function ends(url) {
  for (const end = Date.now() + 10_000; Date.now() < end; await wait(50)) {
    const there = await fetch(`${url}/loopproof/healthz`).catch(() => undefined);
    if (!there) return;
  }
  assert.fail('the server still runs');
}
