import { expect, test } from '@jest/globals';
import { createAssistant } from '../../server/assistant/assistant.ts';
import { openConversations } from '../../server/assistant/journal-conversations.ts';
import { openAccountPool } from '../../server/assistant/journal-account-pool.ts';
import type { Provider, Reply } from '../../server/ports/assistant-provider.ts';
import { fullArchive, subject } from './providers/subjects.ts';
import { emptyDisk, memoryStore } from '../ports/reference/store.ts';

test('limits concurrent questions, returns 503 for further ones, and accepts another one after an answer', async () => {
  const store = memoryStore(emptyDisk());
  const pool = await openAccountPool({ store, quota: 20, deadlineMs: 60_000 });
  pool.add({ id: 'a' }, 'capable');
  const conversations = await openConversations({
    store,
    secret: Buffer.alloc(32),
    ttlMs: 60_000,
    waitMs: 60_000,
    now: pool.now,
  });
  const pending: ((reply: Reply) => void)[] = [];
  const provider: Provider = {
    probe: async () => {},
    ask: () => new Promise((resolve) => pending.push(resolve)),
  };
  const assistant = createAssistant({
    pool,
    provider,
    conversations,
    resolver: { resolve: async () => null },
    requireTweet: async () => {},
    subjectOf: async () => subject('hello'),
    archiveFor: () => fullArchive,
    logger: { warn: () => {} },
    maxConcurrent: 2,
  });
  const explain = (): Promise<unknown> =>
    assistant.explain({ tweet_id: '1', keyId: 'k', signal: new AbortController().signal });
  const answered = [explain(), explain()];
  await expect(explain()).rejects.toMatchObject({
    status: 503,
    headers: { 'Retry-After': '5' },
    message: 'the assistant has 2 open questions; retry in 5 s',
  });
  // An invalid question still gets its error, and rejected questions are not charged.
  await expect(assistant.explain({ keyId: 'k', signal: new AbortController().signal })).rejects.toMatchObject({
    status: 400,
  });
  while (pending.length < 2) await new Promise((resolve) => setImmediate(resolve));
  expect(pool.status().capacity.used_24h).toBe(2);
  for (const answer of pending.splice(0)) answer({ summary: 'Fine.', citations: [], model: 'm' });
  await Promise.all(answered);
  const next = explain();
  while (pending.length < 1) await new Promise((resolve) => setImmediate(resolve));
  pending[0]!({ summary: 'Fine.', citations: [], model: 'm' });
  await expect(next).resolves.toMatchObject({ summary: 'Fine.' });
});
