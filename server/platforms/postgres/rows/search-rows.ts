/** The rows of the tables that searches read, from the records of the archive. */
import { counts, type ArchivedPlace, type ArchivedTweet, type ArchivedUser } from '../../../domain/records.ts';
import {
  linkTexts,
  nameTexts,
  ownTerms,
  refersToTweet,
  relatedTerms,
  textsOf,
  tweetPoint,
} from '../../../search/document.ts';
import type { DocumentContext } from '../../../search/document.ts';
import { engagementOfTweet } from '../../../search/engagement.ts';
import { boxOf } from '../../../search/geo.ts';
import { placeTerms } from '../../../search/place-terms.ts';
import { time } from '../../archive/change.ts';
import { tokensOf } from '../../../search/language/tokenizer.ts';
import type { Statement } from '../../../storage/postgres/database.ts';
import { parseTime } from '../../../text/iso-time.ts';
import { toDatabaseId } from './database-id.ts';
import { lexemesOfEngagement } from '../../../archive/search/engagement-levels.ts';
import { lexemeOf, lexemesOf, vectorOf, type Lexemes } from './lexemes.ts';
import { lexemesOfTime } from './time-buckets.ts';
import { documentOf } from './tweet-record.ts';

/** The columns of `tweet` that have the id of a term, by the prefix of the term. The vector has no lexemes for these terms. */
const columnsOfTerms: Readonly<Record<string, string>> = {
  from: 'author_id',
  in_reply_to_tweet_id: 'in_reply_to_id',
  quoted_tweet_id: 'quoted_id',
  retweets_of_tweet_id: 'retweeted_id',
};

/** The column that a term such as `from:12` would have; undefined for all other terms. */
function columnNamed(term: string): { readonly column: string; readonly id: string } | undefined {
  const colon = term.indexOf(':');
  const column = colon < 0 ? undefined : columnsOfTerms[term.slice(0, colon)];
  const id = term.slice(colon + 1);
  return column !== undefined && /^\d{1,19}$/.test(id) ? { column, id } : undefined;
}

/** The column of a term such as `from:12`, and the stored id; undefined for a term with a lexeme. */
export function columnOfTerm(term: string): { readonly column: string; readonly id: string } | undefined {
  const found = columnNamed(term);
  return found && { column: found.column, id: toDatabaseId(found.id) };
}

/** A row to insert, as column values by name. */
export type Row = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

export interface TweetRows {
  /** Without its words. */
  readonly tweet: Row;
  /** The column `words`. */
  readonly words: Lexemes;
  readonly counts: Row;
  /** Only for a tweet with `is_long`. */
  readonly longTweet: Row | undefined;
}

/** The rows of a tweet. The context provides the author's profile and the authors of related tweets. */
export function tweetRows(tweet: ArchivedTweet, context: DocumentContext): TweetRows {
  const id = toDatabaseId(tweet.id);
  const [texts, links] = [textsOf(tweet).map(tokensOf), linkTexts(tweet).map(tokensOf)];
  const createdAt = parseTime(tweet.created_at);
  const words = lexemesOf({ terms: termsOf(tweet, context, createdAt), texts, links });
  const point = tweetPoint(tweet);
  return {
    tweet: {
      id,
      created_at: createdAt,
      author_id: toDatabaseId(tweet.author_id),
      place_id: tweet.place_id ?? null,
      longitude: point?.longitude ?? null,
      latitude: point?.latitude ?? null,
      is_long: !words.hasPositions,
      in_reply_to_id: optionalId(tweet.in_reply_to_id),
      quoted_id: optionalId(tweet.quoted_tweet_id),
      retweeted_id: optionalId(tweet.retweeted_tweet_id),
      community_id: optionalId(tweet.community_id),
      has_media: (tweet.media ?? []).length > 0,
      reply_to: tweet.in_reply_to_username === undefined ? null : nameKey(tweet.in_reply_to_username),
      document: documentOf(tweet),
    },
    words,
    counts: countRow(tweet),
    longTweet: words.hasPositions ? undefined : { id, texts: lines(texts), links: lines(links) },
  };
}

/** The terms that have lexemes. */
function termsOf(tweet: ArchivedTweet, context: DocumentContext, createdAt: number): string[] {
  const terms: string[] = [];
  for (const term of ownTerms(tweet)) if (columnNamed(term) === undefined) terms.push(term);
  if (refersToTweet(tweet))
    for (const term of relatedTerms(tweet, context)) if (columnNamed(term) === undefined) terms.push(term);
  terms.push(...lexemesOfTime(createdAt), ...lexemesOfEngagement(engagementOfTweet(tweet)));
  return terms;
}

const optionalId = (id: string | undefined): string | null => (id === undefined ? null : toDatabaseId(id));

/** The row of the counts of a tweet. */
export function countRow(tweet: ArchivedTweet): Row {
  const row: Record<string, string | number> = { id: toDatabaseId(tweet.id) };
  let known = 0;
  for (const [bit, name] of counts.entries()) {
    const count = tweet[name];
    row[name] = count ?? 0;
    if (count !== undefined) known |= 1 << bit;
  }
  row['known'] = known;
  row['engagement'] = engagementOfTweet(tweet);
  row['observed_at'] = time(tweet.observed_at);
  return row;
}

/** The form in which a username is stored and looked up. */
export const nameKey = (username: string): string => lexemeOf(username.toLowerCase());

/** A line of lexemes between blanks for each text: see #phraseInLongText in search-sql.ts. */
const lines = (texts: readonly (readonly string[])[]): string =>
  texts.map((tokens) => ` ${tokens.map(lexemeOf).join(' ')} \n`).join('');

export function personRow(user: ArchivedUser): Row {
  const words = lexemesOf({ terms: [], texts: nameTexts(user), links: [] });
  return {
    id: toDatabaseId(user.id),
    username: nameKey(user.username),
    verified: user.verified === true,
    blue_verified: user.is_blue_verified === true,
    is_long: !words.hasPositions,
    name_words: vectorOf(words),
    name: words.hasPositions ? '' : lines(nameTexts(user)),
  };
}

export function placeRow(place: ArchivedPlace): Row {
  const [west = null, south = null, east = null, north = null] =
    (place.bounding_box && boxOf(place.bounding_box)) ?? [];
  return { id: place.id, terms: [...new Set(placeTerms(place))].map(lexemeOf), west, south, east, north };
}

/** A statement that inserts rows of one table, which all have the same columns. */
export function insertRows(table: string, rows: readonly Row[], conflict = ''): Statement {
  const columns = Object.keys(rows[0] ?? {});
  const definition = columns.map((name) => `"${name}"`).join(', ');
  return {
    text: `INSERT INTO social_data.${table} (${definition})
      SELECT ${definition} FROM jsonb_populate_recordset(NULL::social_data.${table}, $1::jsonb) ${conflict}`,
    params: [JSON.stringify(rows)],
  };
}

/**
 * As `insertRows`, with less work for PostgreSQL, for rows whose keys no other row has, and without lists. `option`: such as `(FREEZE)`.
 */
export function copyRows(table: string, rows: readonly Row[], option = ''): Statement {
  const columns = Object.keys(rows[0] ?? {});
  return {
    text: `COPY social_data.${table} (${columns.map((name) => `"${name}"`).join(', ')}) FROM STDIN ${option}`,
    copied: rows.map((row) => `${columns.map((name) => copyField(row[name])).join('\t')}\n`).join(''),
  };
}

const copyField = (value: Row[string] | undefined): string =>
  value == null ? String.raw`\N` : typeof value === 'string' ? escapedField(value) : String(value);
const escapes: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\t': '\\t', '\r': '\\r' };
const escapedField = (text: string): string =>
  /[\\\n\t\r]/.test(text) ? text.replaceAll(/[\\\n\t\r]/g, (character) => escapes[character] ?? character) : text;

/** As `insertRows`; rows with the same key are replaced, except for these columns. */
export function upsertRows(
  table: string,
  keys: readonly string[],
  rows: readonly Row[],
  unchanged: readonly string[] = [],
): Statement {
  const columns = Object.keys(rows[0] ?? {}).filter((name) => !keys.includes(name) && !unchanged.includes(name));
  const values = columns.map((name) => `"${name}" = excluded."${name}"`).join(', ');
  return insertRows(table, rows, `ON CONFLICT (${keys.join(', ')}) DO UPDATE SET ${values}`);
}
