/**
 * The evaluator: decides for one tweet whether a condition matches. It defines the meaning; tests compare the index and
 * the percolator with it.
 */
import type { Condition } from './condition.ts';
import type { TweetDocument } from '../document.ts';
import { areaContains } from '../geo.ts';
import { containsPhrase, phraseMatcher } from './phrase.ts';

/** Stands for any one token of a phrase. */
const anyToken = '*';

/** Whether a text contains the tokens in sequence. `*` matches any one token. */
export const adjacentIn = (text: readonly string[], tokens: readonly string[]): boolean =>
  text.length >= tokens.length && containsPhrase(text, phraseMatcher(tokens, anyToken));

/** Whether the tweet matches the condition. `now` is in milliseconds since the epoch. */
export function matches(condition: Condition, tweet: TweetDocument, now: number): boolean {
  const steps = matchSteps(condition, tweet, now);
  for (;;) {
    const { done, value } = steps.next();
    if (done === true) return value;
  }
}

/**
 * As `matches`, in steps: other work can run between them. A query can have a hundred phrases, and a text 250,000 characters. A step reads
 * the texts once, or the places of one name.
 */
export function* matchSteps(condition: Condition, tweet: TweetDocument, now: number): Generator<void, boolean> {
  switch (condition.is) {
    case 'all':
      for (const part of condition.parts) if (!(yield* matchSteps(part, tweet, now))) return false;
      return true;
    case 'any':
      for (const part of condition.parts) if (yield* matchSteps(part, tweet, now)) return true;
      return false;
    case 'not':
      return !(yield* matchSteps(condition.part, tweet, now));
    case 'words': {
      if (!condition.tokens.every((token) => token === anyToken || tweet.tokens.has(token))) return false;
      if (condition.tokens.length === 1 && condition.within === 'text') return true;
      yield;
      return hasPhrase(condition, tweet);
    }
    case 'near':
      if (tweet.location.point === undefined && tweet.terms.has(condition.term)) return true;
      if (tweet.location.point === undefined && tweet.location.box === undefined) return false;
      yield;
      return isNear(condition, tweet);
    case 'term':
      return tweet.terms.has(condition.term);
    case 'person': {
      const person = tweet[condition.role];
      return person !== undefined && (person.id === condition.name || person.username === condition.name);
    }
    case 'verified':
      return tweet.verified;
    case 'blue_verified':
      return tweet.blueVerified;
    case 'count':
      return tweet.counts[condition.count] >= condition.min;
    case 'created':
      return tweet.createdAt >= condition.since && tweet.createdAt < condition.until;
    case 'recent':
      return tweet.createdAt > now - condition.ms;
    case 'area':
      return areaContains(condition.area, tweet.location);
    case 'ids':
      return tweet.id > condition.above && tweet.id <= condition.upTo;
  }
}

function hasPhrase({ tokens, within }: Extract<Condition, { is: 'words' }>, tweet: TweetDocument): boolean {
  const phrase = phraseMatcher(tokens, anyToken);
  const has = (texts: TweetDocument['texts']): boolean =>
    texts.some((text) => text.length >= tokens.length && containsPhrase(text, phrase));
  return has(tweet.links) || (within === 'text' && (has(tweet.texts) || has(tweet.names)));
}

const isNear = ({ term, metres }: Extract<Condition, { is: 'near' }>, tweet: TweetDocument): boolean =>
  tweet.centres(term).some((centre) => areaContains({ shape: 'circle', centre, metres }, tweet.location));
