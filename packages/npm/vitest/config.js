// The plugin of vitest: one mock provider for all tests, and what they found at the end.
//
//   import loopproof from 'loopproof/vitest/config';
//   export default defineConfig({ plugins: [loopproof({ scenarios: ['scripts'] })] });
import { fileURLToPath } from 'node:url';

export default function loopproof({ scenarios = [], profiles = [], args = [] } = {}) {
  return {
    name: 'loopproof',
    config: () => ({
      test: {
        globalSetup: [fileURLToPath(new URL('./setup.js', import.meta.url))],
        provide: { loopproofOptions: { scenarios, profiles, args } },
      },
    }),
  };
}
