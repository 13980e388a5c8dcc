/** The frames that a Jetstream server sent, as its maintainers published them. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { readFrame, type StreamEvent } from '../../../server/follow/bluesky/frames.ts';

const file = fileURLToPath(new URL('../../../../shared/upstream/jetstream/golden_v1.jsonl', import.meta.url));

(existsSync(file) ? describe : describe.skip)('the published frames', () => {
  const frames = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];

  test('are all events', () => {
    const events = frames.map((frame) => readFrame(Buffer.from(frame)) as StreamEvent);
    const shown = events.map((event) =>
      event.kind === 'commit' ? `${event.operation} ${event.collection}` : event.kind,
    );
    expect(shown).toEqual([
      'create app.bsky.feed.like',
      'create app.bsky.feed.post',
      'create app.bsky.feed.repost',
      'create app.bsky.graph.follow',
      'update app.bsky.actor.profile',
      'delete org.hypercerts.claim.activity',
      'update place.stream.broadcast.origin',
      'identity',
      'account',
      'create app.bsky.graph.block',
    ]);
  });
});
