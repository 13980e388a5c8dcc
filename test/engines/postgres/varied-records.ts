/** Random tweets in which each operator of the search language finds some, with their authors, places and lists. */
import type { ArchivedTweet, ArchiveRecord } from '../../../server/domain/records.ts';
import { createRandom, type Random } from '../../../scripts/sample/random.ts';
import { wordOf } from '../../../scripts/sample/many-tweets.ts';

/** The tweet, the users and the place that the examples of operators name. */
const named = { tweet: 1_890_000_000_000_000_001n, mira: '4200000001', esa: '4200000002', place: '96683cc9126741d1' };
const [firstMoment, lastMoment] = [Date.UTC(2026, 0, 1), Date.UTC(2026, 5, 1)];
const [userCount, placeCount] = [5_000, 2_000];

const links = [
  'https://www.youtube.com/watch?v=1',
  'https://vine.co/v/1',
  'https://www.pscp.tv/w/1',
  'https://x.com/i/spaces/1abc',
  'https://edition.cnn.com/story',
  'https://example.org/page',
];
const media: readonly NonNullable<ArchivedTweet['media']>[] = [
  [{ type: 'photo', url: 'https://i.example/a.jpg', alt_text: 'A harbour' }],
  [{ type: 'video', url: 'https://i.example/b.jpg', video_url: 'https://i.example/b.mp4' }],
];

/** `count` tweets of the first half of 2026, and what they refer to. */
export function* variedRecords(count: number): Generator<ArchiveRecord, void> {
  const random = createRandom(7);
  yield { kind: 'user', user: { id: named.mira, username: 'mira_codes', name: 'Mira', verified: true } };
  yield { kind: 'user', user: { id: named.esa, username: 'esa', name: 'ESA', is_blue_verified: true } };
  for (let index = 0; index < userCount; index++) yield user(index, random);
  yield {
    kind: 'place',
    place: { id: named.place, name: 'Cape Town', country_code: 'ZA', bounding_box: [18.3, -34.2, 18.9, -33.5] },
  };
  for (let index = 0; index < placeCount; index++) yield place(index, random);
  for (let id = 1; id <= 100; id++)
    yield { kind: 'list', list: { id: String(id), owner_id: named.esa, slug: id === 1 ? 'astronauts' : `list${id}` } };
  for (let index = 0; index < userCount; index++)
    yield { kind: 'list_member', list_id: String((index % 100) + 1), user_id: userId(index) };
  for (let index = 0; index < count; index++) yield { kind: 'tweet', tweet: tweet(index, count, random) };
}

const userId = (index: number): string => String(10_000 + index);
const placeId = (index: number): string => (index === 0 ? named.place : `place${index}`);

const user = (index: number, { chance }: Random): ArchiveRecord => ({
  kind: 'user',
  user: {
    id: userId(index),
    username: `varied_${index}`,
    name: `Varied ${index}`,
    verified: chance(0.02),
    is_blue_verified: chance(0.02),
  },
});

function place(index: number, { integer }: Random): ArchiveRecord {
  const [west, south] = [integer(-170, 170), integer(-80, 80)];
  const bounding_box: [number, number, number, number] = [west, south, west + 1, south + 1];
  return { kind: 'place', place: { id: placeId(index + 1), name: `Town ${index}`, country_code: 'FJ', bounding_box } };
}

function tweet(index: number, count: number, random: Random): ArchivedTweet {
  const { chance, integer, pick } = random;
  const words = Array.from({ length: chance(0.02) ? 600 : integer(5, 20) }, () =>
    wordOf(Math.floor(30_000 ** random.next())),
  );
  const time = firstMoment + Math.floor((index / count) * (lastMoment - firstMoment));
  return {
    id: String(named.tweet + BigInt(index) * 4_194_304n),
    text: `${chance(0.1) ? '@mira_codes ' : ''}${words.join(' ')}${chance(0.1) ? ' #tag $BTC' : ''}`,
    created_at: new Date(time).toISOString(),
    author_id: index % 50 === 0 ? named.mira : userId(integer(0, userCount - 1)),
    lang: pick(['en', 'en', 'ja', 'fr']),
    source: pick(['Social for Web', 'Social for Phones']),
    ...(chance(0.2) ? {} : { like_count: integer(0, 500), retweet_count: integer(0, 50), reply_count: integer(0, 20) }),
    possibly_sensitive: chance(0.1),
    ...(chance(0.2) ? { media: pick(media) } : {}),
    ...(chance(0.3) ? { expanded_urls: [pick(links)] } : {}),
    ...(chance(0.05) ? { card: { url: 'https://example.org/page', title: 'A page', domain: 'example.org' } } : {}),
    ...(chance(0.05) ? { card_name: 'poll2choice_text_only' } : {}),
    ...location(random),
    ...related(index, random),
  };
}

function location({ chance, integer }: Random): Partial<ArchivedTweet> {
  if (chance(0.1)) return { place_id: placeId(chance(0.1) ? 0 : integer(1, placeCount)) };
  if (chance(0.01)) return { coordinates: { longitude: 18.42, latitude: -33.92 } };
  return chance(0.1) ? { coordinates: { longitude: integer(-179, 179), latitude: integer(-89, 89) } } : {};
}

/** What the tweet replies to, quotes or retweets: often the first tweet, otherwise an earlier one. */
function related(index: number, { chance, integer, pick }: Random): Partial<ArchivedTweet> {
  if (index === 0 || chance(0.5)) return {};
  const id = String(named.tweet + BigInt(chance(0.01) ? 0 : integer(0, index - 1)) * 4_194_304n);
  return pick<Partial<ArchivedTweet>>([
    { in_reply_to_id: id, conversation_id: id },
    { quoted_tweet_id: id },
    { retweeted_tweet_id: id },
  ]);
}
