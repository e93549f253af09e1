// The half of an adapter that is the same for every loop: https://github.com/loopproof/loopproof/blob/main/docs/adapters.md

/** Who the loop is, and what it claims. */
export interface Hello {
  name: string;
  version?: string;
  language?: string;
  /** The wire APIs that the loop speaks; without it, chat. */
  dialects?: Array<'chat' | 'messages' | 'responses' | 'gemini' | 'converse'>;
  features?: string[];
  /** How many tasks the loop can carry out at the same time; without it, one. */
  concurrency?: number;
  profiles?: string[];
  deliveries?: string[];
  designs?: string[];
  answer_tool?: { name: string; argument: string };
  /** A text by which the loop's requests for a summary of its history are known. */
  summary_mark?: string;
  /** The wire APIs in which a loop that claims second-api asks its second model; without it, all four. */
  second_dialects?: string[];
  executions?: boolean;
}

export interface Tool {
  name: string;
  description: string;
  /** A JSON Schema. */
  parameters: Record<string, unknown>;
  url: string;
  /** The user has to approve each call, for loops that claim tool-approvals. */
  needs_approval?: boolean;
  /** Code of the provider may call the tool, for loops that claim programmatic-tools. */
  programmatic?: boolean;
  /** The sub-agent that answers calls, instead of the URL, for loops that claim sub-agents. */
  agent?: { system: string; tools: Tool[]; max_turns: number };
}

/** A call about which the user is asked. */
export interface PendingCall {
  /** Where the loop tells it. */
  id?: string;
  name: string;
  arguments: unknown;
}

/** What the user has decided about a call. */
export interface Decision {
  call_id?: string;
  approve: boolean;
  /** Why not, meant for the model. */
  reason?: string;
  /** To run the call with instead of its own. */
  arguments?: Record<string, unknown>;
}

/** One conversation that the loop has to hold. */
export interface Task {
  id: string;
  dialect: string;
  /** What the official SDK of the dialect takes as its base URL, key and model. */
  base_url: string;
  api_key: string;
  model: string;
  /** Ask over a WebSocket, for loops that claim sockets. */
  socket?: boolean;
  /** The provider that is played. */
  profile: string;
  stream: boolean;
  system?: string;
  prompts: string[];
  tools: Tool[];
  /** An MCP server with the tools, over streamable HTTP. */
  mcp_url?: string;
  /** The tools are to be taken from mcp_url, and tools is empty; only for loops that claim mcp-tools. */
  mcp_tools?: boolean;
  transcript_format?: string;
  resume_after_failure?: boolean;
  /** The user says one more prompt while tools run, for loops that claim steering: see onPrompt. */
  steering?: boolean;
  approve?: string[];
  max_turns: number;
  timeout_ms: number;
  /** Where the conversation is stored, for loops that claim durable-sessions; see docs/adapters.md. */
  session?: Session;
  /** How many tokens of four bytes a request may have; only for loops that claim compaction. */
  context_limit?: number;
  /** At how many input tokens the provider is asked to make the history shorter; only for loops that claim server-compaction. */
  compact_threshold?: number;
  /** How many tokens the answer to each prompt may cost, for loops that claim token-budget. */
  token_budget?: number;
  /** The model to ask where `model` keeps failing, for loops that claim model-fallback. */
  fallback_model?: string;
  /** The model of each prompt, which the user has chosen, for loops that claim model-switch. */
  prompt_models?: string[];
  /** Where the other model is asked that these name, in another wire API, for loops that claim second-api. */
  second_api?: { model: string; dialect: string; base_url: string; profile: string };
  /** The JSON Schema of the answer, for loops that claim answer-schema. */
  answer_schema?: Record<string, unknown>;
}

/** A conversation that outlives its process, which is killed and started again with the same session and prompts. */
export interface Session {
  id: string;
  /** A directory for what the loop stores, which survives. */
  dir: string;
  /** The process was killed during an earlier task of this session. */
  resumed?: boolean;
}

export interface Outcome {
  status: 'completed' | 'stopped' | 'failed';
  text?: string;
  reason?: string;
  error?: string;
  usage?: { input_tokens: number; output_tokens: number };
  transcript?: unknown;
  events?: unknown;
  [field: string]: unknown;
}

export interface Image {
  mediaType: string;
  /** In base64. */
  data: string;
}

/** Calls ask for one prompt of the task after the other, until it returns false or throws. */
export type EachPrompt = (ask: (prompt: string, signal: AbortSignal) => unknown) => Promise<void>;

/**
 * Says who the loop is, and carries out tasks until there are no more. converse holds the conversation of one task and
 * returns its outcome; what it throws is reported as a failure, also in a timer or in a promise that nothing handles, and so
 * is a call of process.exit. The signal says that the user cancels.
 */
export function serve(hello: Hello, converse: (task: Task, signal: AbortSignal, eachPrompt: EachPrompt) => Outcome | Promise<Outcome>): Promise<void>;

/**
 * Runs a tool of the task with the arguments that the loop hands to its tools, and the id of the call where the loop tells
 * it. Throws where the tool fails.
 */
export function runTool(tool: Pick<Tool, 'url'>, args: unknown, options?: { callId?: string; signal?: AbortSignal }): Promise<string | Image>;

/**
 * Asks the user about calls of tools that need an approval, and returns a decision for each. Throws when the user cancels
 * the task or the prompt instead, as the signal says; without it, as the task says from which it is called.
 */
export function toolApprovals(task: Pick<Task, 'id'>, calls: PendingCall[], options?: { signal?: AbortSignal }): Promise<Decision[]>;

/** The same for one call. */
export function toolApproval(task: Pick<Task, 'id'>, call: PendingCall, options?: { signal?: AbortSignal }): Promise<Decision>;

/** Calls take with what the user says while tools run, in a task with steering. To be called in the code of the task. */
export function onPrompt(take: (prompt: string) => void): void;

/** Returns the version of a package in the node_modules beside the adapter whose import.meta.url is given. */
export function versionOf(name: string, adapter: string): string;
