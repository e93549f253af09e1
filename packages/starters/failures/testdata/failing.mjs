// A loop that fails in the way that its prompt names. FAILING says how it is written.
import { pathToFileURL } from 'node:url';

const { onPrompt, serve, toolApprovals } = await import(pathToFileURL(process.env.PROTOCOL).href);
const wait = (ms) => new Promise((resolve) => { setTimeout(resolve, ms); });
const never = () => new Promise(() => {}); // what failed was to bring the answer
const raise = (value) => { throw value; };
const deep = () => deep() + 1;
const circular = { status: 'completed' };
circular.transcript = circular;

const failures = {
  'fine': () => { console.dir({ printed: 'beside the protocol' }); return { status: 'completed', text: 'fine' }; },
  'undefined': () => raise(undefined),
  'null': () => raise(null),
  'text': () => raise('odd'),
  'number': () => raise(7),
  'symbol': () => raise(Symbol('odd')),
  'no prototype': () => raise(Object.assign(Object.create(null), { code: 'odd' })),
  'error': () => raise(new Error('429 try again')),
  'error without a message': () => raise(new Error()),
  'several': () => raise(new AggregateError([new Error('first'), 'second'])),
  'mistake': () => undefined.choices,
  'recursion': deep,
  'unprintable': () => raise(Object.defineProperty(new Error('x'), 'message', { get() { throw new Error('no'); } })),
  'unprintable object': () => raise({ toString: undefined, get [Symbol.toStringTag]() { throw new Error('no'); } }),
  'proxy': () => raise(new Proxy({}, { get() { throw new Error('no'); }, getPrototypeOf() { throw new Error('no'); } })),
  'rejection': () => Promise.reject(undefined),
  'timer': () => { setTimeout(() => raise(new Error('in a timer')), 1); return never(); },
  'timer, no error': () => { setTimeout(() => raise(undefined), 1); return never(); },
  'immediate': () => { setImmediate(() => raise('in an immediate')); return never(); },
  'microtask': () => { queueMicrotask(() => raise(new Error('in a microtask'))); return never(); },
  'next tick': () => { process.nextTick(() => raise(new Error('in a tick'))); return never(); },
  'listener': () => { const t = new EventTarget(); t.addEventListener('x', () => raise(new Error('in a listener'))); t.dispatchEvent(new Event('x')); return never(); },
  'again and again': () => { let n = 0; const i = setInterval(() => { if (++n === 5) clearInterval(i); raise(new Error('in an interval')); }, 1); return never(); },
  'unhandled': () => { Promise.reject(new Error('nobody handles it')); return never(); },
  'unhandled, no error': () => { Promise.reject('nobody handles it'); return never(); },
  'unhandled later': () => { wait(1).then(() => raise(new Error('nobody handles it'))); return never(); },
  'exit': () => process.exit(3),
  'exit later': () => { setTimeout(() => process.exit(3), 1); return never(); },
  'exit caught': async () => { try { process.exit(); } catch { return { status: 'completed', text: 'caught' }; } },
  'nothing': () => undefined,
  'a text': () => 'an answer',
  'list': () => ['an answer'],
  'no status': () => ({ text: 'an answer' }),
  'odd status': () => ({ status: 'done' }),
  'no JSON': () => ({ status: 'completed', usage: 1n }),
  'circular': () => circular,
  'unreadable': () => ({ get status() { throw new Error('no'); } }),
};

async function approval(task) {
  const calls = [{ id: 'call-1', name: 'delete_file', arguments: { path: 'a' } }, { name: 'delete_file', arguments: '{"path":"c"}' }];
  const decisions = await toolApprovals(task, calls);
  return { status: 'completed', text: decisions.map((d) => (d.approve ? `runs ${d.arguments.path}` : d.reason ?? '')).join('; ') };
}

const steering = () => new Promise((resolve) => { onPrompt((text) => resolve({ status: 'completed', text })); });

const asked = { approval, steering };
const plain = (task) => (asked[task.prompts[0]] ?? failures[task.prompts[0]])(task);
const ways = {
  plain,
  async: async (task) => { await wait(1); return plain(task); },
  prompts: async (task, signal, eachPrompt) => {
    let outcome;
    await eachPrompt((prompt) => { outcome = failures[prompt](); return outcome; });
    return outcome;
  },
};
await serve({ name: 'failing', concurrency: 8 }, ways[process.env.FAILING]);
