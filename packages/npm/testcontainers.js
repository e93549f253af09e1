// A container with the mock provider, for Testcontainers (npm install testcontainers).
import { AbstractStartedContainer, GenericContainer, Wait } from 'testcontainers';

const port = 8080;

export class LoopproofContainer extends GenericContainer {
  constructor(scripts, { image = 'ghcr.io/loopproof/loopproof', settings = {} } = {}) {
    super(image);
    const variables = Object.entries(settings).map(([name, value]) => ['LOOPPROOF_' + name.replaceAll('-', '_').toUpperCase(), value]);
    this.withExposedPorts(port)
      .withEnvironment({ LOOPPROOF_SCENARIO: '/scripts', ...Object.fromEntries(variables) })
      .withCopyDirectoriesToContainer([{ source: scripts, target: '/scripts' }])
      .withWaitStrategy(Wait.forHttp('/loopproof/healthz', port));
  }

  async start() {
    return new StartedLoopproofContainer(await super.start());
  }
}

export class StartedLoopproofContainer extends AbstractStartedContainer {
  get url() {
    return `http://${this.getHost()}:${this.getMappedPort(port)}`;
  }

  get baseURL() {
    return this.url + '/v1';
  }
}
