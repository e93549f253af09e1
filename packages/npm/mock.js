// Runs the mock provider for tests: a server in a process of its own, and a run for each test.
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { findBinary } from './binary.js';

/** The application sent what a real provider refuses; the message has the rule, the place and the source. */
export class Violation extends Error {
  name = 'Violation';

  constructor(message) {
    super(message);
    this.stack = `Violation: ${message}`; // the place in this package where it is found says nothing
  }
}

/** Starts a mock provider, which ends with close, and also when this process ends or is killed. */
export async function startServer({ scenarios = [], profiles = [], args = [], cwd } = {}) {
  const flags = ['serve', '--addr', '127.0.0.1:0', '--exit-with-stdin'];
  for (const scenario of scenarios) flags.push('--scenario', scenario);
  for (const profile of profiles) flags.push('--profile', profile);
  const child = spawn(findBinary(), [...flags, ...args], { cwd, stdio: ['pipe', 'pipe', 'pipe'], windowsHide: true });
  let log = '';
  child.stderr.setEncoding('utf8').on('data', (text) => { log = (log + text).slice(-20_000); });
  const ended = new Promise((resolve) => { child.once('close', resolve).once('error', resolve); });
  const first = await Promise.race([
    new Promise((resolve) => { createInterface({ input: child.stdout }).once('line', resolve); }),
    ended.then((error) => { throw new Error(`the mock provider did not start: ${error?.message ?? log}`); }),
  ]);
  const { base_url: baseURL, page_url: pageURL } = JSON.parse(first);
  for (const part of [child, child.stdin, child.stdout, child.stderr]) part.unref?.(); // it does not keep this process alive
  return Object.assign(new Server(baseURL), {
    pageURL,
    log: () => log,
    async close() {
      for (const part of [child, child.stdout, child.stderr]) part.ref(); // or this process may end before the log is read to its end
      child.stdin.end();
      await ended;
    },
  });
}

/** A mock provider that is running, at its URL. */
export class Server {
  constructor(baseURL) {
    this.baseURL = baseURL;
  }

  /** Begins a run, which has its own journal and verdict. */
  async newRun({ name = 'run', scripts = [], behaviour, profile, lenient = false } = {}) {
    const made = await call(this.baseURL, 'POST', '/runs', {
      id: `${name.replace(/[^A-Za-z0-9._-]+/g, '-').slice(0, 50)}-${randomUUID().slice(0, 6)}`,
      ...(scripts.length && { scripts: scripts.map(textOf) }),
      behaviour, profile, lenient,
    });
    return new Run(this.baseURL, made);
  }
}

/** What one test asks of the model. It sees nothing of other tests. */
export class Run {
  #server;

  constructor(server, { id, base_url: baseURL, api_key: apiKey, environment }) {
    this.#server = server;
    Object.assign(this, { id, baseURL, apiKey, environment });
  }

  async requests(filters = {}) {
    return (await call(this.#server, 'GET', `/requests?${new URLSearchParams({ run: this.id, limit: 0, ...filters })}`)).requests;
  }

  async assertRequest(expectation) {
    expect(await call(this.#server, 'GET', `/assert?${new URLSearchParams({ run: this.id, ...expectation })}`));
  }

  async assertInOrder(filters, { within } = {}) {
    expect(await call(this.#server, 'POST', '/assert', { run: this.id, in_order: filters, within }));
  }

  async verdict() {
    const { passed, failure, message, broken, sum } = await call(this.#server, 'GET', `/runs/${this.id}/verdict`);
    return { passed, reason: failure, message: message.trimEnd(), broken, requests: sum.requests };
  }

  async check() {
    const { passed, reason, message } = await this.verdict();
    if (!passed) throw new Violation(`${reason}\n\n${message}`);
  }

  async end() {
    await call(this.#server, 'DELETE', `/runs/${this.id}`);
  }
}

function expect({ holds, message }) {
  if (!holds) throw new Error(message);
}

// textOf returns the text of a script: a file is a URL, anything else that is no text is its keys.
function textOf(script) {
  if (script instanceof URL) return readFileSync(fileURLToPath(script), 'utf8');
  if (typeof script === 'string') return script;
  return JSON.stringify({ loopproof: 1, title: 'script of a test', ...script });
}

async function call(server, method, path, body) {
  const response = await fetch(`${server}/loopproof${path}`, { method, body: body && JSON.stringify(body) });
  const told = await response.json();
  if (!response.ok && told.holds === undefined) throw new Error(told.error.message);
  return told;
}
