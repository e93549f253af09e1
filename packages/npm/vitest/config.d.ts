import type { Plugin } from 'vitest/config';
import type { ServerOptions } from '../mock.js';

/** The plugin of vitest: one mock provider for all tests, whose paths are relative to the root of the project. */
export default function loopproof(options?: Omit<ServerOptions, 'cwd'>): Plugin;
