import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, jest, test } from '@jest/globals';
import { temporaryFolder } from './folder.ts';
import { inTurn, isFull, isWalkInTurn, usualTurn } from './rounds.ts';

test.each([
  [7, 3],
  [12, 4],
  [2, 1],
  [3, 5],
])(
  'of %i items, %i in turn are all of them within as few turns as possible, and all at once in a full run',
  (length, count) => {
    const items = Array.from({ length }, (_, place) => place);
    const taken = isFull ? length : Math.min(count, length);
    for (const first of [0, 20_780]) {
      const turns = Array.from({ length: Math.ceil(length / taken) }, (_, turn) => inTurn(items, count, first + turn));
      expect(turns.map((each) => new Set(each).size)).toEqual(turns.map(() => taken));
      expect(new Set(turns.flat())).toEqual(new Set(items));
    }
  },
);

test('a run of all files makes one of the walks, that of another turn another one; a call with names makes all', () => {
  const made = (turn: number): boolean[] => {
    process.env.TEST_TURN = String(turn);
    return [isWalkInTurn('npm run dev'), isWalkInTurn('the packed client')];
  };
  process.env.TEST_NAMED = '1';
  expect([made(5), made(6)]).toEqual([
    [true, true],
    [true, true],
  ]);
  delete process.env.TEST_NAMED;
  expect([made(5), made(6)]).toEqual([
    [true, isFull],
    [isFull, true],
  ]);
});

test('a run of all files skips the tests of the nightly run; the nightly run and a call with names do not', async () => {
  const { argv, env } = process;
  const given = env.TEST_ROUNDS;
  let calls = 0;
  const skips = async (rounds: string, ...names: string[]): Promise<boolean> => {
    env.TEST_ROUNDS = rounds;
    process.argv = [...argv.slice(0, 2), ...names];
    const { default: config } = (await import(`../jest.config.js?call=${(calls += 1)}`)) as {
      default: { testPathIgnorePatterns: string[] };
    };
    return config.testPathIgnorePatterns.some((each) => new RegExp(each).test('/test/bench/all.nightly.test.ts'));
  };
  try {
    expect(await skips('0.05')).toBe(true);
    expect(await skips('0.05', '--silent', 'bench')).toBe(false);
    expect(await skips('10')).toBe(false);
  } finally {
    process.argv = argv;
    if (given === undefined) delete env.TEST_ROUNDS;
    else env.TEST_ROUNDS = given;
  }
});

test('the turn is the same on each day', () => {
  const given = process.env.TEST_TURN;
  delete process.env.TEST_TURN;
  jest.useFakeTimers({ now: Date.parse('2031-05-17') });
  try {
    const items = ['a', 'b', 'c'];
    const [selected, walk] = [inTurn(items, 1), isWalkInTurn('the packed client')];
    jest.setSystemTime(Date.parse('2031-05-18'));
    expect([inTurn(items, 1), isWalkInTurn('the packed client')]).toEqual([selected, walk]);
  } finally {
    jest.useRealTimers();
    if (given !== undefined) process.env.TEST_TURN = given;
  }
  // What `npm test` sets before the tests; a call can name another one.
  expect(given).toMatch(/^\d+$/);
  expect(Math.abs(Number(usualTurn))).toBeLessThan(100);
});

test('a test that hangs fails within a minute, unless its file is known to take longer', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder.path, 'hangs.test.cjs'), "test('hangs', () => new Promise(() => {}));\n");
  await writeFile(join(folder.path, 'package.json'), '{"jest":{"transform":{},"testMatch":["**/*.test.cjs"]}}');
  const { default: config } = (await import(new URL('../jest.config.js', import.meta.url).href)) as {
    default: { testTimeout: number };
  };
  const { timeLimitOf } = (await import(new URL('long-files.js', import.meta.url).href)) as {
    timeLimitOf: (path: string, usual: number) => number;
  };
  const usual = isFull ? 600_000 : 60_000;
  expect(config.testTimeout).toBe(usual);
  expect(timeLimitOf('/project/test/realtime/gateway.test.ts', 60_000)).toBe(60_000);
  expect(timeLimitOf('/project/test/lint.test.ts', 60_000)).toBe(600_000);
  // The environment gives the limit to Jest.
  const args = ['--rootDir', folder.path, '--roots', folder.path, '--testTimeout', '50', '--testEnvironment'];
  const environment = fileURLToPath(new URL('environment.js', import.meta.url));
  const jestPath = fileURLToPath(new URL('../../node_modules/jest/bin/jest.js', import.meta.url));
  const run = spawnSync(process.execPath, [jestPath, ...args, environment], { cwd: folder.path, encoding: 'utf8' });
  expect(run.status).toBe(1);
  expect(run.stderr).toContain('Exceeded timeout of 50 ms');
  await folder.dispose();
});
