// Test runner of Stryker: runs the test files of the project in one process, with the environment and the runtime of `test/support`. The modules
// of the product stay loaded, so a change costs only its tests: Stryker's code chooses the active change at run time.
// To Stryker each test file is one test: for each change it runs only the files that reach it, until one fails.
import { globSync } from 'node:fs';
import { join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readConfigs } from 'jest-config';
import JestRunner from 'jest-runner';
import Runtime from 'jest-runtime';

/** What the code of Stryker in the product reads and counts. */
const state = (globalThis.__stryker__ ??= {});

class JestFiles {
  #tests = [];
  #globalConfig;
  /** The test files whose last run was with a change. Such a change may have left something behind, such as a wrong entry of a cache. */
  #suspect = [];

  capabilities() {
    return { reloadEnvironment: false };
  }

  async init() {
    const { globalConfig, configs } = await readConfigs({ $0: 'mutation', _: [], config: 'test/jest.config.js' }, [
      process.cwd(),
    ]);
    // In a process of its own nobody reads what the tests print.
    this.#globalConfig = { ...globalConfig, silent: true, verbose: false };
    const testEnvironment = fileURLToPath(new URL('environment.js', import.meta.url));
    const context = await Runtime.createContext(
      { ...configs[0], testEnvironment },
      { console, maxWorkers: 1, watch: false, watchman: false },
    );
    const setUp = await import(globalConfig.globalSetup);
    await setUp.default({ nonFlagArgs: [] });
    this.#tests = testFiles().map((name) => ({ context, path: join(process.cwd(), name) }));
  }

  async dispose() {
    const tearDown = await import(this.#globalConfig.globalTeardown);
    await tearDown.default();
  }

  async dryRun() {
    const tests = [];
    state.mutantCoverage = { static: {}, perTest: {} };
    for (const test of this.#tests) tests.push(await this.#run(test));
    const failed = tests.find(({ failureMessage }) => failureMessage !== undefined);
    if (failed !== undefined) return { status: 'error', errorMessage: `${failed.name}: ${failed.failureMessage}` };
    return { status: 'complete', tests, mutantCoverage: state.mutantCoverage };
  }

  async mutantRun({ activeMutant, testFilter, hitLimit }) {
    await this.#checkUnchanged();
    delete state.mutantCoverage;
    const chosen = this.#tests.filter(({ path }) => testFilter === undefined || testFilter.includes(nameOf(path)));
    state.activeMutant = activeMutant.id;
    process.env.__STRYKER_ACTIVE_MUTANT__ = activeMutant.id;
    state.hitCount = hitLimit === undefined ? undefined : 0;
    state.hitLimit = hitLimit;
    try {
      for (const [n, test] of chosen.entries()) {
        const { failureMessage, name } = await this.#run(test);
        if (state.hitLimit !== undefined && state.hitCount > state.hitLimit)
          return { status: 'timeout', reason: 'the changed code ran far more often than before' };
        if (failureMessage === undefined) continue;
        this.#suspect = chosen.slice(0, n + 1);
        return { status: 'killed', killedBy: [name], failureMessage, nrOfTests: n + 1 };
      }
      return { status: 'survived', nrOfTests: chosen.length };
    } finally {
      state.activeMutant = undefined;
      delete process.env.__STRYKER_ACTIVE_MUTANT__;
    }
  }

  /** Ends the process, for which Stryker starts another one, if the test that found the last change fails without it too. */
  async #checkUnchanged() {
    const last = this.#suspect.at(-1);
    this.#suspect = [];
    if (last !== undefined && (await this.#run(last)).failureMessage !== undefined) process.exit(1);
  }

  async #run(test) {
    const start = performance.now();
    const runner = new JestRunner(this.#globalConfig, {});
    let failureMessage;
    runner.on('test-file-success', ([, result]) => {
      const { numFailingTests, testExecError } = result;
      if (numFailingTests > 0 || testExecError) failureMessage = result.failureMessage ?? String(testExecError);
    });
    runner.on('test-file-failure', ([, error]) => void (failureMessage = error.message ?? 'the file failed'));
    await runner.runTests([test], { isInterrupted: () => false }, { serial: true });
    state.currentTestId = undefined;
    const name = nameOf(test.path);
    const timeSpentMs = performance.now() - start;
    return failureMessage === undefined
      ? { id: name, name, timeSpentMs, status: 0 }
      : { id: name, name, timeSpentMs, status: 1, failureMessage };
  }
}

/** The test files that MUTATION_TESTS names, without those of the nightly run. */
const testFiles = () =>
  globSync('test/**/*.test.ts', { exclude: (name) => name.includes('node_modules') }).filter(
    (name) => !name.endsWith('.nightly.test.ts') && new RegExp(process.env.MUTATION_TESTS).test(name),
  );

const nameOf = (path) => path.slice(process.cwd().length + 1).replaceAll(sep, '/');

export const strykerPlugins = [
  { kind: 'TestRunner', name: 'jest-files', injectableClass: Object.assign(JestFiles, { inject: [] }) },
];
