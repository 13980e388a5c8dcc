/** The JSON of a record that is taken from the input: it stands for the same record as the JSON that the program prints. */
import { expect, test } from '@jest/globals';
import { BatchReader, type BatchSettings, type ImportBatch } from '../../server/import/batch-reader.ts';

const settings: BatchSettings = {
  ...{ owner: undefined, seenAt: '2026-03-01T00:00:00.000Z', skip: 0, restore: false, isPrepared: false },
};
const content = { id: '1', text: 'é " \\ \n\u2028👍 {"a": 1}', author_id: '2', created_at: '2026-01-01T00:00:00.000Z' };
const entities = { mentions: [], hashtags: [], cashtags: [], urls: [] };
const observed_at = '2026-02-01T00:00:00.000Z';
const tweet = { kind: 'tweet', tweet: { ...content, entities } };
const records: Record<string, object> = {
  'a tweet': tweet,
  'a tweet with the time of its observation': { kind: 'tweet', tweet: { ...content, entities, observed_at } },
  'a tweet whose kind comes last': { tweet: tweet.tweet, kind: 'tweet' },
  'a tweet without entities': { kind: 'tweet', tweet: content },
  'a tweet with a time in another form': {
    kind: 'tweet',
    tweet: { ...content, entities, created_at: '2026-01-01T01:00:00+01:00' },
  },
  'a profile': { kind: 'user', user: { id: '2', username: 'ann' } },
  'a like': { kind: 'like', tweet_id: '1' },
};
const forms: Record<string, (record: object) => string> = {
  'one line': (record) => JSON.stringify(record),
  'escaped characters': (record) =>
    JSON.stringify(record).replaceAll(/[^ -~]/g, (c) => String.raw`\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`),
  'several lines': (record) => JSON.stringify(record, null, 2),
  'a line break after the first members': (record) => JSON.stringify(record).replace('"id"', '\n"id"'),
  'an array': (record) => `[${JSON.stringify(record)},${JSON.stringify(record)}]`,
  'a list in a wrapper': (record) => JSON.stringify({ data: [record] }),
  'a wrapper': (record) => JSON.stringify({ wrapped: record }),
};
const cases = Object.keys(records).flatMap((record) => Object.keys(forms).map((form) => [record, form] as const));

async function batchOf(input: string, more: Partial<BatchSettings> = {}): Promise<ImportBatch> {
  async function* chunks(): AsyncGenerator<{ data: Buffer; read: number }, void> {
    yield { data: Buffer.from(input), read: input.length };
  }
  for await (const batch of new BatchReader({ ...settings, ...more }).read(chunks())) return batch;
  throw new Error('no batch');
}

test.each(cases)('%s in %s', async (name, form) => {
  const record = records[name]!;
  for (const restore of [false, true]) {
    const batch = await batchOf(forms[form]!(record), { restore });
    expect(batch.skipped).toEqual([]);
    expect(batch.json.length).toBeGreaterThan(0);
    expect(batch.json.map((json) => JSON.parse(json) as unknown)).toEqual(batch.records);
    expect(batch.json.filter((json) => json.includes('\n') || !json.startsWith('{"kind":"'))).toEqual([]);
    if ('tweet' in record) expect(batch.records?.at(-1)).toHaveProperty('tweet.entities');
    const observed = Object.values(batch.records?.at(-1) ?? {}).filter((member) => typeof member === 'object');
    for (const each of observed) expect(each).toHaveProperty('observed_at');
  }
});

test('the JSON of a line that the program would print in the same way is the same text', async () => {
  const { json, records: read } = await batchOf(forms['one line']!(tweet));
  expect(json).toEqual(read?.map((record) => JSON.stringify(record)));
});

test('a record with two kinds does not start with the wrong one', async () => {
  const text = forms['one line']!(tweet).replace('{', '{"kind":"delete",');
  const { json } = await batchOf(text);
  expect(json).toEqual([expect.stringMatching(/^\{"kind":"tweet","tweet":/)]);
});

test('the limit of the size is that of the JSON that the program prints', async () => {
  // A control character takes six bytes in JSON, and no other form. A letter takes two bytes, and six bytes where it is escaped.
  const note = (character: string): object => {
    const article = { title: 'é', text: character.repeat(250_000) };
    return { kind: 'tweet', tweet: { ...content, text: character.repeat(100_000), entities, article } };
  };
  for (const form of ['one line', 'escaped characters', 'several lines'])
    for (const [character, skipped] of [
      ['é', 0],
      ['\u0001', 1],
    ] as const)
      expect((await batchOf(forms[form]!(note(character)))).skipped).toHaveLength(skipped);
});
