/** Dead rows are removed within the time limit, by one instance, and only after changes. */
import { expect, test } from '@jest/globals';
import { Vacuum, type VacuumState } from '../../../server/engines/postgres/maintenance/vacuum.ts';
import { SharedDocument } from '../../support/shared-document.ts';

const hour = 3_600_000;

function openVacuum() {
  const statements: string[] = [];
  const failures: unknown[] = [];
  const given = { now: 0, isLeader: true, isDown: false, commits: { last: 0 } };
  const state = new SharedDocument<VacuumState>({ commit: 0, at: 0 });
  const vacuum = new Vacuum({
    database: {
      run: async () => [],
      async maintain(text) {
        if (given.isDown) throw new Error('the database is down');
        statements.push(text);
      },
    },
    ...{ state, commits: given.commits, withinMs: 24 * hour },
    mayRun: () => given.isLeader,
    now: () => given.now,
    onFailed: (error) => failures.push(error),
  });
  return { vacuum, statements, failures, given, state };
}

test('a check removes the dead rows once half of the time has passed since the last run', async () => {
  const { vacuum, statements, given, state } = openVacuum();
  given.now = 13 * hour;
  await vacuum.check();
  expect(statements).toEqual([]);
  given.commits.last = 5;
  await vacuum.check();
  expect(statements).toEqual([expect.stringMatching(/^VACUUM .*social_data\.tweet_count/)]);
  expect(state.data).toEqual({ commit: 5, at: 13 * hour });
  given.commits.last = 6;
  given.now += 12 * hour - 1;
  await vacuum.check();
  expect(statements).toHaveLength(1);
  given.now += 1;
  await vacuum.check();
  await vacuum.check();
  expect(statements).toHaveLength(2);
});

test('only the leader does it, a failure is reported and tried again, and nothing runs after the end', async () => {
  const { vacuum, statements, failures, given } = openVacuum();
  Object.assign(given, { now: 24 * hour, isLeader: false, isDown: true });
  given.commits.last = 1;
  await vacuum.check();
  expect(failures).toEqual([]);
  given.isLeader = true;
  await vacuum.check();
  expect(failures).toEqual([new Error('the database is down')]);
  given.isDown = false;
  await vacuum.check();
  expect(statements).toHaveLength(1);
  vacuum.stop();
  given.commits.last = 2;
  given.now += 48 * hour;
  await vacuum.check();
  expect(statements).toHaveLength(1);
});
