/** Uploads of the operator's page, which the server imports while it answers requests. */
import { expect, test } from '@jest/globals';
import { Uploads } from '../../server/operate/uploads.ts';
import { memorySink } from '../ports/reference/import-sink.ts';
import { temporaryFolder } from '../support/folder.ts';

test('an upload is imported in steps between which the server answers requests', async () => {
  const folder = await temporaryFolder();
  const line = (n: number): string =>
    JSON.stringify({
      kind: 'tweet',
      tweet: { id: String(n), text: `t${n}`, created_at: '2026-01-01T00:00:00Z', author_id: '1' },
    });
  const content = Buffer.from(Array.from({ length: 250 }, (_, n) => line(n + 1)).join('\n'));
  const sink = memorySink();
  const uploads = new Uploads(folder.path, sink, (error) => expect(error).toBeUndefined());
  try {
    const { id } = await uploads.begin({ name: 'a.jsonl', bytes: content.length, modified: 0 });
    await uploads.add(id, 0, content);
    const { promise, resolve } = Promise.withResolvers<unknown>();
    uploads.start(id, false, async ({ state }) => resolve(state));
    expect(await promise).toBe('done');
    expect(sink.batches).toEqual([200, 50]);
  } finally {
    await uploads.stop();
    await folder.dispose();
  }
});
