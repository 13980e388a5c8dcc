/** The order of the reservation of an account and of the reading of a question. */
import { expect, test } from '@jest/globals';
import { AccountCaller } from '../../server/assistant/account-caller.ts';
import { openAccountPool } from '../../server/assistant/journal-account-pool.ts';
import { notFound } from '../../server/contract/service-error.ts';
import { emptyDisk, memoryStore } from '../ports/reference/store.ts';
import { question, subject } from './providers/subjects.ts';

const { subject: about, archive, turns, ...form } = question(subject('hello'));
const caller = { signal: new AbortController().signal };

/** A caller with one account of two questions, and the accounts that were asked. */
async function started() {
  const pool = await openAccountPool({ store: memoryStore(emptyDisk()), quota: 2, deadlineMs: 60_000 });
  pool.add({ id: 'a' }, 'capable');
  const asked: string[] = [];
  const accounts = new AccountCaller(
    pool,
    {
      probe: async () => {},
      ask: async ({ id }) => {
        asked.push(id);
        return { summary: id, citations: [], model: 'm' };
      },
    },
    { warn: () => {} },
  );
  const used = (): number => pool.status().capacity.used_24h;
  return { pool, accounts, asked, used };
}

test('an account is reserved when the reading begins, and asked when it ends', async () => {
  const { accounts, asked, used } = await started();
  const reading = Promise.withResolvers<void>();
  let usedThen = 0;
  const answer = accounts.ask(
    form,
    async () => {
      usedThen = used();
      await reading.promise;
      return { subject: about, archive, turns };
    },
    caller,
  );
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect([usedThen, asked]).toEqual([1, []]);
  reading.resolve();
  expect((await answer).summary).toBe('a');
  expect(used()).toBe(1);
});

test('a reading that fails costs nothing, and its error reaches the caller', async () => {
  const { accounts, asked, used } = await started();
  const failing = accounts.ask({ ...form, extract: true }, () => Promise.reject(notFound('tweet 1')), caller);
  await expect(failing).rejects.toMatchObject({ status: 404 });
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect([used(), asked]).toEqual([0, []]);
});

test('nothing is read while no account is free', async () => {
  const { pool, accounts } = await started();
  await pool.reserve(2);
  let reads = 0;
  const read = async () => ({ subject: about, archive, turns, reads: ++reads });
  await expect(accounts.ask(form, read, caller)).rejects.toMatchObject({ status: 503 });
  expect(reads).toBe(0);
});
