// Jest testEnvironment: tests run among the globals of the worker process (see `runtime.js`), Jest's own code among those of
// jest-environment-node. What a test file changes of the worker's globals and environment variables is undone after it.
// TEST_CPU names a file that gets the times of each test file in seconds: the CPU time of the worker, on Linux that of the processes that
// the test file started and that have ended, and the wall time.
// `globalsCleanup` is off in package.json: Jest would mark the built-in objects, and V8 runs regular expressions slower then.
import { appendFileSync, readFileSync } from 'node:fs';
import { TestEnvironment } from 'jest-environment-node';
import { timeLimitOf } from './long-files.js';

const descriptors = () =>
  Object.entries(Object.getOwnPropertyDescriptors(globalThis)).filter(([, { value }]) => value !== undefined);

/** CPU time of the child processes that have ended, in seconds; 0 on other systems. */
function cpuOfChildren() {
  if (process.platform !== 'linux') return 0;
  // The second field, the name in parentheses, may contain spaces. Linux counts hundredths of a second.
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[13]) + Number(fields[14])) / 100;
}

/** The built-in classes and objects of JavaScript, such as `Error`: Jest compares values of tests with them. */
const builtIns = descriptors().filter(([name, { configurable }]) => /^[A-Z]/.test(name) && configurable);

export default class WorkerEnvironment extends TestEnvironment {
  #globals = descriptors();
  #variables = { ...process.env };
  #cpu = process.cpuUsage();
  #children = cpuOfChildren();
  #start = performance.now();
  #path;

  constructor(config, context) {
    super(config, context);
    this.#path = context.testPath;
    for (const [name, descriptor] of builtIns) Object.defineProperty(this.global, name, descriptor);
    // Mocks and fake timers replace what the tests use.
    const { moduleMocker, fakeTimersModern } = this;
    this.moduleMocker = new moduleMocker.constructor(globalThis);
    this.fakeTimersModern = new fakeTimersModern.constructor({ config: config.projectConfig, global: globalThis });
  }

  async setup() {
    await super.setup();
    // That of Jest, which `--silent` turns off.
    globalThis.console = this.global.console;
  }

  /** Jest calls it; the state has the time limit of tests and hooks that state none. */
  handleTestEvent({ name }, state) {
    if (name === 'run_start') state.testTimeout = timeLimitOf(this.#path ?? '', state.testTimeout);
  }

  async teardown() {
    await super.teardown();
    for (const [name, descriptor] of this.#globals)
      if (Object.getOwnPropertyDescriptor(globalThis, name)?.value !== descriptor.value)
        Object.defineProperty(globalThis, name, descriptor);
    for (const name of Object.keys(process.env)) if (!Object.hasOwn(this.#variables, name)) delete process.env[name];
    Object.assign(process.env, this.#variables);
    const { user, system } = process.cpuUsage(this.#cpu);
    const wall = (performance.now() - this.#start) / 1000;
    const seconds = [(user + system) / 1e6, cpuOfChildren() - this.#children, wall].map((value) => value.toFixed(2));
    if (process.env.TEST_CPU && this.#path)
      appendFileSync(process.env.TEST_CPU, `${[...seconds, this.#path].join('\t')}\n`);
  }
}
