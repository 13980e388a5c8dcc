/**
 * Creates the bundled sample archive: several months of a fictitious network, in the native record format. One seed
 * determines all random values, and the sample ends at a fixed time, so two runs give the same bytes.
 */
import { entitiesOf } from '../../server/formats/text.ts';
import type { ArchiveRecord } from '../../server/domain/records.ts';
import { setCounts } from './counts.ts';
import { exampleQuote } from './example-posts.ts';
import { Network } from './network.ts';
import { createRandom } from './random.ts';
import { createSnowflakes } from './snowflake.ts';
import { communityRecords, follows, profiles } from './society.ts';
import { spaceRecords } from './space-records.ts';
import { Writer } from './writer.ts';

const day = 24 * 60 * 60_000;

/** The start and the end of the sample; the examples of the contract are older. */
export const from = Date.parse('2026-06-15T00:00:00Z');
export const until = Date.parse('2026-11-15T12:00:00Z');

/** All records of the sample. */
export function sampleRecords(): ArchiveRecord[] {
  const random = createRandom(20261115);
  const writer = new Writer(random, createSnowflakes(random));
  const society = communityRecords(random, from, until);
  const memberships = new Set(
    society.flatMap((record) => (record.kind === 'membership' ? [`${record.community_id} ${record.user_id}`] : [])),
  );

  const network = new Network(random, writer, from, until);
  network.addPosts(memberships);
  const retweets = network.addRetweets();
  const likes = network.likes();
  setCounts(random, network.posts, [...retweets, ...likes]);
  const quote = exampleQuote();
  for (const { tweet } of network.posts)
    if (tweet.id === quote.quoted_tweet_id) tweet.quote_count = (tweet.quote_count ?? 0) + 1;

  const graph = follows(random, from - 500 * day, until);
  const tweets = [...network.posts.map(({ tweet }) => tweet), quote].sort(
    (a, b) => Date.parse(a.created_at) - Date.parse(b.created_at) || (BigInt(a.id) < BigInt(b.id) ? -1 : 1),
  );
  return [
    ...profiles(random, tweets, graph).map((user): ArchiveRecord => ({ kind: 'user', user })),
    ...society,
    // With their entities, so that the first start of a demo need not extract them from each text.
    ...tweets.map((tweet): ArchiveRecord => ({ kind: 'tweet', tweet: { ...tweet, entities: entitiesOf(tweet.text) } })),
    ...graph,
    ...retweets,
    ...network.highlights(),
    ...likes,
    ...spaceRecords(random, until),
  ];
}
