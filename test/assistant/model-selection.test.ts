/** Which account answers a question that names a model. */
import { expect, test } from '@jest/globals';
import { AccountCaller } from '../../server/assistant/account-caller.ts';
import { openAccountPool } from '../../server/assistant/journal-account-pool.ts';
import type { Provider } from '../../server/ports/assistant-provider.ts';
import { emptyDisk, memoryStore } from '../ports/reference/store.ts';
import { question, subject } from './providers/subjects.ts';

const provider: Provider = {
  probe: async () => {},
  ask: async ({ id, model }, asked) => ({ summary: id, citations: [], model: model ?? asked.model }),
};

const { subject: about, archive, turns, ...form } = question(subject('hello'));
const content = { subject: about, archive, turns };

/** A caller with accounts, each with its model or none. */
async function callerOf(models: Readonly<Record<string, string | undefined>>) {
  const pool = await openAccountPool({ store: memoryStore(emptyDisk()), quota: 20, deadlineMs: 60_000 });
  for (const [id, model] of Object.entries(models)) pool.add(model === undefined ? { id } : { id, model }, 'capable');
  const caller = new AccountCaller(pool, provider, { warn: () => {} });
  return (model: string) =>
    caller.ask({ ...form, model }, async () => content, { signal: new AbortController().signal });
}

test('a model selects the accounts that have it', async () => {
  const ask = await callerOf({ a: 'm-1', b: 'm-2', c: 'm-1' });
  for (let n = 0; n < 4; n++) expect((await ask('m-2')).summary).toBe('b');
  expect(new Set([(await ask('m-1')).summary, (await ask('m-1')).summary])).toEqual(new Set(['a', 'c']));
  const any = [await ask('assistant-3-latest'), await ask('assistant-3-latest'), await ask('assistant-3-latest')];
  expect(any.map(({ model }) => model).toSorted()).toEqual(['m-1', 'm-1', 'm-2']);
  await expect(ask('m-3')).rejects.toMatchObject({
    status: 400,
    message: "parameter 'model' must be a model of the assistant's accounts: assistant-3-latest, m-1, m-2",
  });
});

test('an account without a model of its own serves any', async () => {
  const ask = await callerOf({ a: 'm-1', b: undefined });
  for (let n = 0; n < 3; n++) expect(await ask('m-3')).toMatchObject({ summary: 'b', model: 'm-3' });
});

test('without accounts the question waits for one, whatever its model', async () => {
  const ask = await callerOf({});
  await expect(ask('m-3')).rejects.toMatchObject({ status: 503 });
});
