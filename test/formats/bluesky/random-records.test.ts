/** Whatever people publish, the records are valid by spec/archive.yaml, and nothing throws. */
import { describe, expect, test } from '@jest/globals';
import { validationError } from '../../../server/formats/native.ts';
import { defaultBlobUrls } from '../../../server/formats/bluesky/embeds.ts';
import { readFrame } from '../../../server/follow/bluesky/frames.ts';
import { userOfRecord, userOfView } from '../../../server/formats/bluesky/profiles.ts';
import {
  afterEdit,
  followOf,
  tweetOfPost,
  tweetOfRepost,
  type MappingContext,
} from '../../../server/formats/bluesky/records.ts';
import { postId } from '../../../server/domain/tid.ts';
import { readPostView } from '../../../server/formats/bluesky/views.ts';
import type { Fields } from '../../../server/formats/recognised.ts';
import { rounds } from '../../support/rounds.ts';
import fc, { anyCharacter } from '../../support/property.ts';

const alice = 'did:plc:ewvi7nxzyoun6zhxrhs64oiz';
const uri = `at://${alice}/app.bsky.feed.post/3lbyeqkxpfk2m`;
const seenAt = Date.parse('2026-11-22T12:00:00.000Z');
const context: MappingContext = {
  blobUrls: defaultBlobUrls,
  idOf: (address) => postId(address, () => undefined),
  handleOf: () => undefined,
};

// Each value is mostly of the lexicon's shape, and sometimes anything.
const anything = fc.oneof(fc.constant(undefined), fc.jsonValue({ maxDepth: 2 }), fc.double(), fc.constant('did:plc:x'));
const mostly = <Value>(value: fc.Arbitrary<Value>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 12, arbitrary: value as fc.Arbitrary<unknown> }, { weight: 1, arbitrary: anything });
const text = mostly(fc.string({ unit: anyCharacter, maxLength: 300 }));
const did = mostly(fc.constantFrom(alice, 'did:web:example.com', 'did:plc:z72i7hdynmk6r22z27h6tvur'));
const rkey = fc.oneof(fc.constant('3lbyeqkxpfk2m'), fc.stringMatching(/^[A-Za-z0-9._:~-]{1,30}$/));
const collection = fc.constantFrom('app.bsky.feed.post', 'app.bsky.graph.list', 'app.bsky.feed.generator');
const address = mostly(
  fc.tuple(did, collection, rkey).map(([owner, name, key]) => `at://${String(owner)}/${name}/${key}`),
);
const strongRef = mostly(fc.record({ uri: address, cid: text }));
const time = mostly(
  fc.oneof(
    fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    fc.constantFrom(
      '2026-11-22T11:00:00Z',
      '2026-11-22T11:00:00.123456+05:30',
      '1677-01-01T00:00:00Z',
      '2016-12-31T23:59:60Z',
    ),
  ),
);
const link = mostly(
  fc.oneof(fc.webUrl(), fc.constantFrom('javascript:alert(1)', 'https://', 'https://media.tenor.com/a.gif')),
);
const blob = mostly(
  fc.record({ $type: fc.constant('blob'), ref: mostly(fc.record({ $link: text })), mimeType: text, size: anything }),
);
const labels = mostly(fc.record({ values: mostly(fc.array(mostly(fc.record({ val: text })))) }));
const position = mostly(fc.integer({ min: -3, max: 400 }));
const feature = mostly(
  fc.record({
    $type: fc.constantFrom(
      'app.bsky.richtext.facet#mention',
      'app.bsky.richtext.facet#link',
      'app.bsky.richtext.facet#tag',
    ),
    did,
    uri: link,
    tag: text,
  }),
);
const facet = mostly(
  fc.record({
    index: mostly(fc.record({ byteStart: position, byteEnd: position })),
    features: mostly(fc.array(feature)),
  }),
);
const images = fc.record({
  $type: fc.constant('app.bsky.embed.images'),
  images: mostly(fc.array(mostly(fc.record({ image: blob, alt: text })))),
});
const external = fc.record({
  $type: fc.constant('app.bsky.embed.external'),
  external: mostly(fc.record({ uri: link, title: text, description: text, thumb: blob })),
});
const video = fc.record({ $type: fc.constant('app.bsky.embed.video'), video: blob, presentation: text });
const quote = fc.record({ $type: fc.constant('app.bsky.embed.record'), record: strongRef });
const media = mostly(fc.oneof(images, external, video));
const embed = mostly(
  fc.oneof(
    images,
    external,
    video,
    quote,
    fc.record({ $type: fc.constant('app.bsky.embed.recordWithMedia'), record: mostly(quote), media }),
  ),
);
const post = fc.record(
  {
    text,
    createdAt: time,
    facets: mostly(fc.array(facet)),
    reply: mostly(fc.record({ parent: strongRef, root: strongRef })),
    embed,
    langs: mostly(fc.array(text)),
    labels,
    tags: mostly(fc.array(text)),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Fields>;
const profile = fc.record(
  {
    did,
    handle: mostly(fc.oneof(fc.domain(), fc.constant('handle.invalid'))),
    displayName: text,
    description: text,
    createdAt: time,
    avatar: mostly(fc.oneof(link, blob)),
    banner: mostly(fc.oneof(link, blob)),
    followersCount: anything,
    followsCount: anything,
    postsCount: mostly(fc.nat()),
    pinnedPost: strongRef,
    verification: anything,
    labels: mostly(fc.array(labels)),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<Fields>;

const runs = { numRuns: rounds(1500) };

describe('random records of people', () => {
  test('become valid tweets, retweets and edits, or nothing', () => {
    let tweets = 0;
    fc.assert(
      fc.property(post, (record) => {
        const mapped = tweetOfPost({ uri, did: alice, record, seenAt }, context);
        if (mapped === undefined) return;
        tweets++;
        const { tweet } = mapped;
        const repost = { uri: `${uri}x`, did: alice, record, seenAt };
        for (const each of [tweet, afterEdit(tweet, seenAt), tweetOfRepost(repost, tweet, context)])
          expect(validationError({ kind: 'tweet', tweet: each })).toBeUndefined();
        expect(Date.parse(tweet.created_at)).toBeLessThanOrEqual(seenAt);
      }),
      runs,
    );
    expect(tweets).toBeGreaterThan(runs.numRuns / 2);
  });

  test('views become valid tweets and profiles, or nothing', () => {
    const view = fc.record({
      uri: fc.oneof(fc.constant(uri), address),
      author: fc.oneof(
        profile,
        profile.map((value) => ({ ...value, did: alice })),
      ),
      record: post,
      embed: anything,
      indexedAt: time,
      likeCount: anything,
      replyCount: mostly(fc.nat()),
      labels: mostly(fc.array(labels)),
    });
    fc.assert(
      fc.property(view, (value) => {
        const read = readPostView(value as Fields, seenAt, context);
        if (read === undefined) return;
        expect(validationError({ kind: 'tweet', tweet: read.tweet })).toBeUndefined();
        expect(validationError({ kind: 'user', user: read.author })).toBeUndefined();
      }),
      runs,
    );
  });

  test('profiles become valid, before and after a change of the record', () => {
    fc.assert(
      fc.property(profile, profile, (value, change) => {
        for (const form of ['basic', 'detailed'] as const) {
          const user = userOfView(value, form, seenAt, context);
          if (user === undefined) continue;
          expect(validationError({ kind: 'user', user })).toBeUndefined();
          const after = userOfRecord(change, user, seenAt, context);
          expect(validationError({ kind: 'user', user: after })).toBeUndefined();
        }
      }),
      runs,
    );
  });

  test('follows are valid, or nothing', () => {
    fc.assert(
      fc.property(fc.record({ subject: did, createdAt: time }), (record) => {
        const follow = followOf({ did: alice, record, seenAt });
        if (follow !== undefined) expect(validationError(follow)).toBeUndefined();
      }),
      runs,
    );
  });

  test('frames are events or named faults', () => {
    const event = fc.record({
      did,
      time_us: mostly(fc.integer({ min: 1 })),
      kind: fc.constantFrom('commit', 'identity', 'account', 'other'),
      commit: mostly(
        fc.record({
          operation: fc.constantFrom('create', 'update', 'delete'),
          collection,
          rkey: mostly(rkey),
          record: mostly(post),
        }),
      ),
      account: anything,
      identity: anything,
    });
    fc.assert(
      fc.property(fc.oneof(event, anything), (value) => {
        const read = readFrame(Buffer.from(JSON.stringify(value) ?? ''));
        if (typeof read === 'string') expect(['unreadable', 'unknown event', 'too large']).toContain(read);
        else expect(read.time).toBeGreaterThan(0);
      }),
      runs,
    );
  });
});
