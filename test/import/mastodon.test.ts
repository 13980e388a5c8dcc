// Tests server/formats/mastodon.ts.
/** Mastodon: the files of the export of an account, and what of them must not become public. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { ArchiveRecord } from '../../server/domain/records.ts';
import { hashedId, userId } from '../../server/domain/tid.ts';
import { htmlText } from '../../server/formats/html-text.ts';
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

async function imported(content: object): Promise<Imported> {
  const path = join(folder.path, `input-${Math.random()}.json`);
  await writeFile(path, JSON.stringify(content));
  const sink = memorySink();
  const [input] = await openInputs(path);
  const report = await importInput(input!, sink);
  return { report, records: [...sink.records.values()] };
}

const everybody = 'https://www.w3.org/ns/activitystreams#Public';
const mira = 'https://social.example/users/mira_b';
const followers = `${mira}/followers`;
const addressOf = (n: number): string => `${mira}/statuses/${n}`;

const note = (n: number, rest: object = {}) => ({
  ...{ id: addressOf(n), type: 'Note', summary: null, inReplyTo: null, published: '2024-02-03T04:05:06Z' },
  ...{ url: `https://social.example/@mira_b/${n}`, attributedTo: mira, to: [everybody], cc: [followers] },
  ...{ sensitive: false, content: `<p>post ${n}</p>`, attachment: [], tag: [] },
  ...rest,
});
const create = (n: number, rest: object = {}, activity: object = {}) => ({
  ...{ id: `${addressOf(n)}/activity`, type: 'Create', actor: mira, published: '2024-02-03T04:05:06Z' },
  ...{ to: [everybody], cc: [followers], object: note(n, rest) },
  ...activity,
});
const outbox = (...orderedItems: object[]) => ({
  ...{ '@context': everybody, id: 'outbox.json', type: 'OrderedCollection', totalItems: orderedItems.length },
  orderedItems,
});
const tweets = ({ records }: Imported) => records.flatMap((each) => (each.kind === 'tweet' ? [each.tweet] : []));

describe('an outbox', () => {
  test('has notes as posts: text, mentions, hashtags, links, media with text, answers and counts', async () => {
    const content =
      '<p><span class="h-card"><a href="https://other.example/@tom" class="u-url mention">@<span>tom</span></a></span> look:<br />' +
      '<a href="https://docs.example/a/long/path?x=1&amp;y=2" rel="nofollow"><span class="invisible">https://</span>' +
      '<span class="ellipsis">docs.example/a/long</span><span class="invisible">/path?x=1&amp;y=2</span></a></p>' +
      '<p><a href="https://social.example/tags/Sea" class="mention hashtag" rel="tag">#<span>Sea</span></a> &lt;3</p>';
    const all = await imported(
      outbox(
        create(1, {
          content,
          contentMap: { 'pt-BR': content },
          inReplyTo: 'https://other.example/users/tom/statuses/7',
          tag: [
            { type: 'Mention', href: 'https://other.example/users/tom', name: '@tom@other.example' },
            { type: 'Hashtag', href: 'https://social.example/tags/sea', name: '#Sea' },
            { type: 'Emoji', name: ':blob:' },
          ],
          attachment: [
            {
              ...{ type: 'Document', mediaType: 'image/png', name: 'A boat' },
              url: '/media_attachments/files/109/1/original/a.png',
            },
            { type: 'Document', mediaType: 'audio/mpeg', url: '/media_attachments/files/109/1/original/a.mp3' },
            { type: 'Document', mediaType: 'video/mp4', url: 'https://files.example/v.mp4', name: null },
          ],
          likes: { type: 'Collection', totalItems: 4 },
          shares: { type: 'Collection', totalItems: 2 },
        }),
      ),
    );
    expect(all.report).toMatchObject({ taken: 1, skipped: 0, added: { user: 1, tweet: 1 } });
    const link = 'https://docs.example/a/long/path?x=1&y=2';
    const expanded_url = 'https://social.example/@mira_b/1';
    const video = { url: 'https://files.example/v.mp4', video_url: 'https://files.example/v.mp4' };
    expect(tweets(all)).toEqual([
      {
        id: hashedId(addressOf(1)),
        uri: addressOf(1),
        text: `@tom look:\n${link}\n\n#Sea <3`,
        created_at: '2024-02-03T04:05:06.000Z',
        author_id: userId(mira),
        like_count: 4,
        retweet_count: 2,
        media: [
          {
            ...{ type: 'photo', url: 'https://social.example/system/media_attachments/files/109/1/original/a.png' },
            ...{ expanded_url, alt_text: 'A boat' },
          },
          { type: 'video', ...video, expanded_url },
        ],
        entities: {
          mentions: [{ username: 'tom.other.example', id: userId('https://other.example/users/tom') }],
          hashtags: ['Sea'],
          cashtags: [],
          urls: [{ url: link, display_url: 'docs.example/a/long…' }],
        },
        expanded_urls: [link],
        in_reply_to_id: hashedId('https://other.example/users/tom/statuses/7'),
        in_reply_to_username: 'tom.other.example',
        lang: 'pt',
        source: 'Mastodon',
        observed_at: expect.any(String),
      },
    ]);
    expect(all.records).toContainEqual(
      expect.objectContaining({
        user: expect.objectContaining({ id: userId(mira), username: 'mira-b.social.example' }),
      }),
    );
  });

  test('has the languages of a note with several texts, each once', async () => {
    const contentMap = { 'de-AT': '<p>Guten Tag</p>', de: '<p>Guten Tag</p>', 'x!': '', EN: '<p>Good day</p>' };
    const all = await imported(outbox(create(1, { contentMap }), create(2, { contentMap: { fr: 'x' } })));
    expect(tweets(all).map(({ lang, langs }) => [lang, langs])).toEqual([
      ['de', ['de', 'en']],
      ['fr', undefined],
    ]);
  });

  test('has content warnings, sensitive media, polls, quotes and boosts', async () => {
    const option = (name: string, totalItems: number) => ({ type: 'Note', name, replies: { totalItems } });
    const all = await imported(
      outbox(
        create(1, { summary: 'Food & drink', sensitive: true }),
        create(2, {
          ...{ type: 'Question', oneOf: [option('Tea', 3), option('Coffee', 5)], endTime: '2024-02-04T00:00:00Z' },
          quote: 'https://other.example/users/tom/statuses/8',
        }),
        {
          ...{ id: `${addressOf(3)}/activity`, type: 'Announce', actor: mira, published: '2024-02-05T00:00:00Z' },
          ...{ to: [everybody], cc: [followers], object: 'https://other.example/users/tom/statuses/9' },
        },
      ),
    );
    const [warned, poll] = tweets(all);
    expect(warned).toMatchObject({ text: 'CW: Food & drink\n\npost 1', possibly_sensitive: true });
    expect(poll).toMatchObject({
      poll: {
        options: [
          { label: 'Tea', votes: 3 },
          { label: 'Coffee', votes: 5 },
        ],
        ends_at: '2024-02-04T00:00:00.000Z',
      },
      quoted_tweet_id: hashedId('https://other.example/users/tom/statuses/8'),
    });
    expect(all.records).toContainEqual({
      ...{ kind: 'retweet', tweet_id: hashedId('https://other.example/users/tom/statuses/9'), user_id: userId(mira) },
      created_at: '2024-02-05T00:00:00.000Z',
    });
  });

  const tom = 'https://other.example/users/tom';
  test.each<[string, object]>([
    ['a post for followers', create(1, { to: [followers], cc: [] }, { to: [followers], cc: [] })],
    ['a direct message', create(1, { to: [tom], cc: [] }, { to: [tom], cc: [] })],
    ['a direct message in a public activity', create(1, { to: [tom], cc: [] })],
    ['a public note in a private activity', create(1, {}, { to: [tom], cc: [] })],
    [
      'a note that names no readers, in a private activity',
      create(1, { to: undefined, cc: undefined }, { to: [tom], cc: [] }),
    ],
    ['a note that names no readers', note(1, { to: undefined, cc: undefined })],
    ['a note for nobody', note(1, { to: [], cc: [] })],
    [
      'a boost of the own post for followers',
      {
        ...{ id: `${addressOf(3)}/activity`, type: 'Announce', actor: mira, published: '2024-02-05T00:00:00Z' },
        ...{ to: [followers], cc: [everybody], object: note(1, { to: [followers], cc: [] }) },
      },
    ],
  ])('%s is skipped with the reason, and nothing of it is stored', async (_, value) => {
    const all = await imported(outbox(value));
    expect(all.report).toMatchObject({ taken: 0, skipped: 1 });
    expect([...all.report.reasons.keys()]).toEqual([expect.stringContaining('not public')]);
    expect(all.records).toEqual([]);
  });

  test('a post that is public but in no list, and the short names of everybody, are public', async () => {
    const all = await imported(
      outbox(
        create(1, { to: [followers], cc: [everybody] }, { to: [followers], cc: [everybody] }),
        create(2, { to: 'as:Public', cc: [] }, { to: 'as:Public' }),
      ),
    );
    expect(all.report).toMatchObject({ taken: 2, skipped: 0 });
  });

  test('of other activities and unusable notes has the reasons', async () => {
    const all = await imported(
      outbox(
        { ...create(1), type: 'Delete' },
        create(2, { id: 'javascript:alert(1)' }),
        create(3, { published: 'yesterday' }),
        { ...create(4), object: 'https://social.example/users/mira_b/statuses/4' },
        create(5, { content: 7, tag: 'x', attachment: [{ mediaType: 'image/png', url: 'javascript:alert(1)' }, 8] }),
      ),
    );
    expect(all.report).toMatchObject({ taken: 1, skipped: 4 });
    expect(tweets(all)[0]?.media).toBeUndefined();
  });
});

test('a profile has the name of the server in its username; likes are those of the own account, bookmarks are skipped', async () => {
  const actor = await imported({
    ...{ id: mira, type: 'Person', preferredUsername: 'mira_b', name: 'Mira', inbox: `${mira}/inbox` },
    ...{ outbox: 'outbox.json', summary: '<p>Sea &amp; sun</p>', published: '2020-01-02T00:00:00Z' },
    icon: { type: 'Image', mediaType: 'image/png', url: 'avatar.png' },
  });
  expect(actor.records).toMatchObject([
    {
      kind: 'user',
      user: { id: userId(mira), username: 'mira-b.social.example', name: 'Mira', description: 'Sea & sun' },
    },
  ]);
  const liked = { type: 'OrderedCollection', orderedItems: [addressOf(1), 'nothing'] };
  const likes = await imported({ id: 'likes.json', ...liked });
  expect(likes.records).toEqual([{ kind: 'like', tweet_id: hashedId(addressOf(1)) }]);
  expect(likes.report).toMatchObject({ taken: 1, skipped: 1 });
  expect(await imported({ id: 'bookmarks.json', ...liked })).toMatchObject({ records: [], report: { skipped: 1 } });
});

test.each([
  ['_mira_', /^mira-\d{6}\.social\.example$/],
  ['a.b', /^a\.b\.social\.example$/],
  ['x y', /^\d{12}\.invalid$/],
])('the username %s has a form that the archive takes', async (preferredUsername, form) => {
  const { records } = await imported({ id: mira, type: 'Person', preferredUsername, inbox: `${mira}/inbox` });
  expect(records).toMatchObject([{ user: { username: expect.stringMatching(form) } }]);
});

test.each<[string, string]>([
  ['<p>one</p><p>two<br>three</p>', 'one\n\ntwo\nthree'],
  ['<ul><li>a</li><li>b</li></ul>after', 'a\nb\n\nafter'],
  ['a\n  <b>b</b>&nbsp;&eacute;', 'a   b\u00a0é'],
  ['<script>alert(1)</script>x<style>y</style>', 'x'],
  ['<p>not closed <a href="https://a.example/">link', 'not closed link'],
  ['<img src=x onerror=alert(1)>&lt;b&gt;', '<b>'],
  ['', ''],
])('the text of %j', (html, expected) => {
  expect(htmlText(html).text).toBe(expected);
});

test('of HTML that is nested too deeply, only the beginning is read', () => {
  expect(htmlText(`a${'<div>'.repeat(200)}b`).text).toBe('a\nb');
  expect(htmlText(`a${'<div>'.repeat(100_000)}b`).text).toBe('a');
  expect(htmlText(`${'<p>x</p>'.repeat(1000)}&amp;`).text).toMatch(/x\n\n&$/);
});
