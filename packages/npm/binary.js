// Finds the binary: the one that LOOPPROOF names, or that of the package for this system.
import { createRequire } from 'node:module';
import { join, dirname } from 'node:path';

const require = createRequire(import.meta.url);
const systems = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64', 'win32-x64', 'win32-arm64'];

/** Returns the path of the binary, and throws if there is none for this system. */
export function findBinary() {
  if (process.env.LOOPPROOF) return process.env.LOOPPROOF;
  const system = `${process.platform}-${process.arch}`;
  if (!systems.includes(system)) {
    throw new Error(`there is no binary for ${system}, only for ${systems.join(', ')}; build one with Go, and name it in the variable LOOPPROOF`);
  }
  const name = `@loopproof/${system}`;
  try {
    return join(dirname(require.resolve(`${name}/package.json`)), 'bin', process.platform === 'win32' ? 'loopproof.exe' : 'loopproof');
  } catch {
    throw new Error(`the package ${name} is not installed. It is an optional dependency of loopproof: install again without --no-optional or --omit=optional, and on this system, not on another one whose node_modules are copied`);
  }
}
