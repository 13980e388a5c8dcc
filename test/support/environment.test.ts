import { expect, test } from '@jest/globals';
import WorkerEnvironment from './environment.js';

test('what a test file changes of the globals and of the environment variables is undone after it', async () => {
  const { fetch, Date: date } = globalThis;
  const projectConfig = { fakeTimers: {}, globals: {}, testEnvironmentOptions: {} };
  const environment = new WorkerEnvironment({ globalConfig: {}, projectConfig } as never, {} as never);
  process.env['LEFT_BY_A_TEST'] = 'yes';
  delete process.env['PATH'];
  globalThis.fetch = () => Promise.reject(new Error('no network'));
  environment.fakeTimersModern!.useFakeTimers();
  expect(Date).not.toBe(date);
  await environment.teardown();
  expect(process.env['LEFT_BY_A_TEST']).toBeUndefined();
  expect(process.env['PATH']).toMatch(/./);
  expect(globalThis.fetch).toBe(fetch);
  expect(Date).toBe(date);
});
