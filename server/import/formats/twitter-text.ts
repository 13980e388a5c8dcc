/** Loads twitter-text, without a part that makes the whole process slower. */
import { createRequire, Module } from 'node:module';
import type TwitterText from 'twitter-text';
import { lazy } from '../../collections/lazy.ts';

const require = createRequire(import.meta.url);

/**
 * A module for old browsers, of core-js 2. To find out whether the platform needs it, it changes the constructor of a regular expression.
 * From then on V8 takes about ten times as long for each `replace` and `split` of the process. Node does not need the module.
 */
const polyfill = 'core-js/modules/es6.regexp.split';

/** Puts an empty module in the place of the polyfill. */
function leaveOut(): void {
  const { resolve } = createRequire(require.resolve('twitter-text'));
  let path: string;
  try {
    path = resolve(polyfill);
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
  leaveOut();
  return require('twitter-text') as typeof TwitterText;
});
