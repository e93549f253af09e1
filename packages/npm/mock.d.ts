/** A file as a URL, the text of a script, or its keys. */
export type Script = URL | string | Record<string, unknown>;

export interface ServerOptions {
  /** Files, folders or ids of scenarios and scripts. */
  scenarios?: string[];
  /** The providers that are played, one for each wire API. */
  profiles?: string[];
  /** Further flags of loopproof serve. */
  args?: string[];
  /** The folder that paths are relative to. */
  cwd?: string;
}

export interface RunOptions {
  /** What the journal shows, such as the name of a test. */
  name?: string;
  /** Without any, the scripts of the server are played. */
  scripts?: Script[];
  /** Speed, faults and limits: https://github.com/loopproof/loopproof/blob/main/docs/serve.md#slow-flaky-and-limited */
  behaviour?: Record<string, unknown>;
  profile?: string;
  lenient?: boolean;
}

/** https://github.com/loopproof/loopproof/blob/main/docs/journal.md#over-http describes each. */
export interface Filter {
  path?: string;
  model?: string;
  scenario?: string;
  status?: string;
  outcome?: 'answered' | 'disconnected' | 'unscripted' | 'unkept' | 'unreadable' | 'unrouted' | 'forwarded';
  contains?: string;
  user?: string;
  result?: string;
  tool?: string;
  answer?: string;
  called?: string;
  rule?: string;
  level?: 'must' | 'should' | 'info';
  after?: number;
  unrouted?: boolean;
}

export interface Expectation extends Filter {
  count?: number;
  at_least?: number;
  at_most?: number;
  /** How long to wait until it holds, such as '5s'. */
  within?: string;
}

export interface Verdict {
  passed: boolean;
  /** Why the test fails, in a line; empty when it passed. */
  reason: string;
  /** Each broken rule and each request without an answer; empty when nothing was found. */
  message: string;
  requests: number;
  broken: Array<{ rule: string; level: 'must' | 'should' | 'info' }>;
}

/** The application sent what a real provider refuses; the message has the rule, the place and the source. */
export class Violation extends Error {}

/** A mock provider that is running, at its URL. */
export class Server {
  constructor(baseURL: string);
  readonly baseURL: string;
  /** Begins a run, which has its own journal and verdict. */
  newRun(options?: RunOptions): Promise<Run>;
}

export interface StartedServer extends Server {
  /** Shows all conversations, live. */
  readonly pageURL: string;
  /** Returns what the server has written to standard error. */
  log(): string;
  close(): Promise<void>;
}

/** Starts a mock provider, which ends with close, and also when this process ends or is killed. */
export function startServer(options?: ServerOptions): Promise<StartedServer>;

/** What one test asks of the model. It sees nothing of other tests. */
export class Run {
  private constructor();
  readonly id: string;
  /** What the official SDK takes. */
  readonly baseURL: string;
  readonly apiKey: string;
  /** What SDKs read from the environment: OPENAI_BASE_URL, OPENAI_API_KEY and the like. */
  readonly environment: Record<string, string>;
  /** Returns the requests that fit all filters. */
  requests(filters?: Filter): Promise<Array<Record<string, any>>>;
  /** Rejects unless there is a request that fits all filters, or as many as count, at_least or at_most say. */
  assertRequest(expectation: Expectation): Promise<void>;
  /** Rejects unless there is a request for each of the filters, every one later than the one before. */
  assertInOrder(filters: Filter[], options?: { within?: string }): Promise<void>;
  verdict(): Promise<Verdict>;
  /** Rejects with a Violation if a real provider would have refused a request. */
  check(): Promise<void>;
  /** Forgets the run. */
  end(): Promise<void>;
}
