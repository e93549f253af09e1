import { AbstractStartedContainer, GenericContainer } from 'testcontainers';

export interface LoopproofOptions {
  image?: string;
  /** Named like the flags of loopproof serve: { profile: 'openai,anthropic' }. */
  settings?: Record<string, string>;
}

/** A container with the mock provider, which plays the scripts of a folder. */
export class LoopproofContainer extends GenericContainer {
  constructor(scripts: string, options?: LoopproofOptions);
  start(): Promise<StartedLoopproofContainer>;
}

export class StartedLoopproofContainer extends AbstractStartedContainer {
  /** The base URL of clients of Anthropic and Google. */
  get url(): string;
  /** The base URL of clients of OpenAI. */
  get baseURL(): string;
}
