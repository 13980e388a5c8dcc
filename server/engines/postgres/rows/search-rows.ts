/** The rows of the tables that searches read, from the records of the archive. */
import { countRow, tweetRow } from '../../../archive/content/content-rows.ts';
import { toDatabaseId } from '../../../archive/content/database-id.ts';
import { storedText } from '../../../archive/content/stored-text.ts';
import { lexemesOfEngagement } from '../../../archive/search/engagement-levels.ts';
import type { Row } from '../../../archive/sql.ts';
import type { ArchivedTweet, ArchivedUser } from '../../../domain/records.ts';
import {
  linkTexts,
  nameTexts,
  ownTerms,
  refersToTweet,
  relatedTerms,
  textsOf,
  type DocumentContext,
} from '../../../search/document.ts';
import { engagementOfTweet } from '../../../search/engagement.ts';
import { tokensOf } from '../../../search/language/tokenizer.ts';
import { parseTime } from '../../../text/iso-time.ts';
import { lexemesOf, vectorOf, type Lexemes } from './lexemes.ts';
import { lexemesOfTime } from './time-buckets.ts';

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
  const [texts, links] = [textsOf(tweet).map(tokensOf), linkTexts(tweet).map(tokensOf)];
  const words = lexemesOf({ terms: termsOf(tweet, context, parseTime(tweet.created_at)), texts, links });
  const id = toDatabaseId(tweet.id);
  return {
    tweet: { ...tweetRow(tweet), is_long: !words.hasPositions },
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

/** A line of lexemes between blanks for each text: see #phraseInLongText in search-sql.ts. */
const lines = (texts: readonly (readonly string[])[]): string =>
  texts.map((tokens) => ` ${tokens.map(storedText).join(' ')} \n`).join('');

/** The columns of `person` by which searches find a user by a name. */
export function nameColumns(user: ArchivedUser): Row {
  const words = lexemesOf({ terms: [], texts: nameTexts(user), links: [] });
  return {
    is_long: !words.hasPositions,
    name_words: vectorOf(words),
    name: words.hasPositions ? '' : lines(nameTexts(user)),
  };
}
