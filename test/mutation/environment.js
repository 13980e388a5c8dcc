// Jest testEnvironment of mutation tests: tells Stryker's code which test file runs, and skips the other tests of a file after one that failed.
import WorkerEnvironment from '../support/environment.js';

export default class MutationEnvironment extends WorkerEnvironment {
  #name;
  #hasFailed = false;

  constructor(config, context) {
    super(config, context);
    this.#name = context.testPath.slice(process.cwd().length + 1).replaceAll('\\', '/');
  }

  handleTestEvent(event, state) {
    super.handleTestEvent(event, state);
    // What runs before is the loading of modules.
    if (event.name === 'run_start') globalThis.__stryker__.currentTestId = this.#name;
    if (event.name === 'test_fn_failure' || event.name === 'hook_failure') this.#hasFailed = true;
    if (event.name === 'test_start' && this.#hasFailed) event.test.mode = 'skip';
  }
}
