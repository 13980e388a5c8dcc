// Tests server/import/repository-file.ts.
/** Bluesky: answers of the AppView, and the repository of an account in a CAR file. */
import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { CarBufferWriter } from '@ipld/car';
import { code, encode } from '@ipld/dag-cbor';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { CID } from 'multiformats/cid';
import { sha256 } from 'multiformats/hashes/sha2';
import type { ArchiveRecord } from '../../server/domain/records.ts';
import { idOfTid, userId } from '../../server/domain/tid.ts';
import { importInput, type ImportReport } from '../../server/import/import.ts';
import { openInputs } from '../../server/import/input.ts';
import { memorySink } from '../ports/reference/import-sink.ts';
import { temporaryFolder } from '../support/folder.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.dispose());

interface Imported {
  readonly report: ImportReport;
  readonly records: ArchiveRecord[];
}

async function imported(content: Buffer | Uint8Array | string | object): Promise<Imported> {
  const isBytes = typeof content === 'string' || content instanceof Uint8Array;
  const path = join(folder.path, `input-${Math.random()}`);
  await writeFile(path, isBytes ? content : JSON.stringify(content));
  const sink = memorySink();
  const [input] = await openInputs(path);
  const report = await importInput(input!, sink);
  return { report, records: [...sink.records.values()] };
}

const ofKind = <Kind extends ArchiveRecord['kind']>({ records }: Imported, kind: Kind) =>
  records.filter((record): record is Extract<ArchiveRecord, { kind: Kind }> => record.kind === kind);
const tweetOf = (all: Imported, id: string) => ofKind(all, 'tweet').find(({ tweet }) => tweet.id === id)?.tweet;
const reasonsOf = ({ report }: Imported): string[] => [...report.reasons.keys()];

const did = { ann: 'did:plc:annannannannannannannann', bob: 'did:plc:bobbobbobbobbobbobbobbob' };
const author = (name: 'ann' | 'bob', rest: object = {}) => ({
  did: did[name],
  handle: `${name}.example.com`,
  displayName: name,
  ...rest,
});
const uriOf = (name: 'ann' | 'bob', rkey: string) => `at://${did[name]}/app.bsky.feed.post/${rkey}`;
const keys = {
  ...{ first: '3lbyeqkxpfk2a', second: '3lbyeqkxpfk2b', third: '3lbyeqkxpfk2c' },
  ...{ fourth: '3lbyeqkxpfk2d', repost: '3lbyeqkxpfk2e' },
};
const id = (rkey: string) => idOfTid(rkey)!;
const createdAt = '2024-11-28T05:00:00.000Z';
const post = (text: string, rest: object = {}) => ({ $type: 'app.bsky.feed.post', text, createdAt, ...rest });
const view = (name: 'ann' | 'bob', rkey: string, record: object, rest: object = {}) => ({
  uri: uriOf(name, rkey),
  cid: 'bafyreib',
  author: author(name),
  record,
  likeCount: 3,
  repostCount: 1,
  indexedAt: '2024-11-28T05:00:01.000Z',
  ...rest,
});
const image = { $type: 'blob', ref: { $link: 'bafkreiaaaaaaaa' }, mimeType: 'image/jpeg', size: 10 };
const pictures = { $type: 'app.bsky.embed.images', images: [{ alt: 'A lake', image }] };

describe('an answer of the AppView', () => {
  test('to getAuthorFeed: posts with counts and media, replies with what they answer, reposts, quotes', async () => {
    const reply = post('@bob.example.com yes', {
      reply: { root: { uri: uriOf('bob', keys.first) }, parent: { uri: uriOf('bob', keys.first) } },
      facets: [
        {
          index: { byteStart: 0, byteEnd: 16 },
          features: [{ $type: 'app.bsky.richtext.facet#mention', did: did.bob }],
        },
      ],
    });
    const asked = view('bob', keys.first, post('Really?'));
    const repost = {
      $type: 'app.bsky.feed.defs#reasonRepost',
      by: author('ann'),
      uri: `at://${did.ann}/app.bsky.feed.repost/${keys.repost}`,
      indexedAt: '2024-11-28T12:00:00.000Z',
    };
    const all = await imported({
      feed: [
        { post: view('ann', keys.second, reply), reply: { root: asked, parent: asked } },
        { post: view('bob', keys.fourth, post('a picture', { embed: pictures })), reason: repost },
        { post: view('bob', keys.third, post('old answer')), reason: { ...repost, uri: undefined } },
      ],
      cursor: 'x',
    });
    expect(all.report).toMatchObject({ taken: 3, skipped: 0 });
    expect(tweetOf(all, id(keys.first))).toMatchObject({ text: 'Really?', author_id: userId(did.bob) });
    const tweets = ofKind(all, 'tweet').map(({ tweet }) => tweet);
    expect(tweets.find(({ text }) => text.startsWith('@bob'))).toMatchObject({
      in_reply_to_id: id(keys.first),
      in_reply_to_username: 'bob.example.com',
      conversation_id: id(keys.first),
      like_count: 3,
      entities: { mentions: [{ username: 'bob.example.com', id: userId(did.bob) }] },
    });
    expect(tweets.find(({ uri }) => uri?.includes('feed.repost'))).toMatchObject({
      id: id(keys.repost),
      created_at: '2024-11-28T12:00:00.000Z',
      retweeted_tweet_id: id(keys.fourth),
      media: [{ type: 'photo', alt_text: 'A lake' }],
    });
    expect(ofKind(all, 'retweet')).toMatchObject([{ tweet_id: id(keys.third), user_id: userId(did.ann) }]);
    expect(
      ofKind(all, 'user')
        .map(({ user }) => user.username)
        .toSorted(),
    ).toEqual(['ann.example.com', 'bob.example.com']);
  });

  test('to getPostThread: every post of the tree, also of the later form; posts that are missing are skipped', async () => {
    const gone = { $type: 'app.bsky.feed.defs#notFoundPost', uri: uriOf('bob', keys.third), notFound: true };
    const blocked = { $type: 'app.bsky.feed.defs#blockedPost', uri: uriOf('bob', keys.third), blocked: true };
    const node = (rkey: string, text: string, rest: object = {}) => ({
      $type: 'app.bsky.feed.defs#threadViewPost',
      post: view('ann', rkey, post(text)),
      ...rest,
    });
    const thread = node(keys.second, 'middle', {
      parent: node(keys.first, 'top', { parent: gone }),
      replies: [node(keys.third, 'below', { replies: [] }), blocked],
    });
    const all = await imported({ thread });
    expect(all.report).toMatchObject({ taken: 3, skipped: 2 });
    expect(reasonsOf(all)).toEqual([expect.stringContaining('does not exist any more')]);
    const { post: inner } = thread;
    const item = {
      uri: inner.uri,
      depth: 0,
      value: { $type: 'app.bsky.unspecced.defs#threadItemPost', post: inner },
    };
    expect((await imported({ thread: [item], hasOtherReplies: false })).report).toMatchObject({ taken: 1, skipped: 0 });
  });

  test('as a list of posts, as JSON Lines, and as an array of answers', async () => {
    const posts = [view('ann', keys.first, post('one')), view('ann', keys.second, post('two'))];
    for (const content of [
      { posts },
      posts.map((each) => JSON.stringify(each)).join('\n'),
      [{ posts: [posts[0]] }, { posts: [posts[1]] }],
    ])
      expect((await imported(content)).report).toMatchObject({ taken: 2, skipped: 0, added: { tweet: 2, user: 1 } });
  });

  test('with a quote has the quoted post; a detached quote stays one without its post', async () => {
    const embed = { $type: 'app.bsky.embed.record', record: { uri: uriOf('bob', keys.first), cid: 'c' } };
    const quoted = {
      $type: 'app.bsky.embed.record#viewRecord',
      uri: uriOf('bob', keys.first),
      cid: 'c',
      author: author('bob'),
      value: post('quoted'),
      indexedAt: createdAt,
    };
    const shown = { $type: 'app.bsky.embed.record#view', record: quoted };
    const all = await imported(view('ann', keys.second, post('see', { embed }), { embed: shown }));
    expect(tweetOf(all, id(keys.first))).toMatchObject({ text: 'quoted' });
    expect(tweetOf(all, id(keys.second))).toMatchObject({ quoted_tweet_id: id(keys.first) });
    const detached = { ...shown, record: { $type: 'app.bsky.embed.record#viewDetached', uri: quoted.uri } };
    const other = await imported(view('ann', keys.second, post('see', { embed }), { embed: detached }));
    expect(tweetOf(other, id(keys.second))?.quoted_tweet_id).not.toBe(id(keys.first));
  });

  test('leaves out what the platform hides, with the reason, also around other posts', async () => {
    const label = (val: string) => ({ labels: [{ val, src: did.bob }] });
    const signedIn = { author: author('ann', label('!no-unauthenticated')) };
    const hidden = view('ann', keys.first, post('secret'), signedIn);
    const all = await imported({
      feed: [
        { post: hidden },
        { post: view('ann', keys.second, post('removed'), label('!takedown')) },
        { post: view('bob', keys.third, post('answer')), reply: { parent: hidden, root: hidden } },
        { post: view('ann', keys.fourth, post('shown'), label('porn')) },
      ],
    });
    expect(all.report).toMatchObject({ taken: 2, skipped: 2 });
    expect(reasonsOf(all)).toEqual([
      expect.stringContaining('signed in'),
      expect.stringContaining('moderation of the platform'),
    ]);
    expect(JSON.stringify(all.records)).not.toContain('secret');
    expect(tweetOf(all, id(keys.fourth))).toMatchObject({ possibly_sensitive: true });
  });

  test('has profiles, follows, followers, and who liked or reposted', async () => {
    const profile = author('ann', { followersCount: 7, followsCount: 2, postsCount: 9, description: 'Hello' });
    const detailed = await imported(profile);
    expect(ofKind(detailed, 'user')).toMatchObject([
      { user: { followers_count: 7, description: 'Hello', did: did.ann } },
    ]);
    const follows = await imported({ subject: author('ann'), follows: [author('bob')] });
    expect(ofKind(follows, 'follow')).toEqual([
      { kind: 'follow', follower_id: userId(did.ann), following_id: userId(did.bob) },
    ]);
    const followers = await imported({ subject: author('ann'), followers: [author('bob')], cursor: 'c' });
    expect(ofKind(followers, 'follow')).toMatchObject([{ following_id: userId(did.ann) }]);
    expect(ofKind(followers, 'user')).toHaveLength(2);
    const likes = await imported({ uri: uriOf('ann', keys.first), likes: [{ actor: author('bob'), createdAt }] });
    expect(ofKind(likes, 'user')).toMatchObject([{ user: { username: 'bob.example.com' } }]);
    const reposts = await imported({ uri: uriOf('ann', keys.first), repostedBy: [author('bob')] });
    expect(ofKind(reposts, 'retweet')).toMatchObject([{ tweet_id: id(keys.first), user_id: userId(did.bob) }]);
  });

  test('with unusable members is skipped with a reason, and nothing of it is an error of the program', async () => {
    const odd = [
      { ...view('ann', keys.first, post('x')), uri: uriOf('bob', keys.first) },
      view('ann', keys.first, { $type: 'app.bsky.feed.post', text: 7 }),
      view('ann', '', post('x')),
      { post: { uri: 'at://x', author: { did: did.ann }, record: {} } },
      { uri: 'at://x/y', value: { $type: 'app.bsky.feed.post' } },
      { subject: author('ann'), follows: [{ did: 'nobody' }] },
    ];
    for (const value of odd) {
      const { report } = await imported(value);
      expect([report.complete, report.skipped]).toEqual([true, 1]);
    }
  });
});

/** The blocks of a repository. */
class Blocks {
  readonly #blocks: { cid: CID; bytes: Uint8Array }[] = [];

  async add(value: unknown): Promise<CID> {
    const bytes = encode(value);
    const cid = CID.createV1(code, await sha256.digest(bytes));
    this.#blocks.push({ cid, bytes });
    return cid;
  }

  file(root: CID, order = this.#blocks): Buffer {
    const size = 1000 + order.reduce((sum, { bytes }) => sum + bytes.length + 100, 0);
    const writer = CarBufferWriter.createWriter(new ArrayBuffer(size), { roots: [root] });
    for (const block of order) writer.write(block);
    return Buffer.from(writer.close({ resize: true }));
  }

  reversed(root: CID): Buffer {
    return this.file(root, this.#blocks.toReversed());
  }

  /** The file without the block that was added with this number. */
  without(root: CID, number: number): Buffer {
    return this.file(
      root,
      this.#blocks.filter((_, index) => index !== number),
    );
  }
}

type Entry = readonly [key: string, value: CID, right?: CID];

/** A node of the tree, whose keys are written without what they share with the one before. */
const node = (entries: readonly Entry[], left: CID | null = null) => {
  let before = '';
  return {
    l: left,
    e: entries.map(([key, v, right]) => {
      let p = 0;
      while (p < before.length && before[p] === key[p]) p++;
      before = key;
      return { p, k: Buffer.from(key.slice(p)), v, t: right ?? null };
    }),
  };
};

const rev = '3lbyeqkxpfk2z';
const commit = (data: CID, rest: object = {}) => ({
  ...{ did: did.ann, version: 3, data, rev, prev: null, sig: new Uint8Array(64) },
  ...rest,
});

const subject = { uri: uriOf('bob', keys.first), cid: 'c' };
const blob = { ...image, ref: CID.parse('bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku') };

/** A repository with records of several collections, in a tree of three nodes. */
async function repository(): Promise<{ blocks: Blocks; root: CID }> {
  const blocks = new Blocks();
  const embed = { ...pictures, images: [{ alt: 'A lake', image: blob }] };
  const left = node([
    [
      'app.bsky.actor.profile/self',
      await blocks.add({ $type: 'app.bsky.actor.profile', displayName: 'Ann', avatar: blob }),
    ],
    [`app.bsky.feed.like/${keys.first}`, await blocks.add({ $type: 'app.bsky.feed.like', subject, createdAt })],
  ]);
  const right = node([
    [`app.bsky.feed.post/${keys.third}`, await blocks.add(post('with 2 bytes: é'))],
    [`app.bsky.feed.repost/${keys.first}`, await blocks.add({ $type: 'app.bsky.feed.repost', subject, createdAt })],
    ['app.bsky.feed.threadgate/x', await blocks.add({ $type: 'app.bsky.feed.threadgate' })],
    [
      `app.bsky.graph.follow/${keys.first}`,
      await blocks.add({ $type: 'app.bsky.graph.follow', subject: did.bob, createdAt }),
    ],
  ]);
  const middle = node(
    [
      [`app.bsky.feed.post/${keys.first}`, await blocks.add(post('a picture', { embed }))],
      [
        `app.bsky.feed.post/${keys.second}`,
        await blocks.add(post('late', { createdAt: '2999-01-01T00:00:00Z' })),
        await blocks.add(right),
      ],
    ],
    await blocks.add(left),
  );
  const root = await blocks.add(commit(await blocks.add(middle)));
  return { blocks, root };
}

describe('a repository', () => {
  test('has its posts, reposts, follows, likes and profile; others are skipped by name', async () => {
    const { blocks, root } = await repository();
    const all = await imported(blocks.file(root));
    expect(all.report).toMatchObject({ taken: 7, skipped: 1, complete: true });
    expect(reasonsOf(all)).toEqual(['app.bsky.feed.threadgate: not imported']);
    expect(tweetOf(all, id(keys.first))).toMatchObject({
      uri: uriOf('ann', keys.first),
      author_id: userId(did.ann),
      created_at: createdAt,
      media: [{ type: 'photo', url: expect.stringContaining(String(blob.ref)), alt_text: 'A lake' }],
    });
    expect(tweetOf(all, id(keys.third))).toMatchObject({ text: 'with 2 bytes: é' });
    // The time of the revision, not that of the file, bounds what a client says.
    expect(tweetOf(all, id(keys.second))?.created_at).toMatch(/^2024-11-/);
    expect(ofKind(all, 'retweet')).toEqual([
      { kind: 'retweet', tweet_id: id(keys.first), user_id: userId(did.ann), created_at: createdAt },
    ]);
    expect(ofKind(all, 'like')).toEqual([{ kind: 'like', tweet_id: id(keys.first), created_at: createdAt }]);
    expect(ofKind(all, 'follow')).toMatchObject([{ follower_id: userId(did.ann), following_id: userId(did.bob) }]);
    // Any other observation of the account, which has the handle, replaces this one.
    const [profile] = ofKind(all, 'user');
    expect(profile?.user).toMatchObject({ id: userId(did.ann), did: did.ann, name: 'Ann' });
    expect(profile?.user.observed_at).toBe('1970-01-01T00:00:00.000Z');
  });

  test('is the same with its blocks in another order', async () => {
    const { blocks, root } = await repository();
    const { records } = await imported(blocks.file(root));
    expect((await imported(blocks.reversed(root))).records).toEqual(records);
  });

  test.each<[string, (file: Buffer, all: { blocks: Blocks; root: CID }) => Buffer, RegExp]>([
    ['cut inside a block', (file) => file.subarray(0, file.length - 40), /damaged: it ends too early/],
    ['cut inside the header', (file) => file.subarray(0, 30), /damaged/],
    ['with a changed byte', (file) => Buffer.concat([file.subarray(0, -3), Buffer.from('abc')]), /another hash/],
    ['without a block of a record', (_, { blocks, root }) => blocks.without(root, 0), /a block is missing/],
    ['with a length of 8 EB', (file) => Buffer.concat([file, Buffer.alloc(8, 0xff), Buffer.from([1])]), /damaged/],
    ['with a length of 0', (file) => Buffer.concat([file, Buffer.alloc(9)]), /damaged/],
  ])('%s is a fault of the file', async (_, change, reason) => {
    const all = await repository();
    const content = change(all.blocks.file(all.root), all);
    const outcome = await imported(content).then(
      ({ report }) => report.fault,
      (error: Error) => error.message,
    );
    expect(outcome).toMatch(reason);
  });

  test.each<[string, (blocks: Blocks, value: CID) => Promise<CID>, RegExp]>([
    ['no commit', async (blocks) => blocks.add({ hello: 'world' }), /not the repository of an account/],
    ['a commit of another version', async (blocks, v) => blocks.add(commit(v, { version: 9 })), /not the repository/],
    ['a tree that is no tree', async (blocks, v) => blocks.add(commit(v)), /node of its tree is not valid/],
    [
      'a node that two nodes name',
      async (blocks, v) => {
        const shared = await blocks.add(node([[`app.bsky.feed.post/${keys.second}`, v]]));
        const top = node([[`app.bsky.feed.post/${keys.first}`, v, shared]], shared);
        return blocks.add(commit(await blocks.add(top)));
      },
      /named twice|not in order/,
    ],
    [
      'keys that are not in order',
      async (blocks, v) =>
        blocks.add(
          commit(
            await blocks.add(
              node([
                ['b/2', v],
                ['a/1', v],
              ]),
            ),
          ),
        ),
      /not in order/,
    ],
    [
      'a prefix that is longer than the key before',
      async (blocks, v) =>
        blocks.add(commit(await blocks.add({ l: null, e: [{ p: 9, k: Buffer.from('a/1'), v, t: null }] }))),
      /node of its tree is not valid/,
    ],
    [
      'one large record under very many keys',
      async (blocks) => {
        const v = await blocks.add(post('x'.repeat(100_000)));
        const entries = Array.from({ length: 1000 }, (_, n): Entry => [`app.bsky.feed.post/k${1000 + n}`, v]);
        return blocks.add(commit(await blocks.add(node(entries))));
      },
      /again and again/,
    ],
  ])('with %s is a fault of the file', async (_, build, reason) => {
    const blocks = new Blocks();
    const root = await build(blocks, await blocks.add(post('x')));
    const outcome = await imported(blocks.file(root)).then(
      ({ report }) => report.fault,
      (error: Error) => error.message,
    );
    expect(outcome).toMatch(reason);
  });

  test('with any changed byte is read or refused, never an error of the program', async () => {
    const { blocks, root } = await repository();
    const file = blocks.file(root);
    for (let at = 0; at < file.length; at += 29) {
      const changed = Buffer.from(file);
      changed[at] = changed[at]! ^ 0x41;
      const outcome = await imported(changed).then(
        ({ report }) => report.complete || report.fault !== undefined,
        (error: Error) => error.name === 'InputError',
      );
      expect([at, outcome]).toEqual([at, true]);
    }
  });

  test('of two thousand posts is read with a small part of the file in memory, and a file with one huge block is refused', async () => {
    const blocks = new Blocks();
    const entries: Entry[] = [];
    for (let n = 0; n < 2000; n++)
      entries.push([`app.bsky.feed.post/k${10_000 + n}`, await blocks.add(post(`post ${n}`))]);
    const root = await blocks.add(commit(await blocks.add(node(entries))));
    const { report } = await imported(blocks.file(root));
    expect(report).toMatchObject({ taken: 2000, skipped: 0 });
    const path = join(folder.path, 'huge.car');
    const file = await open(path, 'w');
    await file.write(new Blocks().file(root));
    // A block that says that it has 512 MB, in a sparse file.
    await file.write(Buffer.concat([Buffer.from([0x80, 0x80, 0x80, 0x80, 0x02]), Buffer.from(root.bytes)]));
    await file.truncate(600 * 1024 * 1024);
    await file.close();
    await expect(openInputs(path)).rejects.toThrow(/a block is too large/);
  });

  test('is named in the message where it cannot be read: in gzip, and in a pipe', async () => {
    const { blocks, root } = await repository();
    await expect(imported(gzipSync(blocks.file(root)))).rejects.toThrow(/this is a CAR file.*file of its own/);
  });
});
