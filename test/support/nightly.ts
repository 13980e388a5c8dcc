/**
 * Tests for the nightly run, and for a call that names their file; `npm test` skips them. They are long, or try further variants of what a
 * test of `npm test` shows. A file that has only such tests is named `*.nightly.test.ts` (see `test/jest.config.js`).
 */
import { describe, test } from '@jest/globals';
import { runsAll } from './rounds.ts';

export const nightlyTest = runsAll ? test : (test.skip as typeof test);
export const nightlyDescribe = runsAll ? describe : (describe.skip as typeof describe);
