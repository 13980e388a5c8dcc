import { beforeAll, describe, expect, test } from '@jest/globals';
import type { ArchivedTweet, ArchiveRecord } from '../../server/domain/records.ts';
import openapi from '../../generated/openapi.json' with { type: 'json' };
import { aliases, filters, operators } from '../../server/search/language/operators.ts';
import { parse } from '../../server/search/language/parse.ts';
import { searchedArchives, type SearchedArchive } from './searched-archive.ts';

/** A tweet for each operator. Their texts identify the results of a query. */
const tweets: Partial<ArchivedTweet>[] = [
  {
    id: '1',
    text: 'plain',
    like_count: 5,
    retweet_count: 2,
    reply_count: 1,
    lang: 'en',
    source: 'Social for Web',
    place: 'Cape Town, South Africa',
  },
  { id: '2', text: 'photo', media: [{ type: 'photo', url: 'https://i.example/a.jpg' }], author_id: '2' },
  {
    id: '3',
    text: 'video',
    media: [{ type: 'video', url: 'https://i.example/b.jpg', video_url: 'https://i.example/b.mp4' }],
    possibly_sensitive: true,
  },
  { id: '4', text: 'gif', media: [{ type: 'animated_gif', url: 'https://i.example/c.jpg' }] },
  {
    id: '5',
    text: 'link',
    expanded_urls: ['https://www.youtube.com/watch?v=1'],
    card: { url: 'https://www.my-site.example/page', title: 'T', domain: 'www.my-site.example' },
  },
  { id: '6', text: 'space', expanded_urls: ['https://social.example/i/spaces/1abc'] },
  { id: '7', text: 'reply', in_reply_to_id: '1', in_reply_to_username: 'mira', conversation_id: '1', author_id: '2' },
  { id: '8', text: 'thread', in_reply_to_id: '1', in_reply_to_username: 'mira', conversation_id: '1' },
  { id: '9', text: 'quote', quoted_tweet_id: '2' },
  { id: '10', text: 'retweet', retweeted_tweet_id: '2' },
  {
    id: '11',
    text: 'RT @tom old',
    entities: { mentions: [{ username: 'tom' }], hashtags: ['tag'], cashtags: ['BTC'], urls: [] },
  },
];
/** Polls and cards, apart: they are replies and media too. */
const cards: Partial<ArchivedTweet>[] = [
  { id: '20', text: 'poll2', poll: { options: [{ label: 'a' }, { label: 'b' }] }, in_reply_to_id: '24' },
  {
    id: '21',
    text: 'poll3',
    poll: { options: [{ label: 'a' }, { label: 'b' }, { label: 'c' }] },
    media: [{ type: 'photo', url: 'https://i.example/p.jpg' }],
  },
  { id: '22', text: 'pollcard', card_name: 'poll4choice_text_only' },
  { id: '23', text: 'pollid', poll: { id: '77' } },
  { id: '24', text: 'summary', card_name: 'summary', author_id: '3' },
];
const people: ArchiveRecord[] = [
  { kind: 'user', user: { id: '1', username: 'mira', verified: true } },
  { kind: 'user', user: { id: '2', username: 'tom', is_blue_verified: true } },
];
const recordsOf = (partial: readonly Partial<ArchivedTweet>[]): ArchiveRecord[] => [
  ...people,
  ...partial.map((more): ArchiveRecord => ({
    kind: 'tweet',
    tweet: { author_id: '1', created_at: '2026-01-01T00:00:00Z', ...more } as ArchivedTweet,
  })),
];
const open = searchedArchives();

/** The texts that a query finds, oldest first. */
async function found(query: string): Promise<string> {
  const texts = await archive.texts(query);
  return texts.toReversed().join(' ');
}

let archive: SearchedArchive;
describe('an archive of tweets', () => {
  beforeAll(async () => void (archive = await open(...recordsOf(tweets))));

  test.each<[string, string]>([
    ['filter:media', 'photo video gif'],
    ['filter:images', 'photo'],
    ['filter:twimg', 'photo'],
    ['has:images', 'photo'],
    ['filter:videos', 'video link'],
    ['filter:native_video', 'video'],
    ['has:video_link', 'video'],
    ['card_name:animated_gif', 'gif'],
    ['filter:links -filter:media', 'link space'],
    ['filter:spaces', 'space'],
    ['-filter:safe', 'video'],
    ['card_domain:my-site.example', 'link'],
    ['card_url:my-site', 'link'],
    ['url:my_site.example', 'link'],
    ['https://www.my-site.example/page?utm=1', 'link'],
    ['youtube.com', 'link'],
    ['filter:replies', 'reply thread'],
    ['is:reply -filter:self_threads', 'reply'],
    ['filter:self_threads', 'thread'],
    ['to:mira from:tom', 'reply'],
    ['conversation_id:1', 'plain reply thread'],
    ['in_reply_to_tweet_id:1', 'reply thread'],
    ['filter:quote', 'quote'],
    ['quoted_tweet_id:2', 'quote'],
    ['quotes_of_tweet_id:2', 'quote'],
    ['quoted_user_id:2', 'quote'],
    ['filter:retweets', 'quote RT @tom old'],
    ['filter:nativeretweets', 'retweet'],
    ['is:retweet', 'retweet'],
    ['retweets_of:tom', 'retweet'],
    ['retweets_of_tweet_id:2', 'retweet'],
    ['from:mira include:nativeretweets filter:nativeretweets', 'retweet'],
    ['retweet', ''],
    ['filter:mentions', 'RT @tom old'],
    ['filter:hashtags has:cashtags', 'RT @tom old'],
    ['filter:has_engagement', 'plain'],
    ['min_faves:5', 'plain'],
    ['min_likes:6', ''],
    ['min_retweets:2 min_replies:1', 'plain'],
    ['plain OR photo -min_faves:1', 'photo'],
    ['filter:verified -from:mira', ''],
    ['filter:blue_verified', 'photo reply'],
    ['lang:EN', 'plain'],
    ['source:social_for_web', 'plain'],
    ['source:"Social for Web"', 'plain'],
    ['near:"cape town"', 'plain'],
    ['since_id:9 max_id:11', 'RT @tom old'],
    ['exclude:links exclude:media -filter:replies -filter:quote', 'plain RT @tom old'],
    ['within_time:1s', ''],
  ])('%s finds: %s', async (query, texts) => {
    expect(await found(query)).toBe(texts);
  });
});

describe('an archive of polls and cards', () => {
  beforeAll(async () => void (archive = await open(...recordsOf(cards))));

  test.each<[string, string]>([
    ['card_name:poll', 'poll2 poll3 pollcard pollid'],
    ['card_name:poll2choice_text_only', 'poll2'],
    ['card_name:poll3choice_image', 'poll3'],
    ['card_name:poll4choice_text_only', 'pollcard'],
    ['card_name:SUMMARY', 'summary'],
    ['card_name:3260518932:moment', ''],
    ['to:3', 'poll2'],
  ])('%s finds: %s', async (query, texts) => {
    expect(await found(query)).toBe(texts);
  });
});

test.each(operators.map(({ example, names }) => [example, names] as const))(
  'the example %s of the table parses, also with each alias',
  (example, names) => {
    const value = example.slice(example.indexOf(':'));
    for (const name of names) {
      const tree = parse(`${name}${value}`);
      expect('parts' in tree ? tree.parts[0] : tree).toMatchObject({ is: 'operator', name: names[0] });
    }
  },
);

test('the contract lists exactly the operators and filters of the tables', () => {
  const { description } = openapi.paths['/social/tweet/advanced_search'].get;
  const answered = description.slice(0, description.indexOf('An operator that needs data'));
  expect(answered.length).toBeLessThan(description.length - 1);
  const named = [...answered.matchAll(/`(\w+):/g)].map(([, name]) => name!);
  const fromV2Only = Object.keys(aliases);
  expect(new Set(named)).toEqual(new Set([...operators.map(({ names }) => names[0]!), ...fromV2Only]));
  const list = /its opposite `exclude:` with ([\w,\s]+?) ·/.exec(answered)![1]!;
  expect(list.split(/,\s+/).toSorted()).toEqual(Object.keys(filters).toSorted());
});
