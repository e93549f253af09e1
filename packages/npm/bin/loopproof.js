#!/usr/bin/env node
// Starts the binary of this system with the same arguments, input and output, and ends as it ends.
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { findBinary } from '../binary.js';

let binary;
try {
  binary = findBinary();
} catch (error) {
  console.error(`loopproof: ${error.message}`);
  process.exit(2);
}

const child = spawn(binary, process.argv.slice(2), { stdio: 'inherit', windowsHide: true });
// A signal to this process alone, as from a process manager, has to reach the binary.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
child.on('error', (error) => {
  console.error(`loopproof: ${binary} cannot be started: ${error.message}`);
  process.exit(2);
});
child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
