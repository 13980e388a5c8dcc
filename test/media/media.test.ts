/** The media files of exports: what is stored of them, how they are served, and when they go. */
import { mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { hashedId } from '../../server/domain/tid.ts';
import { importInput } from '../../server/import/import.ts';
import { openInputs } from '../../server/import/input.ts';
import { MediaError, MediaFiles, mediaTypeOf, readMediaName } from '../../server/storage/media-files.ts';
import { memorySink } from '../ports/reference/import-sink.ts';
import { startLocalServer, temporaryFolder, type LocalServer } from '../support/local-server.ts';
import { run } from '../support/server.ts';
import { zip, type ZipEntry } from '../support/zip.ts';

const jpeg = (content: string): Buffer =>
  Buffer.concat([Buffer.from([0xff, 0xd8, 0xff, 0xe0]), Buffer.from(content.padEnd(40))]);
const mp4 = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypisom'.padEnd(2000, 'v'))]);
const page = Buffer.from('<!doctype html><script>alert(1)</script> and more');

const assignment = (name: string, elements: unknown[]): string =>
  `window.YTD.${name}.part0 = ${JSON.stringify(elements)}`;
const tweet = (id: string, media: object[]) => ({
  tweet: {
    ...{ id_str: id, created_at: 'Thu Nov 03 08:50:26 +0000 2022', full_text: `tweet ${id}` },
    ...{ extended_entities: { media } },
  },
});
const photo = (name: string) => ({ type: 'photo', media_url_https: `https://pbs.twimg.com/media/${name}` });
const video = (name: string) => ({
  ...{ type: 'video', media_url_https: `https://pbs.twimg.com/thumb/${name}.jpg` },
  video_info: {
    variants: [{ content_type: 'video/mp4', bitrate: 1, url: `https://video.twimg.com/vid/${name}.mp4?tag=12` }],
  },
});

const personal: ZipEntry[] = [
  { name: 'data/account.js', content: assignment('account', [{ account: { accountId: '7', username: 'own' } }]) },
  {
    name: 'data/tweets.js',
    content: assignment('tweets', [
      tweet('10', [photo('AbC_d.jpg'), photo('Page.png')]),
      tweet('11', [video('Film')]),
      tweet('12', [photo('Other.jpg')]),
    ]),
  },
  { name: 'data/tweets_media/10-AbC_d.jpg', content: jpeg('a') },
  { name: 'data/tweets_media/10-Page.png', content: page },
  { name: 'data/tweets_media/11-Film.mp4', content: mp4 },
  { name: 'data/tweets_media/12-..%2Fx.jpg', content: jpeg('c') },
  { name: 'data/deleted_tweets_media/13-Gone.jpg', content: jpeg('gone') },
  { name: 'data/direct_messages_media/14-Private.jpg', content: jpeg('private') },
];

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.dispose());

async function writeFiles(root: string, entries: readonly ZipEntry[]): Promise<string> {
  for (const { name, content } of entries) {
    await mkdir(dirname(join(folder.path, root, name)), { recursive: true });
    await writeFile(join(folder.path, root, name), content);
  }
  return join(folder.path, root);
}

async function writeZip(name: string, entries: readonly ZipEntry[]): Promise<string> {
  const path = join(folder.path, name);
  await writeFile(path, zip(entries));
  return path;
}

/** Imports an export, in threads or not. */
async function imported(path: string, media: string, threadBytes?: number) {
  const sink = memorySink();
  const leftOut: unknown[] = [];
  for (const input of await openInputs(path, { mediaFolder: join(folder.path, media) })) {
    leftOut.push(...(input.leftOut ?? []));
    await importInput(input, sink, threadBytes === undefined ? {} : { threadBytes });
  }
  const files = await readdir(join(folder.path, media)).catch(() => []);
  return { records: [...sink.records.values()], leftOut, files: files.toSorted() };
}

const mediaOf = ({ records }: Awaited<ReturnType<typeof imported>>, id: string) =>
  records.flatMap((each) => (each.kind === 'tweet' && each.tweet.id === id ? (each.tweet.media ?? []) : []));

describe.each<[string, () => Promise<string>]>([
  ['a zip archive', () => writeZip('x.zip', personal)],
  ['a folder', () => writeFiles('x', personal)],
])('of a personal archive of X as %s', (form, write) => {
  test('pictures and videos are stored with their tweets; others, and those of deleted tweets and messages, are not', async () => {
    const all = await imported(await write(), `media ${form}`);
    expect(all.files).toEqual([
      expect.stringMatching(/^10-[0-9a-f]{32}\.jpg$/),
      expect.stringMatching(/^11-[0-9a-f]{32}\.mp4$/),
    ]);
    expect(mediaOf(all, '10')).toEqual([
      { type: 'photo', url: 'https://pbs.twimg.com/media/AbC_d.jpg', file: all.files[0] },
      { type: 'photo', url: 'https://pbs.twimg.com/media/Page.png' },
    ]);
    expect(mediaOf(all, '11')).toMatchObject([{ type: 'video', video_file: all.files[1] }]);
    expect(all.leftOut).toContainEqual({
      name: '1 media file',
      reason: 'neither JPEG, PNG, GIF, WebP, MP4 nor WebM by its content',
    });
    expect(await readFile(join(folder.path, `media ${form}`, all.files[1]!))).toEqual(mp4);
    // The same again, and in a thread of its own, changes nothing.
    const again = await imported(await write(), `media ${form}`, 0);
    expect([again.files, mediaOf(again, '10')]).toEqual([all.files, mediaOf(all, '10')]);
  });
});

test('of an export of Mastodon, the attachments of public posts are stored, and nothing else', async () => {
  const everybody = 'https://www.w3.org/ns/activitystreams#Public';
  const mira = 'https://social.example/users/mira';
  const create = (n: number, to: string, file: string) => ({
    ...{ type: 'Create', actor: mira, to: [to], cc: [] },
    object: {
      ...{ id: `${mira}/statuses/${n}`, type: 'Note', attributedTo: mira, published: '2024-01-02T03:04:05Z' },
      ...{ to: [to], cc: [], content: `<p>post ${n}</p>` },
      attachment: [{ type: 'Document', mediaType: 'image/jpeg', url: `/media_attachments/${file}`, name: 'A cat' }],
    },
  });
  const entries: ZipEntry[] = [
    {
      name: 'actor.json',
      content: JSON.stringify({ id: mira, type: 'Person', preferredUsername: 'mira', inbox: `${mira}/inbox` }),
    },
    {
      name: 'outbox.json',
      content: JSON.stringify({
        ...{ id: 'outbox.json', type: 'OrderedCollection' },
        orderedItems: [
          create(1, everybody, 'files/1/original/a.jpg'),
          create(2, `${mira}/followers`, 'files/2/original/b.jpg'),
        ],
      }),
    },
    { name: 'likes.json', content: '{"id":"likes.json","type":"OrderedCollection","orderedItems":[]}' },
    { name: 'bookmarks.json', content: '{}' },
    { name: 'media_attachments/files/1/original/a.jpg', content: jpeg('a') },
    { name: 'media_attachments/files/2/original/b.jpg', content: jpeg('private') },
    { name: 'media_attachments/files/3/original/c.jpg', content: jpeg('of nobody') },
  ];
  for (const path of [await writeZip('m.zip', entries), await writeFiles('m', entries)]) {
    const all = await imported(path, 'media of mastodon');
    expect(all.files).toEqual([expect.stringMatching(/^\d{19}-[0-9a-f]{32}\.jpg$/)]);
    expect(mediaOf(all, hashedId(`${mira}/statuses/1`))).toMatchObject([{ alt_text: 'A cat', file: all.files[0] }]);
    expect(JSON.stringify(all.records)).not.toContain('post 2');
    expect(all.records).toContainEqual(
      expect.objectContaining({ user: expect.objectContaining({ username: 'mira.social.example' }) }),
    );
  }
});

test.each<[string, Buffer, string | undefined]>([
  ['JPEG', jpeg('x'), 'jpg'],
  ['PNG', Buffer.from('\x89PNG\r\n\x1a\n0000', 'latin1'), 'png'],
  ['GIF', Buffer.from('GIF89a0000000000'), 'gif'],
  ['WebP', Buffer.from('RIFF0000WEBPVP8 '), 'webp'],
  ['MP4', mp4, 'mp4'],
  ['WebM', Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0, 0, 0, 0]), 'webm'],
  ['HTML', page, undefined],
  ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), undefined],
  ['PDF', Buffer.from('%PDF-1.7 0000000'), undefined],
  ['HEIC', Buffer.from('\0\0\0\x18ftypheic0000', 'latin1'), undefined],
  ['nothing', Buffer.alloc(0), undefined],
])('the type of %s by its content', (_, content, type) => {
  expect(mediaTypeOf(content)).toBe(type);
});

describe('stored files', () => {
  const chunks = async function* (...parts: Buffer[]): AsyncGenerator<Buffer> {
    yield* parts;
  };

  test('have one name for the same content, also in small chunks, and leave nothing behind where they fail', async () => {
    const path = join(folder.path, 'store');
    const files = new MediaFiles(path);
    const name = await files.add('5', chunks(jpeg('a')));
    expect(await files.add('5', chunks(...Array.from(jpeg('a'), (byte) => Buffer.from([byte]))))).toBe(name);
    await expect(files.add('5', chunks(page))).rejects.toThrow(MediaError);
    await expect(files.add('5', chunks())).rejects.toThrow('empty');
    const broken = async function* (): AsyncGenerator<Buffer> {
      yield jpeg('b');
      throw new Error('cut');
    };
    await expect(files.add('5', broken())).rejects.toThrow('cut');
    expect(await readdir(path)).toEqual([name]);
    expect((await stat(join(path, name))).mode & 0o077).toBe(0);
  });

  test('go when the archive does not have their tweets, unless they are new', async () => {
    const path = join(folder.path, 'purge');
    const files = new MediaFiles(path);
    const [kept, gone, fresh] = [
      await files.add('1', chunks(jpeg('a'))),
      await files.add('2', chunks(jpeg('b'))),
      await files.add('3', chunks(jpeg('c'))),
    ];
    await writeFile(join(path, '.new-left'), 'x');
    await writeFile(join(path, 'readme.txt'), 'of somebody else');
    for (const name of [kept, gone, '.new-left', 'readme.txt']) await utimes(join(path, name), 1, 1);
    const before = Date.now() - 60_000;
    const held = async (ids: readonly string[]): Promise<Set<string>> => new Set(ids.filter((id) => id === '1'));
    expect(await files.purge(held, before)).toBe(2);
    expect((await readdir(path)).toSorted()).toEqual([kept, fresh, 'readme.txt'].toSorted());
    expect(await new MediaFiles(join(folder.path, 'none')).purge(held, before)).toBe(0);
  });
});

describe('a service', () => {
  let server: LocalServer;
  let names: string[];
  const dataDir = (): string => join(folder.path, 'data');
  beforeAll(async () => {
    const env = { DATA_DIR: dataDir(), DEMO: '0', API_KEYS: 'k'.repeat(32), PURGE_WITHIN: '0' };
    const done = await run('scripts/cli/import.ts', [await writeZip('s.zip', personal)], env);
    expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining('1 media file (neither JPEG') });
    names = (await readdir(join(dataDir(), 'media'))).toSorted();
    server = await startLocalServer(dataDir(), env);
  });
  afterAll(() => server.end());

  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(`${server.url}${path}`, { method, headers });

  test('shows the paths of its files in responses, and serves them without a key and without anything that can run', async () => {
    const response = await get('/social/user/last_tweets?username=own', { 'X-API-Key': 'k'.repeat(32) });
    const { tweets } = (await response.json()) as {
      tweets: { id: string; media: { url: string; video_url?: string }[] }[];
    };
    expect(tweets.find(({ id }) => id === '10')?.media).toEqual([
      { type: 'photo', url: `/media/${names[0]}` },
      { type: 'photo', url: 'https://pbs.twimg.com/media/Page.png' },
    ]);
    expect(tweets.find(({ id }) => id === '11')?.media).toMatchObject([{ video_url: `/media/${names[1]}` }]);
    const file = await get(`/media/${names[0]}`);
    expect(file.status).toBe(200);
    expect(Object.fromEntries(file.headers)).toMatchObject({
      'content-type': 'image/jpeg',
      'content-security-policy': "default-src 'none'; sandbox",
      'x-content-type-options': 'nosniff',
      'content-disposition': `inline; filename="${names[0]}"`,
      'cache-control': 'private, max-age=31536000, immutable',
    });
    expect(Buffer.from(await file.arrayBuffer())).toEqual(jpeg('a'));
  });

  test('answers ranges, conditions and HEAD', async () => {
    const path = `/media/${names[1]}`;
    const part = await get(path, { Range: 'bytes=4-11' });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 4-11/${mp4.length}`]);
    expect(await part.text()).toBe('ftypisom');
    const outside = await get(path, { Range: 'bytes=9999-' });
    expect([outside.status, Object.keys((await outside.json()) as object)]).toEqual([416, ['error']]);
    const whole = await get(path);
    const same = await get(path, {
      'If-None-Match': whole.headers.get('etag') ?? '',
      'Cache-Control': 'max-age=0',
    });
    expect(same.status).toBe(304);
    expect((await get(path, { 'If-Match': '"other"' })).status).toBe(200);
    const head = await get(path, {}, 'HEAD');
    expect([head.status, head.headers.get('content-length')]).toEqual([200, String(mp4.length)]);
    const post = await get(path, {}, 'POST');
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  test.each([
    '/media/',
    '/media',
    '/media/x.jpg',
    '/media/../keys.json',
    '/media/..%2Fkeys.json',
    '/media/%2e%2e/keys.json',
    '/media/%00',
  ])('has nothing at %s', async (path) => {
    const response = await get(path);
    expect([400, 401, 404]).toContain(response.status);
    expect(Object.keys((await response.json()) as object)).toEqual(['error']);
  });

  test('does not serve files of a tweet that the archive does not have, from the moment of its erasure', async () => {
    const other = `99${names[0]!.slice(2)}`;
    expect(readMediaName(other)).toBeDefined();
    await writeFile(join(dataDir(), 'media', other), jpeg('a'));
    expect((await get(`/media/${other}`)).status).toBe(404);
    const env = { DATA_DIR: dataDir() };
    expect(await run('scripts/cli/erase.ts', ['--tweet', '11', '--yes'], env)).toMatchObject({ code: 0 });
    expect((await get(`/media/${names[1]}`)).status).toBe(404);
    expect((await get(`/media/${names[0]}`)).status).toBe(200);
  });

  test('has its files in a backup', async () => {
    const backup = join(folder.path, 'backup');
    const done = await run('scripts/cli/backup.ts', [backup], { DATA_DIR: dataDir() });
    expect(done).toMatchObject({ code: 0, stdout: expect.stringContaining('media files') });
    expect(await readFile(join(backup, 'media', names[0]!))).toEqual(jpeg('a'));
  });
});
