// Tests server/import/archive-media.ts, server/import/archive-tree.ts, server/import/archive-zip.ts and
// server/formats/personal.ts.
/** A personal archive as X delivers it: what is taken from it, what is left out, and what a hostile zip archive can do. */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { recordKey, type ArchiveRecord } from '../../server/domain/records.ts';
import { importInput, type ImportReport } from '../../server/import/import.ts';
import type { LeftOut } from '../../server/import/input-file.ts';
import { openInputs } from '../../server/import/input.ts';
import { temporaryFolder } from '../support/folder.ts';
import { zip, type ZipEntry } from '../support/zip.ts';
import { memorySink } from '../ports/reference/import-sink.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => void (folder = await temporaryFolder()));
afterEach(() => folder.dispose());

const assignment = (name: string, values: object[], part = 0): string =>
  `window.YTD.${name}.part${part} = ${JSON.stringify(values, null, 2)}`;

const long = `${'A long tweet, '.repeat(30)}with a tag at its end #whole &amp; more https://t.co/inside`;
const tweet = (id: string, full_text: string, more: object = {}): object => ({
  tweet: { id_str: id, full_text, created_at: 'Sun Mar 03 10:11:12 +0000 2024', favorite_count: '5', ...more },
});

/** The files of an archive in the shape of those of 2024. */
const files: Record<string, string> = {
  'account.js': assignment('account', [
    { account: { accountId: '7', username: 'ann', accountDisplayName: 'Ann', createdAt: '2010-01-01T00:00:00.000Z' } },
  ]),
  'profile.js': assignment('profile', [
    {
      profile: {
        description: { bio: 'salt &amp; pepper', website: 'https://t.co/x', location: 'Here' },
        avatarMediaUrl: 'https://i.example/a.jpg',
        headerMediaUrl: 'https://i.example/h',
      },
    },
  ]),
  'manifest.js': `window.__THAR_CONFIG = {"userInfo":{"accountId":"7"},"archiveInfo":{"generationDate":"2024-03-04T00:00:00.000Z"}}`,
  'tweets.js': assignment('tweets', [
    tweet('1', `${long.slice(0, 270)}… https://t.co/abcdefghij`, {
      entities: { hashtags: [], urls: [], user_mentions: [], symbols: [] },
    }),
    tweet('2', 'a short tweet of the same second'),
  ]),
  'tweets-part1.js': assignment('tweets', [tweet('3', `@bob ${long.slice(5, 200)}…`)], 1),
  'note-tweet.js': assignment('note_tweet', [
    {
      noteTweet: {
        noteTweetId: '900',
        createdAt: '2024-03-03T10:11:11.000Z',
        core: {
          text: long,
          hashtags: [{ text: 'whole' }],
          cashtags: [],
          mentions: [{ screenName: 'eve' }],
          urls: [
            { shortUrl: 'https://t.co/inside', expandedUrl: 'https://a.example/page', displayUrl: 'a.example/page' },
          ],
        },
      },
    },
    { noteTweet: { createdAt: '2024-03-03T10:11:12.000Z', core: { text: long.slice(5) } } },
  ]),
  'like.js': assignment('like', [
    { like: { tweetId: '50', fullText: 'liked', expandedUrl: 'https://twitter.com/i/web/status/50' } },
    { like: { tweetId: 'x' } },
  ]),
  'following.js': assignment('following', [{ following: { accountId: '8', userLink: 'https://twitter.com/u' } }]),
  'follower.js': assignment('follower', [{ follower: { accountId: '9', userLink: 'https://twitter.com/u' } }]),
  'deleted-tweets.js': assignment('deleted_tweets', [
    tweet('60', 'regretted', { deleted_at: '2024-03-03T10:20:00.000Z' }),
  ]),
  'direct-messages.js': assignment('direct_messages', [{ dmConversation: { messages: [] } }]),
  'ad-engagements.js': assignment('ad_engagements', [{ ad: {} }]),
  'community-tweet.js': assignment('community_tweet', []),
};

const entries = (root = 'data/'): ZipEntry[] => [
  { name: 'Your archive.html', content: '<html>' },
  ...Object.entries(files).map(([name, content]) => ({ name: root + name, content })),
  { name: `${root}tweets_media/`, content: '', method: 0 },
  { name: `${root}tweets_media/1-a.jpg`, content: Buffer.from([0xff, 0xd8, 0xff]) },
  { name: `__MACOSX/${root}._tweets.js`, content: 'x' },
];

async function writeZip(bytes: Buffer): Promise<string> {
  const path = join(folder.path, 'twitter-2024-03-04.zip');
  await writeFile(path, bytes);
  return path;
}

async function importAll(
  path: string,
): Promise<{ reports: ImportReport[]; records: ReadonlyMap<string, ArchiveRecord> }> {
  const sink = memorySink();
  const reports: ImportReport[] = [];
  for (const input of await openInputs(path)) reports.push(await importInput(input, sink));
  return { reports, records: sink.records };
}

const forms: readonly (readonly [form: string, write: () => Promise<string>])[] = [
  ['as the zip archive of X', () => writeZip(zip(entries()))],
  ['as a zip archive with large sizes', () => writeZip(zip(entries(), { zip64: true }))],
  ['as a zip archive that was packed again', () => writeZip(zip(entries('twitter-2024/data/')))],
  [
    'as a folder',
    async () => {
      for (const { name, content } of entries().filter((entry) => !entry.name.endsWith('/'))) {
        await mkdir(dirname(join(folder.path, 'own', name)), { recursive: true });
        await writeFile(join(folder.path, 'own', name), content);
      }
      return join(folder.path, 'own');
    },
  ],
];

describe.each(forms)('a personal archive %s', (_form, write) => {
  test('gives tweets, likes, followed accounts, followers and the profile', async () => {
    const { reports, records } = await importAll(await write());
    expect(reports.map(({ input }) => /[\w-]+\.js$/.exec(input)?.[0])).toEqual([
      'tweets.js',
      'tweets-part1.js',
      'like.js',
      'following.js',
      'follower.js',
    ]);
    expect(reports.every(({ complete }) => complete)).toBe(true);
    expect([...records.values()].map(recordKey).toSorted()).toEqual(
      ['follow 7 8', 'follow 9 7', 'like 50', 'tweet 1', 'tweet 2', 'tweet 3', 'user 7'].toSorted(),
    );
    expect(records.get('user 7')).toMatchObject({
      user: {
        username: 'ann',
        description: 'salt & pepper',
        location: 'Here',
        profile_image: 'https://i.example/a.jpg',
      },
    });
    expect([...(reports[2]?.reasons ?? [])]).toEqual([['a like without a usable tweetId', [9]]]);
  });

  test('gives long tweets their whole text, with its entities, and leaves the others', async () => {
    const { records } = await importAll(await write());
    const decoded = long.replace('&amp;', '&');
    expect(records.get('tweet 1')).toMatchObject({
      tweet: {
        text: decoded,
        expanded_urls: ['https://a.example/page'],
        entities: { hashtags: ['whole'], mentions: [{ username: 'eve' }] },
      },
    });
    expect(records.get('tweet 2')).toMatchObject({ tweet: { text: 'a short tweet of the same second' } });
    expect(records.get('tweet 3')).toMatchObject({ tweet: { text: `@bob ${decoded.slice(5)}` } });
  });

  test('names what is left out, deleted tweets among it', async () => {
    const { reports } = await importAll(await write());
    const expected: LeftOut[] = [
      { name: 'ad-engagements.js' },
      { name: 'deleted-tweets.js', reason: 'deleted by their author' },
      { name: 'direct-messages.js', reason: 'private' },
    ];
    expect(reports.map(({ leftOut }) => leftOut)).toEqual([expected, undefined, undefined, undefined, undefined]);
  });
});

/** The files of an archive that X gave out until 2019. */
const oldStatus = (id: number, text: string, more: object = {}): object => ({
  ...{ id, id_str: String(id), text, created_at: '2013-01-31 23:26:12 +0000', source: '<a href="u">App</a>', geo: {} },
  entities: { hashtags: [{ text: 'winter' }], user_mentions: [], media: [], urls: [] },
  user: { id: 7, id_str: '7', screen_name: 'ann', name: 'Ann', profile_image_url_https: 'https://i.example/a.png' },
  ...more,
});
const month = (name: string, statuses: object[]): string =>
  `Grailbird.data.tweets_${name} = \n ${JSON.stringify(statuses, null, 2)}`;
const oldFiles: Record<string, string> = {
  'tweets.csv': '"tweet_id","timestamp","text"\n"1","2013-01-31 23:26:12 +0000","Hello"\n',
  'data/js/tweet_index.js':
    'var tweet_index =  [ { "file_name" : "2013_01.js", "var_name" : "t", "tweet_count" : 2 } ]',
  'data/js/payload_details.js':
    'var payload_details =  { "tweets" : 3, "created_at" : "2013-03-01 00:00:00 +0000", "lang" : "en" }',
  'data/js/user_details.js':
    'var user_details =  { "screen_name" : "ann", "full_name" : "Ann", "bio" : "salt &amp; pepper", "id" : "7", "created_at" : "2009-01-01 00:00:00 +0000" }',
  'data/js/tweets/2013_02.js': month('2013_02', [oldStatus(13, 'later', { created_at: '2013-02-01 00:00:00' })]),
  'data/js/tweets/2013_01.js': month('2013_01', [
    oldStatus(11, 'Hello #winter'),
    oldStatus(12, 'RT @bob: cut', {
      retweeted_status: oldStatus(5, 'cut no more', { user: { id: 8, id_str: '8', screen_name: 'bob', name: 'Bob' } }),
    }),
    oldStatus(14, 'never', { created_at: '2013-02-30 00:00:00 +0000' }),
    oldStatus(15, 'with a photo', { entities: { media: [{ media_url_https: 'https://i.example/p.jpg' }] } }),
  ]),
};

async function writeFolder(name: string, contents: Record<string, string>): Promise<string> {
  for (const [path, content] of Object.entries(contents)) {
    await mkdir(dirname(join(folder.path, name, path)), { recursive: true });
    await writeFile(join(folder.path, name, path), content);
  }
  return join(folder.path, name);
}
const zipOf = (contents: Record<string, string>, root = ''): Promise<string> =>
  writeZip(zip(Object.entries(contents).map(([name, content]) => ({ name: root + name, content }))));

describe.each<[string, () => Promise<string>]>([
  ['as a zip archive', () => zipOf(oldFiles)],
  ['as a zip archive with a folder around it', () => zipOf(oldFiles, '7_abc/')],
  ['as a folder', () => writeFolder('old', oldFiles)],
  ['as its folder js', async () => join(await writeFolder('old', oldFiles), 'data/js')],
])('a personal archive until 2019 %s', (_form, write) => {
  test('gives the tweets of all months, the profile, and what is retweeted', async () => {
    const { reports, records } = await importAll(await write());
    expect(reports.map(({ input }) => /\d{4}_\d\d\.js$/.exec(input)?.[0])).toEqual(['2013_01.js', '2013_02.js']);
    expect(reports[0]).toMatchObject({ taken: 3, skipped: 1, complete: true });
    expect([...records.values()].map(recordKey).toSorted()).toEqual(
      ['tweet 11', 'tweet 12', 'tweet 13', 'tweet 15', 'tweet 5', 'user 7', 'user 8'].toSorted(),
    );
    expect(records.get('tweet 11')).toMatchObject({
      tweet: { text: 'Hello #winter', created_at: '2013-01-31T23:26:12.000Z', author_id: '7', source: 'App' },
    });
    expect(records.get('tweet 12')).toMatchObject({ tweet: { text: 'cut no more', retweeted_tweet_id: '5' } });
    expect(records.get('tweet 13')).toMatchObject({
      tweet: { created_at: '2013-02-01T00:00:00.000Z', observed_at: '2013-03-01T00:00:00.000Z' },
    });
    expect(records.get('tweet 15')).toMatchObject({
      tweet: { media: [{ type: 'photo', url: 'https://i.example/p.jpg' }] },
    });
  });
});

test('a personal archive until 2019 names its CSV as left out, and its files can be imported alone', async () => {
  const path = await writeFolder('old', oldFiles);
  expect((await openInputs(path))[0]).toMatchObject({
    owner: { id: '7', username: 'ann', description: 'salt & pepper', created_at: '2009-01-01T00:00:00.000Z' },
    leftOut: [{ name: 'tweets.csv', reason: expect.stringContaining('CSV') }],
  });
  expect((await openInputs(await zipOf(oldFiles)))[0]?.leftOut).toHaveLength(1);
  const alone = async (name: string): Promise<ImportReport | undefined> =>
    (await importAll(join(path, 'data/js', name))).reports[0];
  expect(await alone('tweets/2013_01.js')).toMatchObject({ taken: 3, skipped: 1 });
  expect(await alone('user_details.js')).toMatchObject({ added: { user: 1 } });
  for (const name of ['tweet_index.js', 'payload_details.js'])
    expect([...((await alone(name))?.reasons.keys() ?? [])]).toEqual([
      'describes a personal archive, and contains nothing of it',
    ]);
});

test('a personal archive without tweets gives its relations, as a folder, as its folder data, and as a zip archive', async () => {
  const { 'account.js': account = '', 'follower.js': follower = '', 'like.js': like = '' } = files;
  const some = { 'account.js': account, 'follower.js': follower, 'like.js': like };
  const data = Object.fromEntries(Object.entries(some).map(([name, content]) => [`data/${name}`, content]));
  for (const path of [
    await writeFolder('flat', some),
    await writeFolder('nested', data),
    await zipOf(data),
    await zipOf(some),
  ]) {
    const { records } = await importAll(path);
    expect([...records.values()].map(recordKey).toSorted()).toEqual(['follow 9 7', 'like 50', 'user 7']);
  }
  const { reports } = await importAll(await writeFolder('nobody', { 'follower.js': follower, 'like.js': like }));
  expect(reports.map(({ taken, skipped }) => [taken, skipped])).toEqual([
    [1, 1],
    [0, 1],
  ]);
  expect([...(reports[1]?.reasons.keys() ?? [])]).toEqual([expect.stringContaining('put it beside this file')]);
});

test('a folder of other files says how to import them', async () => {
  const path = await writeFolder('other', { 'a.json': '[]' });
  await expect(openInputs(path)).rejects.toThrow(/expected tweets\.js.*name files in other formats one by one/);
});

test('deleted tweets are left out also when their file is imported by itself', async () => {
  const path = join(folder.path, 'deleted-tweets.js');
  const media = { media_url_https: 'https://i.example/p.jpg', expanded_url: 'https://x.com/ann/status/60/photo/1' };
  await writeFile(
    path,
    assignment('deleted_tweets', [
      tweet('60', '@ann regretted', {
        deleted_at: '2024-03-03T10:20:00.000Z',
        in_reply_to_screen_name: 'ann',
        in_reply_to_user_id_str: '7',
        extended_entities: { media: [media] },
      }),
    ]),
  );
  const { reports, records } = await importAll(path);
  expect([...(reports[0]?.reasons.keys() ?? [])]).toEqual(['a tweet that its author deleted']);
  expect([...records.keys()]).toEqual(['user 7']);
});

test('an interrupted import of a zip archive continues where it was', async () => {
  const many = Array.from({ length: 2500 }, (_, n) => tweet(String(n + 1), `tweet ${n}`));
  const path = await writeZip(
    zip([
      { name: 'data/tweets.js', content: assignment('tweets', many) },
      { name: 'data/account.js', content: files['account.js'] ?? '' },
    ]),
  );
  const sink = memorySink();
  const [input] = await openInputs(path);
  const stop = new AbortController();
  const first = await importInput(input!, sink, { signal: stop.signal, onProgress: () => stop.abort() });
  expect(first).toMatchObject({ complete: false });
  const [again] = await openInputs(path);
  const second = await importInput(again!, sink);
  expect(second).toMatchObject({ complete: true, taken: 2500 - first.taken, resumed: first.taken });
  expect([...sink.records.keys()].filter((key) => key.startsWith('tweet '))).toHaveLength(2500);
});

describe('a zip archive is refused with the reason:', () => {
  const tweets = { name: 'data/tweets.js', content: files['tweets.js'] ?? '' };
  const account = { name: 'data/account.js', content: files['account.js'] ?? '' };
  test.each<[string, Buffer, RegExp]>([
    [
      'without tweets',
      zip([{ name: 'a.json', content: '[]' }]),
      /no personal archive in this zip \(expected tweets\.js/,
    ],
    [
      'a name that leads out of it',
      zip([tweets, account, { name: '../data/tweets.js', content: '' }]),
      /unsafe.*\.\.\/data/,
    ],
    ['an absolute name', zip([tweets, account, { name: '/etc/tweets.js', content: '' }]), /unsafe/],
    ['two files of the same name', zip([tweets, tweets]), /two files "tweets\.js"/],
    ['an encrypted file', zip([{ ...tweets, flags: 1 }, account]), /tweets\.js in this zip archive is encrypted/],
    ['an unknown compression', zip([{ ...tweets, method: 99 }, account]), /compressed with method 99/],
    ['an end that is missing', zip([tweets, account]).subarray(0, 200), /damaged or unsafe/],
  ])('%s', async (_name, bytes, reason) => {
    await expect(openInputs(await writeZip(bytes))).rejects.toThrow(reason);
  });

  test('a file that is larger than any of X', async () => {
    const bytes = zip([{ ...tweets, statedSize: 2 ** 31 + 1 }, account]);
    await expect(openInputs(await writeZip(bytes))).rejects.toThrow(
      'tweets.js in this zip archive is larger than 2 GB',
    );
  });

  test('a file that is longer than the archive states ends the import at that size', async () => {
    const bytes = zip([{ ...tweets, statedSize: 100 }, account]);
    const { reports } = await importAll(await writeZip(bytes));
    expect(reports[0]).toMatchObject({ complete: false, fault: expect.stringMatching(/too many bytes/) });
  });
});
