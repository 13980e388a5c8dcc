// Tests server/operations/feed/feed-content.ts, server/operations/feed/feed-text.ts, server/operations/feed/feed.ts
// and server/keys/tokens.ts.
/** Feeds over HTTP: what a parser of feeds reads, the rules of both formats, and hostile texts. */
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseAtomFeed, parseJsonFeed } from 'feedsmith';
import { connectControl } from '../../server/admin/control-client.ts';
import { expectContract, expectSchema } from '../support/contract.ts';
import { startLocalServer, temporaryFolder, type LocalServer } from '../support/local-server.ts';

const key = 'a-key-for-this-test';
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: LocalServer;
let token: string;

/** Texts that break documents which escape wrongly. */
const hostile = [
  'a ]]> b <![CDATA[ c ]]]]><![CDATA[>',
  '</content></entry></feed><entry/> & &amp; &#x0; &nbsp; &lt;b&gt;',
  'control \u0000 \u0001 \u0008 \u000b \u000c \u001b \u001f \u007f \u0085 \u009f \ufffe \uffff end',
  'half \ud800 of \udc00 pairs \ud83d\ude00',
  '<script>alert(1)</script><img src=x onerror=alert(1)> "quotes" \'single\'',
  'right \u202e to \u2066 left \u2069 \u202c',
  '\r\nlines\rand\n\n\nparagraphs \u2028 \u2029',
  'see https://example.org/?a=1&b=2"<x> and javascript:alert(1)',
  '',
  ' \u200b\u200d\n\t\u2060',
  'e\u0301'.repeat(400),
  '\ud83d\udc68\u200d\ud83d\udc69\u200d\ud83d\udc67'.repeat(150),
];
const linked = {
  mentions: [],
  hashtags: ['caf\u00e9', 'Tag'],
  cashtags: [],
  urls: [{ url: 'https://example.org/?a=1&b=2', display_url: 'example.org' }],
};
const at = (index: number): string => new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString();
const tweet = (id: number, more: object): object => ({
  kind: 'tweet',
  tweet: { id: String(id), text: 'text', created_at: at(id), author_id: '7', ...more },
});
const records = [
  {
    kind: 'user',
    user: { id: '7', username: 'ada', name: 'Ada ]]> & <b>', created_at: at(0), description: 'x \u0001 & y' },
  },
  { kind: 'user', user: { id: '8', username: 'empty', name: 'Nobody' } },
  { kind: 'user', user: { id: '9', username: 'bob', name: 'Bob' } },
  ...hostile.map((text, index) => tweet(100 + index, { text })),
  tweet(200, {
    text: '',
    media: [
      { type: 'photo', url: 'https://images.example/a.png?x=1&y=2', alt_text: 'a "quoted" <b> & ]]>\nline' },
      { type: 'video', url: 'https://images.example/poster.jpg', video_url: 'https://images.example/film.mp4' },
      { type: 'photo', url: '/media/7-0123456789abcdef0123456789abcdef.jpg' },
      { type: 'photo', url: 'javascript:alert(1)' },
    ],
  }),
  tweet(201, {
    text: 'news at https://example.org/?a=1&b=2 #caf\u00e9 #Tag',
    quoted_tweet_id: '202',
    entities: linked,
  }),
  tweet(202, { text: 'the quoted one', author_id: '9' }),
  tweet(203, { text: 'RT @bob: the quoted one', retweeted_tweet_id: '202' }),
];
async function take(...all: readonly object[]): Promise<void> {
  const control = await connectControl(folder.path);
  await control!.call('import/apply', [`feeds ${Math.random()}`, { values: all.length, done: true }, all]);
  control!.close();
}
const post = async (path: string, body: object): Promise<Record<string, string>> =>
  (await (
    await fetch(server.url + path, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
    })
  ).json()) as Record<string, string>;
beforeAll(async () => {
  folder = await temporaryFolder();
  server = await startLocalServer(folder.path, { API_KEYS: key, DEMO: '0', RATE_LIMIT: 'off', FAILED_KEYS: 'off' });
  await take(...records);
  token = (await post('/social/feed_token/create', { name: 'reader' }))['token']!;
});
afterAll(async () => {
  await server?.end();
  await folder?.dispose();
});
const get = (target: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${server.url}${target}&api_key=${token}`, { headers });
async function textOf(target: string): Promise<string> {
  const response = await get(target);
  expect([target, response.status]).toEqual([target, 200]);
  return response.text();
}
const atom = async (target: string) => withPlainTexts(parseAtomFeed(await textOf(target)));

/** A parsed feed whose titles and contents are strings. */
function withPlainTexts(feed: ReturnType<typeof parseAtomFeed>) {
  const plain = (text: unknown): string | undefined =>
    typeof text === 'object' && text !== null ? (text as { value?: string }).value : (text as string | undefined);
  const { entries = [], title, ...rest } = feed;
  return {
    ...rest,
    title: plain(title),
    entries: entries.map(({ title: own, content, ...each }) => ({
      ...each,
      title: plain(own),
      content: plain(content) ?? '',
    })),
  };
}
const json = async (target: string) => JSON.parse(await textOf(`${target}&format=json`)) as JsonFeed;
interface JsonFeed {
  readonly title: string;
  readonly items: readonly Record<string, unknown>[];
}
const all = '/feeds/user?username=ada&limit=100';

describe('an Atom feed', () => {
  test('has what RFC 4287 demands, as a parser of feeds reads it', async () => {
    for (const target of [all, '/feeds/search?query=text&limit=100', '/feeds/user?user_id=8']) {
      const text = await textOf(target);
      const feed = withPlainTexts(parseAtomFeed(text));
      // Sections 4.1.1 and 4.1.2: exactly one id, title and updated; an author of the feed or of each entry; alternate without content.
      expect(feed).toMatchObject({
        id: expect.stringMatching(/^tag:social-data,2026:/),
        title: expect.stringMatching(/./),
      });
      const links = feed.links!.map(({ rel, href }) => [rel, new URL(href!).origin]);
      expect(links).toEqual([
        ['self', server.url],
        ['alternate', server.url],
      ]);
      const self = feed.links!.find(({ rel }) => rel === 'self')!.href!;
      expect(self).not.toContain('api_key');
      expect((await get(self.slice(server.url.length))).status).toBe(200);
      for (const element of ['id', 'title', 'updated'])
        expect(text.split('<entry>')[0]!.match(new RegExp(`<${element}>`, 'g'))).toHaveLength(1);
      const { entries } = feed;
      expect(new Set(entries.map(({ id }) => id)).size).toBe(entries.length);
      const times = entries.map(({ updated }) => updated!);
      expect(times).toEqual(times.toSorted().reverse());
      if (times.length > 0) expect(feed.updated).toBe(times[0]);
      for (const { id, title, authors, content, links: own } of entries) {
        expect(id).toMatch(/^tag:social-data,2026:tweet\/\d+$/);
        expect(title).toMatch(/\S/);
        expect([...new Intl.Segmenter().segment(title!)].length).toBeLessThanOrEqual(101);
        expect(title).not.toMatch(/[\n\u202a-\u202e\u2066-\u2069]/);
        expect(authors).toHaveLength(1);
        expect(content).toMatch(/^<p/);
        expect(own!.filter(({ rel }) => rel === 'alternate')).toHaveLength(1);
      }
    }
  });

  test('is well-formed, with characters that XML permits, whatever the texts have', async () => {
    const text = await textOf(all);
    // oxlint-disable-next-line no-control-regex
    expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\ufffe\uffff]/);
    expect(text.isWellFormed()).toBe(true);
    expect(text).not.toContain('<![CDATA[');
    const python = spawnSync(
      'python3',
      [
        '-c',
        'import sys, xml.dom.minidom as m; d = m.parse(sys.stdin.buffer); print(len(d.getElementsByTagName("entry")))',
      ],
      { input: text },
    );
    if (python.error === undefined) expect(String(python.stdout).trim()).toBe(String(hostile.length + 3));
  });

  test('shows the texts as they are, and no markup of them', async () => {
    const { entries } = await atom(all);
    const contentOf = (id: number): string => entries.find((entry) => entry.id?.endsWith(`/${id}`))!.content;
    for (const { content } of entries)
      expect(content).not.toMatch(/<script|onerror=[^&]*>|href="javascript|<\/content/);
    expect(contentOf(104)).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(contentOf(100)).toContain('a ]]&gt; b &lt;![CDATA[ c ]]]]&gt;');
    expect(contentOf(101)).toContain('&amp; &amp;amp; &amp;#x0;');
    expect(contentOf(103)).toContain('half \ufffd of \ufffd pairs \u{1f600}');
    expect(contentOf(105)).toMatch(/^<p dir="auto">/);
    expect(contentOf(201)).toContain('<a href="https://example.org/?a=1&amp;b=2">https://example.org/?a=1&amp;b=2</a>');
    expect(contentOf(201)).toMatch(/<blockquote>.*the quoted one.*<\/blockquote>/);
  });

  test('has titles for tweets without a text, and pictures and videos as enclosures', async () => {
    const { entries } = await atom(all);
    const entry = (id: number) => entries.find(({ id: each }) => each?.endsWith(`/${id}`))!;
    expect([200, 108, 109, 203].map((id) => entry(id).title)).toEqual([
      'Photo by @ada',
      'Post by @ada',
      'Post by @ada',
      'Retweet of @bob: the quoted one',
    ]);
    expect(
      entry(200)
        .links!.filter(({ rel }) => rel === 'enclosure')
        .map(({ href, type }) => [href, type]),
    ).toEqual([
      ['https://images.example/a.png?x=1&y=2', 'image/png'],
      ['https://images.example/film.mp4', 'video/mp4'],
      [`${server.url}/media/7-0123456789abcdef0123456789abcdef.jpg`, 'image/jpeg'],
    ]);
    expect(entry(201).categories!.map(({ term }) => term)).toEqual(['caf\u00e9', 'Tag']);
  });
});

describe('a JSON feed', () => {
  test('has what version 1.1 demands, as a parser reads it, and the same entries as the Atom feed', async () => {
    const feed = await json(all);
    await expectSchema('JsonFeed', JSON.parse(JSON.stringify(feed)));
    expect(feed).toMatchObject({ version: 'https://jsonfeed.org/version/1.1', title: expect.any(String) });
    const parsed = parseJsonFeed(feed as never);
    const { entries, title } = await atom(all);
    expect(parsed.title).toBe(title);
    expect(parsed.items!.map(({ id, title: name, content_html: html }) => [id, name, html])).toEqual(
      entries.map(({ id, title: name, content }) => [id, name, content]),
    );
    for (const item of feed.items) {
      expect(JSON.stringify(item).isWellFormed()).toBe(true);
      // oxlint-disable-next-line no-control-regex
      expect(String(item['content_text'])).not.toMatch(/[\u0000-\u0008\u000b-\u001f]/);
    }
    expect(feed.items.find(({ id }) => String(id).endsWith('/200'))!['attachments']).toHaveLength(3);
  });
});

describe('a feed over HTTP', () => {
  test('has its media type, and conforms to the contract', async () => {
    for (const [target, type, id] of [
      [all, 'application/atom+xml; charset=utf-8', 'getUserFeed'],
      [`${all}&format=json`, 'application/feed+json', 'getUserFeed'],
      ['/feeds/search?query=text', 'application/atom+xml; charset=utf-8', 'getSearchFeed'],
    ] as const) {
      const response = await get(target);
      expect([target, response.headers.get('content-type')]).toEqual([target, type]);
      await expectContract(id, response, { limited: false });
    }
  });

  test('is 304 for its ETag, and for its date where there is no ETag, until something changes', async () => {
    const target = '/feeds/search?query=coffee';
    const first = await get(target);
    const [etag, modified] = [first.headers.get('etag')!, first.headers.get('last-modified')!];
    expect((await get(target, { 'if-none-match': etag })).status).toBe(304);
    expect((await get(target, { 'if-modified-since': modified })).status).toBe(304);
    expect((await get(target, { 'if-modified-since': 'Thu, 01 Jan 2026 00:00:00 GMT' })).status).toBe(200);
    expect((await get(target, { 'if-modified-since': 'yesterday' })).status).toBe(200);
    expect((await get(target, { 'if-none-match': 'W/"other"', 'if-modified-since': modified })).status).toBe(200);
    await take(tweet(300, { text: 'coffee' }));
    const changed = await get(target, { 'if-none-match': etag });
    expect(changed.status).toBe(200);
    expect(await changed.text()).toContain('tweet/300<');
    expect((await get(target, { 'if-modified-since': modified })).status).toBe(200);
  });

  test('loses a deleted tweet, also one that another quotes', async () => {
    await take(
      tweet(310, { text: 'secret words', author_id: '9' }),
      tweet(311, { text: 'quote', quoted_tweet_id: '310' }),
    );
    expect(await textOf(all)).toContain('secret words');
    await take({ kind: 'delete', tweet_id: '310' });
    for (const target of [all, `${all}&format=json`, '/feeds/search?query=secret', '/feeds/user?username=bob'])
      expect(await textOf(target)).not.toContain('secret words');
  });

  test('is refused with the errors of the contract', async () => {
    const statuses = async (...targets: string[]): Promise<number[]> =>
      Promise.all(targets.map(async (target) => (await get(target)).status));
    expect(
      await statuses(
        '/feeds/user?username=nobody',
        '/feeds/user?limit=1',
        '/feeds/search?query=(',
        '/feeds/search?query=x&format=rss',
        '/feeds/search?query=x&limit=101',
        '/feeds/saved_search?id=s_4nT0aY2kQe7m',
      ),
    ).toEqual([404, 400, 400, 400, 400, 404]);
    expect((await fetch(`${server.url}/feeds/user?username=ada`)).status).toBe(401);
    expect((await fetch(`${server.url}/feeds/user?username=ada`, { headers: { 'x-api-key': key } })).status).toBe(200);
  });

  test('of a saved search is that of the key of the token, and of no other', async () => {
    const { id } = await post('/social/searches', { name: 'My coffee', query: 'coffee' });
    const feed = await atom(`/feeds/saved_search?id=${id}`);
    expect(feed).toMatchObject({ id: `tag:social-data,2026:saved_search/${id}`, title: 'My coffee' });
    expect(feed.entries.length).toBeGreaterThan(0);
  });

  test('ends with the revocation of its token', async () => {
    const made = await post('/social/feed_token/create', { name: 'other reader' });
    const target = `${server.url}/feeds/user?username=ada&api_key=${made['token']}`;
    expect((await fetch(target)).status).toBe(200);
    await post('/social/feed_token/revoke', { id: made['id'] });
    expect((await fetch(target)).status).toBe(401);
  });
});
