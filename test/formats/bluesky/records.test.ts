// Tests server/formats/bluesky/facets.ts.
import { describe, expect, test } from '@jest/globals';
import type { ArchivedTweet, ArchivedUser } from '../../../server/domain/records.ts';
import { validationError } from '../../../server/formats/native.ts';
import { defaultBlobUrls } from '../../../server/formats/bluesky/embeds.ts';
import { userOfRecord, userOfView } from '../../../server/formats/bluesky/profiles.ts';
import {
  followOf,
  tweetOfPost,
  afterEdit,
  tweetOfRepost,
  type MappingContext,
} from '../../../server/formats/bluesky/records.ts';
import { postId, userId } from '../../../server/domain/tid.ts';
import { readPostView } from '../../../server/formats/bluesky/views.ts';
import { hasLexicons, recordFaults } from '../../support/bluesky/lexicons.ts';

const alice = 'did:plc:ewvi7nxzyoun6zhxrhs64oiz';
const bob = 'did:plc:z72i7hdynmk6r22z27h6tvur';
const uri = `at://${alice}/app.bsky.feed.post/3lbyeqkxpfk2m`;
const quotedUri = `at://${bob}/app.bsky.feed.post/3lbyeqkxpfk22`;
const seenAt = Date.parse('2026-11-22T12:00:00.000Z');
const createdAt = '2026-11-22T11:59:58.123Z';
const cid = 'bafkreieajxclqzwk2mczx7hxmoboqpuiveqlbm35gsda5xlaqfmlryu4ri';
const context: MappingContext = {
  blobUrls: defaultBlobUrls,
  idOf: (address) => postId(address, () => undefined),
  handleOf: (did) => (did === bob ? 'bob.test' : undefined),
};
const blob = (mimeType = 'image/jpeg') => ({ $type: 'blob', ref: { $link: cid }, mimeType, size: 1000 });
const ref = (address: string) => ({ uri: address, cid });

/** The tweet of a post record; the record must be one that the lexicon permits, unless the test says otherwise. */
function tweetOf(members: object, isValid = true): ArchivedTweet {
  const record = { $type: 'app.bsky.feed.post', text: '', createdAt, ...members };
  if (hasLexicons && isValid) expect(recordFaults(record)).toEqual([]);
  const mapped = tweetOfPost({ uri, did: alice, record, seenAt }, context);
  if (mapped === undefined) throw new Error('no tweet');
  expect(validationError({ kind: 'tweet', tweet: mapped.tweet })).toBeUndefined();
  return mapped.tweet;
}

/** A facet of the part of a text. */
function facet(text: string, part: string, feature: object): object {
  const byteStart = Buffer.byteLength(text.slice(0, text.indexOf(part)));
  return { index: { byteStart, byteEnd: byteStart + Buffer.byteLength(part) }, features: [feature] };
}
const mention = (did: string) => ({ $type: 'app.bsky.richtext.facet#mention', did });
const link = (target: string) => ({ $type: 'app.bsky.richtext.facet#link', uri: target });
const tag = (name: string) => ({ $type: 'app.bsky.richtext.facet#tag', tag: name });

describe('a post', () => {
  test('has the id of its record key, its address, author, source and language', () => {
    expect(tweetOf({ text: 'Fish &amp; chips', langs: ['en-GB', 'de'] })).toMatchObject({
      id: context.idOf(uri),
      uri,
      // The platform escapes nothing, so nothing is decoded.
      text: 'Fish &amp; chips',
      created_at: createdAt,
      author_id: userId(alice),
      conversation_id: context.idOf(uri),
      lang: 'en',
      langs: ['en', 'de'],
      source: 'Bluesky',
    });
  });

  test.each<[unknown, string | undefined, string[] | undefined]>([
    [['en', 'ja'], 'en', ['en', 'ja']],
    [['', 'ja'], 'ja', undefined],
    [['EN', 'en-US', 'pt-BR'], 'en', ['en', 'pt']],
    [[17, null, 'de'], 'de', undefined],
    [['1', 'x'], undefined, undefined],
    ['en', undefined, undefined],
    [undefined, undefined, undefined],
  ])('has each of its languages %j, the first one as its language', (langs, lang, several) => {
    const tweet = tweetOf({ langs }, false);
    expect([tweet.lang, tweet.langs]).toEqual([lang, several]);
    // An edit can take a language away.
    expect(afterEdit(tweet, seenAt).langs).toEqual(several ?? []);
  });

  test.each([
    ['in the future', '2027-01-01T00:00:00Z', '2026-11-22T12:00:00.000Z'],
    ['long ago', '1977-05-25T00:00:00Z', '1977-05-25T00:00:00.000Z'],
    ['with another zone', '2026-11-22T12:59:00+01:00', '2026-11-22T11:59:00.000Z'],
    ['unreadable', 'yesterday', '2026-11-22T12:00:00.000Z'],
    ['not a date', '2026-02-31T99:00:00Z', '2026-11-22T12:00:00.000Z'],
    ['no text', 17, '2026-11-22T12:00:00.000Z'],
  ])('whose client says a time %s', (_name, said, expected) => {
    expect(tweetOf({ createdAt: said }, false).created_at).toBe(expected);
  });

  test('counts the bytes of facets, also behind emoji', () => {
    const text = '👩‍👩‍👧 naïve @bob.test reads https://example.com/a and #größe';
    const tweet = tweetOf({
      text,
      facets: [
        facet(text, '#größe', tag('größe')),
        facet(text, '@bob.test', mention(bob)),
        facet(text, 'https://example.com/a', link('https://example.com/a?utm=1')),
      ],
    });
    expect(tweet.entities).toEqual({
      mentions: [{ username: 'bob.test', id: userId(bob) }],
      hashtags: ['größe'],
      cashtags: [],
      urls: [{ url: 'https://example.com/a?utm=1', display_url: 'https://example.com/a' }],
    });
  });

  test('leaves out facets outside the text, and links that are no web addresses', () => {
    const text = 'short link';
    const at = (byteStart: unknown, byteEnd: unknown, feature: object) => ({
      index: { byteStart, byteEnd },
      features: [feature],
    });
    const tweet = tweetOf(
      {
        text,
        facets: [
          at(0, 100, tag('far')),
          at(-1, 3, tag('negative')),
          at(3, 3, tag('empty')),
          at('0', 3, tag('text')),
          at(0, 5, link('javascript:alert(1)')),
          at(0, 5, mention('not a did')),
          at(0, 5, { $type: 'app.bsky.richtext.facet#other' }),
          null,
        ],
      },
      false,
    );
    expect(tweet.entities).toEqual({ mentions: [], hashtags: [], cashtags: [], urls: [] });
  });

  test('a link whose position cuts a character shows its address', () => {
    const { entities } = tweetOf({
      text: 'aé',
      facets: [{ index: { byteStart: 1, byteEnd: 2 }, features: [link('https://a.example/')] }],
    });
    expect(entities?.urls).toEqual([{ url: 'https://a.example/', display_url: 'https://a.example/' }]);
  });

  test('a word with # is no hashtag without a facet; tags of the record are; $ makes a cashtag', () => {
    const tweet = tweetOf({ text: 'buy $POND #now', tags: ['crypto', '$AAPL', '#double', ' '] });
    expect(tweet.entities?.hashtags).toEqual(['crypto', 'double']);
    expect(tweet.entities?.cashtags).toEqual(['POND', 'AAPL']);
  });

  test('a mention with another text than the handle has the current handle, or a placeholder', () => {
    const text = '@Bobby and @Nobody';
    const facets = [facet(text, '@Bobby', mention(bob)), facet(text, '@Nobody', mention(alice))];
    expect(tweetOf({ text, facets }).entities?.mentions).toEqual([
      { username: 'bob.test', id: userId(bob) },
      { username: `${userId(alice).slice(0, 12)}.invalid`, id: userId(alice) },
    ]);
  });

  test('an answer names its parent, its conversation and the user it answers', () => {
    const reply = { parent: ref(quotedUri), root: ref(`at://${bob}/app.bsky.feed.post/3lbyeqkxpfk23`) };
    expect(tweetOf({ reply })).toMatchObject({
      in_reply_to_id: context.idOf(quotedUri),
      conversation_id: context.idOf(`at://${bob}/app.bsky.feed.post/3lbyeqkxpfk23`),
      in_reply_to_username: 'bob.test',
    });
  });

  test('self labels make it sensitive; others do not', () => {
    const labels = (...values: string[]) => ({
      labels: { $type: 'com.atproto.label.defs#selfLabels', values: values.map((val) => ({ val })) },
    });
    for (const label of ['porn', 'sexual', 'nudity', 'graphic-media'])
      expect(tweetOf(labels(label)).possibly_sensitive).toBe(true);
    expect(tweetOf(labels('bot')).possibly_sensitive).toBeUndefined();
  });

  test('without a text there is no tweet', () => {
    const post = { uri, did: alice, seenAt, record: { createdAt } };
    expect(tweetOfPost(post, context)).toBeUndefined();
  });
});

describe('an embed', () => {
  const image = `https://cdn.bsky.app/img/feed_fullsize/plain/${alice}/${cid}@jpeg`;
  const images = { $type: 'app.bsky.embed.images', images: [{ image: blob(), alt: 'A cat' }] };
  const external = (target: string, rest: object = {}) => ({
    $type: 'app.bsky.embed.external',
    external: { uri: target, title: '', description: 'About', ...rest },
  });

  test('pictures are photos, by the content identifier', () => {
    expect(tweetOf({ embed: images }).media).toEqual([{ type: 'photo', url: image, alt_text: 'A cat' }]);
    const aspectRatio = { width: 1, height: 1 };
    const item = { $type: 'app.bsky.embed.gallery#image', image: blob(), alt: '', aspectRatio };
    const gallery = { $type: 'app.bsky.embed.gallery', items: [item] };
    expect(tweetOf({ embed: gallery }).media).toEqual([{ type: 'photo', url: image }]);
  });

  test('the first form of blobs is read too; an invalid identifier is not', () => {
    const of = (value: unknown) => tweetOf({ embed: { ...images, images: [{ image: value, alt: '' }] } }, false).media;
    expect(of({ cid, mimeType: 'image/jpeg' })).toEqual([{ type: 'photo', url: image }]);
    expect(of({ $type: 'blob', ref: { $link: '../../etc' } })).toBeUndefined();
    expect(of('blob')).toBeUndefined();
  });

  test('a video has a preview and its page, and no MP4; a silent loop is an animated GIF', () => {
    const video = { $type: 'app.bsky.embed.video', video: blob('video/mp4') };
    const media = {
      url: `https://video.bsky.app/watch/${encodeURIComponent(alice)}/${cid}/thumbnail.jpg`,
      expanded_url: `https://bsky.app/profile/${alice}/post/3lbyeqkxpfk2m`,
    };
    expect(tweetOf({ embed: video }).media).toEqual([{ type: 'video', ...media }]);
    expect(tweetOf({ embed: { ...video, presentation: 'gif', alt: 'A wave' } }).media).toEqual([
      { type: 'animated_gif', ...media, alt_text: 'A wave' },
    ]);
  });

  test('a link is a card, with an empty title too; its domain comes from the address', () => {
    expect(tweetOf({ embed: external('https://www.example.com/a', { thumb: blob() }) }).card).toEqual({
      url: 'https://www.example.com/a',
      title: '',
      description: 'About',
      image: `https://cdn.bsky.app/img/feed_thumbnail/plain/${alice}/${cid}@jpeg`,
      domain: 'www.example.com',
    });
    expect(tweetOf({ embed: external('https://') }, false).card).toBeUndefined();
    expect(tweetOf({ embed: external('javascript:alert(1)') }).card).toBeUndefined();
  });

  test('a link to a host of animated pictures is one', () => {
    const { media, card } = tweetOf({ embed: external('https://media.tenor.com/x/AAAAC/cat.gif?hh=1&ww=2') });
    expect(media).toEqual([{ type: 'animated_gif', url: 'https://media.tenor.com/x/AAAAC/cat.gif?hh=1&ww=2' }]);
    expect(card).toBeUndefined();
    const described = external('https://media.tenor.com/x/cat.gif', { description: 'ALT: A cat jumps' });
    expect(tweetOf({ embed: described }).media).toMatchObject([{ alt_text: 'A cat jumps' }]);
  });

  test('the description of a picture is kept up to the limit of the archive, and a blank one is none', () => {
    const of = (alt: unknown) =>
      tweetOf({ embed: { ...images, images: [{ image: blob(), alt }] } }, false).media?.[0]?.alt_text;
    expect(of('x'.repeat(20_000))).toHaveLength(10_000);
    expect([of(' \n'), of(7), of(undefined)]).toEqual([undefined, undefined, undefined]);
  });

  test('only a post is quoted: not a list, a feed or a starter pack', () => {
    const quote = (address: string) =>
      tweetOf({ embed: { $type: 'app.bsky.embed.record', record: ref(address) } }).quoted_tweet_id;
    expect(quote(quotedUri)).toBe(context.idOf(quotedUri));
    for (const collection of ['app.bsky.graph.list', 'app.bsky.feed.generator', 'app.bsky.graph.starterpack'])
      expect(quote(`at://${bob}/${collection}/3lbyeqkxpfk22`)).toBeUndefined();
  });

  test('a quote with media has both', () => {
    const record = { $type: 'app.bsky.embed.record', record: ref(quotedUri) };
    const whole = (media: object) => ({ $type: 'app.bsky.embed.recordWithMedia', record, media });
    expect(tweetOf({ embed: whole(images) })).toMatchObject({
      quoted_tweet_id: context.idOf(quotedUri),
      media: [{ type: 'photo', url: image, alt_text: 'A cat' }],
    });
    expect(tweetOf({ embed: whole(external('https://example.com/')) })).toMatchObject({
      quoted_tweet_id: context.idOf(quotedUri),
      card: { domain: 'example.com' },
    });
    // Nesting that the lexicon does not permit ends.
    const nested = tweetOf({ embed: whole(whole(images)) }, false);
    expect(nested.quoted_tweet_id).toBe(context.idOf(quotedUri));
    expect(nested.media).toBeUndefined();
  });
});

describe('other records', () => {
  test('a repost has the content of the original, and no counts', () => {
    const original = { ...tweetOf({ text: 'original', langs: ['de'], tags: ['a'] }), like_count: 7 };
    const address = `at://${bob}/app.bsky.feed.repost/3lbyeqkxpfk25`;
    const record = { $type: 'app.bsky.feed.repost', subject: ref(uri), createdAt };
    const tweet = tweetOfRepost({ uri: address, did: bob, record, seenAt }, original, context);
    expect(validationError({ kind: 'tweet', tweet })).toBeUndefined();
    expect(tweet).toMatchObject({
      id: context.idOf(address),
      uri: address,
      text: 'original',
      lang: 'de',
      author_id: userId(bob),
      created_at: createdAt,
      retweeted_tweet_id: original.id,
      entities: { hashtags: ['a'] },
    });
    expect(tweet.like_count).toBeUndefined();
  });

  test('a follow names both accounts; without an account there is none', () => {
    const follow = (subject: unknown) => followOf({ did: alice, seenAt, record: { subject, createdAt } });
    expect(follow(bob)).toEqual({
      kind: 'follow',
      follower_id: userId(alice),
      following_id: userId(bob),
      created_at: createdAt,
    });
    expect(follow('bob.test')).toBeUndefined();
  });

  const user = (view: object): ArchivedUser | undefined =>
    userOfView({ did: alice, ...view }, 'detailed', seenAt, context);

  test('a profile view has counts, pictures, verification and the pinned post', () => {
    const mapped = user({
      handle: 'Alice.Example.com',
      displayName: 'Alice',
      description: 'Tea',
      createdAt: '2023-04-24T00:00:00.000Z',
      followersCount: 3,
      followsCount: 2,
      postsCount: 1,
      avatar: 'https://cdn.bsky.app/img/avatar/plain/a/b@jpeg',
      banner: 'data:image/png;base64,',
      verification: { verifications: [], verifiedStatus: 'valid', trustedVerifierStatus: 'none' },
      pinnedPost: ref(uri),
    });
    expect(mapped).toEqual({
      id: userId(alice),
      did: alice,
      username: 'alice.example.com',
      name: 'Alice',
      description: 'Tea',
      created_at: '2023-04-24T00:00:00.000Z',
      followers_count: 3,
      following_count: 2,
      tweet_count: 1,
      verified: true,
      is_blue_verified: false,
      profile_image: 'https://cdn.bsky.app/img/avatar/plain/a/b@jpeg',
      profile_banner: '',
      pinned_tweet_ids: [context.idOf(uri)],
      observed_at: '2026-11-22T12:00:00.000Z',
    });
    expect(validationError({ kind: 'user', user: mapped! })).toBeUndefined();
  });

  test('accounts without a valid handle have names of their own', () => {
    for (const handle of ['handle.invalid', 'no-domain', '', 17, 'a..b', 'x.1']) {
      const mapped = user({ handle });
      expect(mapped?.username).toBe(`${userId(alice).slice(0, 12)}.invalid`);
      expect(mapped?.name).toBe(mapped?.username);
      expect(validationError({ kind: 'user', user: mapped! })).toBeUndefined();
    }
  });

  test('a profile record replaces what it can name, and removes what it does not have', () => {
    const before = user({
      handle: 'alice.test',
      displayName: 'Alice',
      description: 'Tea',
      avatar: 'https://a.example/',
    })!;
    const record = { $type: 'app.bsky.actor.profile', avatar: blob('image/png') };
    const after = userOfRecord(record, before, seenAt, context);
    expect(after).toMatchObject({ username: 'alice.test', name: 'alice.test', description: '' });
    expect(after.profile_image).toBe(`https://cdn.bsky.app/img/avatar/plain/${alice}/${cid}@jpeg`);
    expect(validationError({ kind: 'user', user: after })).toBeUndefined();
  });
});

describe('a post view', () => {
  const view = (rest: object = {}, record: object = {}) => ({
    uri,
    cid,
    author: { did: alice, handle: 'alice.test' },
    record: { $type: 'app.bsky.feed.post', text: 'hello', createdAt, ...record },
    indexedAt: '2026-11-22T11:00:00.000Z',
    replyCount: 1,
    repostCount: 2,
    likeCount: 3,
    quoteCount: 4,
    bookmarkCount: 5,
    ...rest,
  });

  test('has counts, and the time of the index where the client says a later one', () => {
    const post = readPostView(view(), seenAt, context);
    expect(post?.tweet).toMatchObject({
      created_at: '2026-11-22T11:00:00.000Z',
      reply_count: 1,
      retweet_count: 2,
      like_count: 3,
      quote_count: 4,
      bookmark_count: 5,
    });
    expect(post?.author).toMatchObject({ username: 'alice.test', did: alice });
  });

  test('labels of moderation are read while they are in force', () => {
    const labels = (...values: object[]) => ({
      labels: values.map((each) => ({ src: bob, uri, cts: createdAt, ...each })),
    });
    const read = (rest: object) => readPostView(view(rest), seenAt, context);
    expect(read(labels({ val: '!hide' }))?.isWithheld).toBe(true);
    expect(read(labels({ val: '!takedown', neg: true }))?.isWithheld).toBe(false);
    expect(read(labels({ val: '!takedown', exp: '2026-11-22T11:00:00.000Z' }))?.isWithheld).toBe(false);
    expect(read(labels({ val: 'porn' }))?.tweet.possibly_sensitive).toBe(true);
    expect(
      read({ author: { did: alice, handle: 'a.test', ...labels({ val: '!no-unauthenticated' }) } })?.isSignedInOnly,
    ).toBe(true);
  });

  test('a detached quote does not name the quoted post', () => {
    const embed = { $type: 'app.bsky.embed.record', record: ref(quotedUri) };
    const detached = { $type: 'app.bsky.embed.record#viewDetached', uri: quotedUri, detached: true };
    const read = (value: object, record: object) => readPostView(view({ embed: value }, record), seenAt, context);
    const plain = read({ $type: 'app.bsky.embed.record#view', record: detached }, { embed });
    expect(plain?.references.quoted).toBeUndefined();
    expect(plain?.tweet.quoted_tweet_id).toMatch(/^\d{19}$/);
    expect(plain?.tweet.quoted_tweet_id).not.toBe(context.idOf(quotedUri));
    const media = { $type: 'app.bsky.embed.images', images: [] };
    const both = { $type: 'app.bsky.embed.recordWithMedia', record: embed, media };
    const withMedia = { $type: 'app.bsky.embed.recordWithMedia#view', record: { record: detached }, media: {} };
    expect(read(withMedia, { embed: both })?.tweet.quoted_tweet_id).toBe(plain?.tweet.quoted_tweet_id);
  });

  test('a view whose author is not the owner of the record is not used', () => {
    expect(readPostView(view({ author: { did: bob, handle: 'bob.test' } }), seenAt, context)).toBeUndefined();
    expect(readPostView({}, seenAt, context)).toBeUndefined();
  });
});
