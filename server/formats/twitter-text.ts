/** Loads twitter-text, without two parts that make the whole process slower. */
import { createRequire, Module } from 'node:module';
import type TwitterText from 'twitter-text';
import { lazy } from '../collections/lazy.ts';

const require = createRequire(import.meta.url);

/**
 * Modules for old browsers, of core-js 2. To find out whether the platform needs them, they change the constructor of a regular
 * expression, and the iterator of an array. From then on V8 takes about ten times as long for each `replace` and `split` of the
 * process, and longer for arrays. Node does not need the modules.
 */
const polyfills = ['es6.regexp.split', 'es6.array.from'];

/** Puts an empty module in the place of a polyfill. */
function leaveOut(name: string): void {
  const { resolve } = createRequire(require.resolve('twitter-text'));
  let path: string;
  try {
    path = resolve(`core-js/modules/${name}`);
  } catch {
    // Another version of twitter-text may not need it.
    return;
  }
  const empty = new Module(path);
  empty.loaded = true;
  require.cache[path] ??= empty;
}

/**
 * Loaded for the first text that names something: its many expressions take a twentieth of the time that the service
 * starts in.
 */
export const twitterText = lazy(() => {
  for (const name of polyfills) leaveOut(name);
  return require('twitter-text') as typeof TwitterText;
});
