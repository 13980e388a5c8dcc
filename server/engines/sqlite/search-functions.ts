/** Predicates in SQL that only JavaScript can decide as the evaluator does. */
import type { ArchivedTweet } from '../../domain/records.ts';
import { linkTexts, textsOf } from '../../search/document.ts';
import { adjacentIn } from '../../search/language/evaluate.ts';
import { tokensOf } from '../../search/language/tokenizer.ts';
import type { SqliteDatabase } from './sqlite-database.ts';

/**
 * Adds `adjacent(document, tokens, within)`: whether the text or a link of a tweet has tokens in sequence, of which some are `*`.
 * `mayGoOn`: throws where the statement must end.
 */
export function addSearchFunctions(database: SqliteDatabase, mayGoOn: () => void): void {
  database.predicate('adjacent', (document, list, within) => {
    mayGoOn();
    const tweet = JSON.parse(String(document)) as ArchivedTweet;
    const tokens = JSON.parse(String(list)) as string[];
    const has = (texts: readonly string[]): boolean => texts.some((text) => adjacentIn(tokensOf(text), tokens));
    return has(linkTexts(tweet)) || (within === 'text' && has(textsOf(tweet)));
  });
}
