/** The rows of the tables that searches read, from the records of the archive. */
import { counts, type ArchivedPlace, type ArchivedTweet, type ArchivedUser } from '../../domain/records.ts';
import {
  linkTexts,
  nameTexts,
  ownTerms,
  placeTerms,
  relatedTerms,
  textsOf,
  tweetPoint,
} from '../../search/document.ts';
import type { DocumentContext } from '../../search/document.ts';
import { boxOf } from '../../search/geo.ts';
import { tokensOf } from '../../search/language/tokenizer.ts';
import type { Statement } from '../../storage/postgres/database.ts';
import { toDatabaseId } from './database-id.ts';
import { lexemeOf, lexemeVector } from './lexemes.ts';

/** A row to insert, as column values by name. */
export type Row = Readonly<Record<string, string | number | boolean | null | readonly string[]>>;

export interface TweetRows {
  readonly tweet: Row;
  readonly counts: Row;
  /** Only for a tweet with `is_long`. */
  readonly longTweet: Row | undefined;
}

/** The rows of a tweet. The context provides the author's profile and the authors of related tweets. */
export function tweetRows(tweet: ArchivedTweet, context: DocumentContext): TweetRows {
  const id = toDatabaseId(tweet.id);
  const [texts, links] = [textsOf(tweet).map(tokensOf), linkTexts(tweet).map(tokensOf)];
  const terms = [`from:${tweet.author_id}`, ...ownTerms(tweet), ...relatedTerms(tweet, context)];
  const { vector, hasPositions } = lexemeVector({ terms, texts, links });
  const point = tweetPoint(tweet);
  return {
    tweet: {
      id,
      created_at: Date.parse(tweet.created_at),
      author_id: toDatabaseId(tweet.author_id),
      place_id: tweet.place_id ?? null,
      longitude: point?.longitude ?? null,
      latitude: point?.latitude ?? null,
      is_long: !hasPositions,
      words: vector,
    },
    counts: { id, ...Object.fromEntries(counts.map((name) => [name, tweet[name] ?? 0])) },
    longTweet: hasPositions ? undefined : { id, texts: lines(texts), links: lines(links) },
  };
}

/** A line of lexemes between blanks for each text: see #phraseInLongText in search-sql.ts. */
const lines = (texts: readonly (readonly string[])[]): string =>
  texts.map((tokens) => ` ${tokens.map(lexemeOf).join(' ')} \n`).join('');

export function personRow(user: ArchivedUser): Row {
  const { vector, hasPositions } = lexemeVector({ terms: [], texts: nameTexts(user), links: [] });
  return {
    id: toDatabaseId(user.id),
    username: user.username.toLowerCase(),
    verified: user.verified === true,
    blue_verified: user.is_blue_verified === true,
    is_long: !hasPositions,
    name_words: vector,
    name: hasPositions ? '' : lines(nameTexts(user)),
  };
}

export function placeRow(place: ArchivedPlace): Row {
  const [west = null, south = null, east = null, north = null] =
    (place.bounding_box && boxOf(place.bounding_box)) ?? [];
  return { id: place.id, terms: [...new Set(placeTerms(place))].map(lexemeOf), west, south, east, north };
}

/** A statement that inserts rows of one table, which all have the same columns. */
export function insertRows(table: string, rows: readonly Row[]): Statement {
  const columns = Object.keys(rows[0] ?? {});
  const definition = columns.map((name) => `"${name}"`).join(', ');
  return {
    text: `INSERT INTO social_data.${table} (${definition})
      SELECT ${definition} FROM jsonb_populate_recordset(NULL::social_data.${table}, $1::jsonb)`,
    params: [JSON.stringify(rows)],
  };
}
