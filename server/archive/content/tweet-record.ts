/** The record of a tweet as `tweet` and `tweet_count` store it: what no column has is in the column `document`. */
import { counts, type ArchivedTweet } from '../../domain/records.ts';
import { parseIsoTime, toIsoTime } from '../../text/iso-time.ts';
import { keysOf } from '../../text/object.ts';
import { raw, sameTweet, sql, type Integer } from '../sql.ts';
import { fromDatabaseId } from './database-id.ts';

/** The columns that have a reference of a tweet. */
const references = {
  in_reply_to_id: 'in_reply_to_id',
  quoted_tweet_id: 'quoted_id',
  retweeted_tweet_id: 'retweeted_id',
  community_id: 'community_id',
} as const;
type Reference = keyof typeof references;
const referenceNames = keysOf(references);
const isReference = (name: string): name is Reference => name in references;

/** The content of a tweet: all but the counts and the time of the observation. */
type TweetContentRow = Readonly<Record<(typeof references)[Reference], Integer | null>> & {
  readonly id: Integer;
  readonly created_at: Integer;
  readonly author_id: Integer;
  readonly document: string;
};
export type TweetRow = TweetContentRow &
  Readonly<Record<(typeof counts)[number], Integer>> & {
    readonly known: number;
    readonly observed_at: Integer;
  };

/** The columns of `tweet t` that have its content. */
const contentColumns = ['id', 'created_at', 'author_id', ...Object.values(references), 'document']
  .map((name) => `t.${name}`)
  .join(', ');
/** The columns of a tweet, of the tables of `tweetTables`. */
export const tweetColumns = raw(
  `${contentColumns}, ${counts.map((name) => `c.${name}`).join(', ')}, c.known, c.observed_at`,
);
export const tweetTables = sql`social_data.tweet t JOIN social_data.tweet_count c ON ${sameTweet('c', 't')}`;

/** The lists of entities that a tweet without any has. */
const noEntities = { mentions: [], hashtags: [], cashtags: [], urls: [] };

/** What `documentOf` leaves out, or puts in another place. */
const inColumns: ReadonlySet<string> = new Set(['id', 'created_at', 'author_id', 'observed_at', 'entities', ...counts]);

/** What the columns do not have: everything else, and what has another form in a column. */
export function documentOf(tweet: ArchivedTweet): string {
  const { id, created_at: createdAt, author_id: author, entities } = tweet;
  const document: Record<string, unknown> = {};
  if (!isCanonical(id)) document['id'] = id;
  if (Number.isNaN(parseIsoTime(createdAt))) document['created_at'] = createdAt;
  if (!isCanonical(author)) document['author_id'] = author;
  for (const name of keysOf(tweet))
    if (!inColumns.has(name) && !(isReference(name) && isCanonical(tweet[name]))) document[name] = tweet[name];
  if (entities !== undefined) document['entities'] = withoutEmptyLists(entities);
  return JSON.stringify(document);
}

/** Whether a column returns an id as it is: it has no leading zeros. */
const isCanonical = (id: string | undefined): boolean => id !== undefined && (id === '0' || !id.startsWith('0'));

function withoutEmptyLists(entities: NonNullable<ArchivedTweet['entities']>): object {
  const filled: Record<string, unknown> = {};
  for (const name of keysOf(entities)) if (entities[name].length > 0) filled[name] = entities[name];
  return filled;
}

/** The content of a tweet. */
function contentOf(row: TweetContentRow): ArchivedTweet {
  const { entities, ...stored } = JSON.parse(row.document) as Partial<ArchivedTweet> & Pick<ArchivedTweet, 'text'>;
  const tweet: ArchivedTweet = {
    id: fromDatabaseId(row.id),
    created_at: stored.created_at ?? toIsoTime(Number(row.created_at)),
    author_id: fromDatabaseId(row.author_id),
    ...stored,
  };
  for (const name of referenceNames) {
    const id = row[references[name]];
    if (id !== null) tweet[name] ??= fromDatabaseId(id);
  }
  if (entities !== undefined) tweet.entities = { ...noEntities, ...entities };
  return tweet;
}

/** The record of a tweet, with the time of its last observation. */
export function tweetOf(row: TweetRow): ArchivedTweet {
  const tweet = contentOf(row);
  for (const [bit, name] of counts.entries()) if ((row.known & (1 << bit)) !== 0) tweet[name] = Number(row[name]);
  const observedAt = Number(row.observed_at);
  if (observedAt !== 0) tweet.observed_at = toIsoTime(observedAt);
  return tweet;
}
