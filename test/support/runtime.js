// Jest runtime: Node itself loads the test files and what they import, as it does when the product runs. Jest's own runtime loads
// every module anew for each test file; that took a third of the time of the tests in process.
// Test files in one worker share the modules of the product and the packages. They do not share the modules below `test/`, which may hold
// the servers and folders of one test file: those get its number in their address.
import { registerHooks } from 'node:module';
import { pathToFileURL } from 'node:url';
import JestRuntime from 'jest-runtime';

const tests = new URL('../', import.meta.url).href;
// It compiles every schema of the contract, and keeps nothing else.
const contract = new URL('contract.ts', import.meta.url).href;

/** What `@jest/globals` exports, for each test file that is running. */
const globals = new Map();
globalThis[Symbol.for('jest-globals')] = globals;
let lastNumber = 0;

const numberOf = (url = '') => /\?test=(\d+)$/.exec(url)?.[1];
const isOfOneTest = (url) =>
  url.startsWith(tests) && url !== contract && !url.includes('?') && !url.includes('/node_modules/');

registerHooks({
  resolve(specifier, context, next) {
    const number = numberOf(context.parentURL);
    if (number === undefined) return next(specifier, context);
    if (specifier === '@jest/globals')
      return { url: `jest-globals:?test=${number}`, format: 'module', shortCircuit: true };
    const found = next(specifier, context);
    return isOfOneTest(found.url) ? { ...found, url: `${found.url}?test=${number}` } : found;
  },
  load(url, context, next) {
    if (!url.startsWith('jest-globals:')) return next(url, context);
    const number = numberOf(url);
    const names = Object.keys(globals.get(number)).join(', ');
    const source = `export const { ${names} } = globalThis[Symbol.for('jest-globals')].get('${number}');`;
    return { format: 'module', source, shortCircuit: true };
  },
});

export default class NodeRuntime extends JestRuntime {
  #number = String((lastNumber += 1));

  unstable_shouldLoadAsEsm(path) {
    return path === this._testPath;
  }

  async unstable_importModule(path) {
    globals.set(this.#number, this.jestGlobals.cjsGlobals(path));
    // Jest sets 100: an error of the product would cost several times as much as in production.
    Error.stackTraceLimit = 20;
    // Nothing is transformed, so no position has to be mapped: Jest would copy each call site of each stack trace.
    Error.prepareStackTrace = undefined;
    await import(`${pathToFileURL(path).href}?test=${this.#number}`);
  }

  teardown() {
    globals.delete(this.#number);
    super.teardown();
  }
}
