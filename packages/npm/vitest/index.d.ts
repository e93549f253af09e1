import type { TestAPI } from 'vitest';
import type { Run, RunOptions } from '../mock.js';

export interface TestRunOptions extends RunOptions {
  /** A request that a real provider refuses does not fail the test. */
  mayViolate?: boolean;
}

export interface Fixtures {
  /** The options of all runs; override them with test.extend({ runOptions: { profile: 'gemini-3' } }). */
  runOptions: TestRunOptions;
  /** Begins a run with further options. It is judged at the end of the test. */
  newRun: (options?: TestRunOptions) => Promise<Run>;
  /** A run of the mock provider for this test. A request that a real provider refuses fails the test. */
  loopproof: Run;
}

/** test of vitest, with a mock provider. */
export const test: TestAPI<Fixtures>;

declare module 'vitest' {
  export interface ProvidedContext {
    loopproofServer: string;
  }
}
