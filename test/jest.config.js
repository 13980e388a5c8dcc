// The configuration of Jest; package.json names this file.
import { availableParallelism } from 'node:os';

const isFull = Number(process.env.TEST_ROUNDS ?? 0) >= 1;
/** Whether the call names test files or titles: then it may mean those of the nightly run. A number belongs to an option, as in `-w 2`. */
const isNamed = process.argv.slice(2).some((argument) => !/^(?:-|\d+%?$)/.test(argument));

export default {
  rootDir: '..',
  // Some tests wait for processes and browsers, so more workers than cores. Jest takes a share of more than 100 % as a number.
  maxWorkers: 2 * availableParallelism(),
  globalSetup: '<rootDir>/test/support/setup.js',
  globalTeardown: '<rootDir>/test/support/teardown.js',
  modulePathIgnorePatterns: [
    '<rootDir>/test/matrix/node_modules/',
    '<rootDir>/test/mutation/node_modules/',
    '<rootDir>/test/network/node_modules/',
    '<rootDir>/test/postgres/node_modules/',
  ],
  roots: ['<rootDir>/test'],
  runtime: '<rootDir>/test/support/runtime.js',
  testEnvironment: '<rootDir>/test/support/environment.js',
  testEnvironmentOptions: {
    globalsCleanup: 'off',
  },
  testMatch: ['**/*.test.ts'],
  // `npm run test:nightly` runs them, and a call that names them.
  testPathIgnorePatterns: ['/node_modules/', ...(isFull || isNamed ? [] : ['\\.nightly\\.test\\.ts$'])],
  testSequencer: '<rootDir>/test/support/longest-first.js',
  // A test that hangs fails within a minute; `support/long-files.js` names the files that need longer. The nightly run repeats far more.
  testTimeout: isFull ? 600_000 : 60_000,
  transform: {},
  // A worker that ends takes the modules along that the files of the next one share. Workers have up to 1.4 GB at the end of a run.
  workerIdleMemoryLimit: '1500MB',
};
