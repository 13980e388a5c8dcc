// Tests server/assistant/conversation-state.ts and server/assistant/used-posts.ts.
/** Conversations in a SQLite file: records of earlier versions, purges, and removals of which no event tells. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { archiveReader } from '../../server/assistant/archive-reader.ts';
import { createAssistant, type AssistantParts } from '../../server/assistant/assistant.ts';
import { openAccountPool } from '../../server/assistant/journal-account-pool.ts';
import { openConversations, type ConversationOptions } from '../../server/assistant/journal-conversations.ts';
import { subjectOf } from '../../server/assistant/subject.ts';
import type { ArchiveRecord } from '../../server/domain/records.ts';
import type { Conversations, TweetsAndUsers } from '../../server/ports/conversations.ts';
import type { Store } from '../../server/ports/storage.ts';
import { sql } from '../../server/archive/sql.ts';
import { emptyDisk, memoryStore } from '../ports/reference/store.ts';
import { openInFolder } from '../support/open-in-folder.ts';
import { openServiceArchive, type ServiceArchive } from '../support/stored-archive.ts';
import { until } from '../support/until.ts';

const { folder, opened } = openInFolder();
const hour = 3_600_000;
const secret = 'secretword';
const never = new AbortController().signal;
const tweets = (...ids: string[]): TweetsAndUsers => ({ tweetIds: new Set(ids), userIds: new Set() });
let time = Date.UTC(2026, 8, 1);

const open = (store: Store, more: Partial<ConversationOptions> = {}): Promise<Conversations> =>
  openConversations({ store, secret: Buffer.alloc(32, 7), ttlMs: hour, waitMs: 1_000, now: () => time, ...more });

async function begin(conversations: Conversations, used = tweets('1')): Promise<string> {
  const conversation = await conversations.start('key', '1');
  await conversation.append({ prompt: null, answer: secret }, used);
  conversation.release();
  return conversation.id;
}

let archive: ServiceArchive;

/** The records of the conversations. */
async function journalText(): Promise<string> {
  const rows = await archive.engine.run<{ record: string | null }>(
    sql`SELECT record FROM social_data.change WHERE log = 'conversations' ORDER BY seq`,
  );
  return rows.map(({ record }) => record ?? '').join('\n');
}
/** The bytes of all files of the data directory. */
async function filesText(): Promise<string> {
  const names = await readdir(folder.path);
  return (await Promise.all(names.map((name) => readFile(join(folder.path, name), 'latin1').catch(() => '')))).join('');
}
async function openStore(): Promise<Store> {
  archive = await openServiceArchive(folder.path);
  opened.push(archive);
  return archive.store;
}
async function reopen(): Promise<Store> {
  for (const each of opened.splice(0)) await each.close();
  return openStore();
}

describe('a purge', () => {
  test('removes the text of expired and ended conversations, and of turns beyond the limit, and keeps the others', async () => {
    const conversations = await open(await openStore());
    await begin(conversations);
    time += hour;
    const long = await conversations.start('key', '2');
    for (let n = 0; n < 25; n++) await long.append({ prompt: null, answer: `answer-${n};` }, tweets('2'));
    long.release();
    const ended = await begin(conversations, tweets('1', '3'));
    await conversations.endUsing(tweets('3'));
    expect((await journalText()).match(/secretword|answer-4;/g)).toEqual([secret, 'answer-4;', secret]);
    await conversations.purge();
    expect((await journalText()).match(/secretword|answer-[45];/g)).toEqual(['answer-5;']);
    await archive.engine.erased.purge();
    expect((await filesText()).match(/secretword|answer-[45];/g)).toEqual(['answer-5;']);
    const again = await open(await reopen());
    await expect(again.resume('key', ended, never)).rejects.toMatchObject({ status: 409 });
    expect((await again.resume('key', long.id, never)).turns).toHaveLength(20);
  });

  test('writes nothing where no text is to be removed', async () => {
    const store = await openStore();
    const conversations = await open(store);
    await begin(conversations);
    const before = await journalText();
    await conversations.purge();
    expect(await journalText()).toBe(before);
  });

  test('that fails changes nothing, and the next one removes the text', async () => {
    const disk = emptyDisk();
    const store = memoryStore(disk);
    const conversations = await open(store);
    await begin(conversations);
    store.fail();
    await expect(conversations.endUsing(tweets('1'))).rejects.toThrow();
    await expect(conversations.purge()).rejects.toThrow();
    store.repair();
    const journalHas = async (text: string): Promise<boolean> => {
      const lines: string[] = [];
      const journal = await memoryStore(disk).journal('conversations');
      await journal.replay((json) => void lines.push(json.toString()));
      return lines.join().includes(text);
    };
    expect(await journalHas(secret)).toBe(true);
    await conversations.purge();
    expect(await journalHas(secret)).toBe(false);
  });

  test('of the schedule comes at once with 0, and only from the process that may', async () => {
    const store = await openStore();
    let isLeader = false;
    const conversations = await open(store, { purge: { withinMs: 0, mayRun: () => isLeader } });
    await begin(conversations);
    await conversations.endUsing(tweets('1'));
    expect(await journalText()).toContain(secret);
    conversations.stop();
    isLeader = true;
    const leader = await open(await reopen(), { purge: { withinMs: 0, mayRun: () => isLeader } });
    await until(async () => !(await journalText()).includes(secret));
    leader.stop();
  });
});

test('conversations of version 1.2.0 end, because nobody knows what their answers have used, and leave the disk', async () => {
  const store = await openStore();
  const conversations = await open(store);
  const ids = [await begin(conversations), await begin(conversations)];
  const turn = { prompt: null, answer: secret };
  const journal = await (await reopen()).journal('conversations');
  await journal.replay(() => {});
  await journal.rewrite(() => [
    JSON.stringify({ kind: 'turn', id: ids[0], tweet_id: '1', at: time, turn }),
    JSON.stringify({ kind: 'whole', id: ids[1], tweet_id: '1', at: time, turns: [turn] }),
    JSON.stringify({ kind: 'used', id: ids[0], at: time }),
  ]);
  const upgraded = await open(await reopen());
  for (const id of ids) await expect(upgraded.resume('key', id, never)).rejects.toMatchObject({ status: 409 });
  const kept = await begin(upgraded);
  expect(await upgraded.endUsing(tweets('99'))).toBe(0);
  await upgraded.purge();
  expect((await journalText()).split(secret)).toHaveLength(2);
  const conversation = await upgraded.resume('key', kept, never);
  expect(conversation.turns).toEqual([turn]);
});

describe('a removal of which no event tells', () => {
  const records: ArchiveRecord[] = [
    ...['1', '2'].map((id): ArchiveRecord => ({ kind: 'user', user: { id, username: `u${id}`, name: `U${id}` } })),
    { kind: 'tweet', tweet: { id: '1', author_id: '1', text: secret, created_at: '2026-01-01T00:00:00Z' } },
    {
      kind: 'tweet',
      tweet: { id: '2', author_id: '2', text: 'hello', created_at: '2026-01-01T00:00:00Z', quoted_tweet_id: '1' },
    },
  ];

  /** An assistant on a real archive; `asked` runs while its provider answers. */
  async function assistantOn(asked: { run: () => Promise<void> }) {
    const store = await openStore();
    const { archive: content, platform } = archive;
    await content.apply(structuredClone(records));
    const pool = await openAccountPool({ store, quota: 20, deadlineMs: 60_000 });
    pool.add({ id: 'a' }, 'capable');
    const conversations = await open(store);
    let questions = 0;
    const provider: AssistantParts['provider'] = {
      probe: async () => {},
      async ask() {
        questions++;
        await asked.run();
        return { summary: secret, citations: [], model: 'm' };
      },
    };
    const assistant = createAssistant({
      ...{ pool, provider, conversations, resolver: { resolve: async () => null } },
      requireTweet: (tweetId) => platform.tweet(tweetId),
      subjectOf: (tweetId, call) => subjectOf(platform, tweetId, call),
      archiveFor: (call) => archiveReader(platform, call),
      logger: { warn: () => {} },
    });
    const remove = async (tweet_id: string): Promise<void> =>
      void (await content.apply([{ kind: 'delete', tweet_id }]));
    const explain = (query: { tweet_id: string } | { conversation_id: string; prompt: string }) =>
      assistant.explain({ ...query, keyId: 'key', signal: never });
    return { conversations, remove, explain, questions: () => questions };
  }

  test('is found before the answer is given: nothing of it is kept', async () => {
    const asked = { run: async () => {} };
    const { conversations, remove, explain } = await assistantOn(asked);
    asked.run = () => remove('1');
    await expect(explain({ tweet_id: '2' })).rejects.toMatchObject({
      status: 503,
      message: 'a post that the answer used was removed meanwhile; ask again',
    });
    expect(conversations.isEmpty).toBe(true);
    asked.run = () => remove('2');
    await expect(explain({ tweet_id: '2' })).rejects.toMatchObject({ status: 404 });
    await conversations.purge();
    expect(await journalText()).not.toContain(secret);
  });

  test('is found before a conversation continues: the provider is not asked', async () => {
    const { conversations, remove, explain, questions } = await assistantOn({ run: async () => {} });
    const { conversation_id } = await explain({ tweet_id: '2' });
    await remove('1');
    await expect(explain({ conversation_id, prompt: 'And?' })).rejects.toMatchObject({ status: 409 });
    expect([questions(), conversations.isEmpty]).toEqual([1, true]);
  });
});
