// Starts the mock provider before all tests, and tells after them what they found.
import { startServer } from '../mock.js';

export default async function setup(project) {
  const server = await startServer({ ...project.config.provide.loopproofOptions, cwd: project.config.root });
  project.provide('loopproofServer', server.baseURL);
  return async () => {
    await server.close();
    const lines = server.log().split('\n');
    console.log(lines.filter((line) => /^loopproof: (request \d+ breaks|\d+ requests?;|there was no)/.test(line)).join('\n'));
  };
}
