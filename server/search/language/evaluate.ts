/**
 * The evaluator: decides for one tweet whether a condition matches. It defines the meaning; tests compare the index and
 * the percolator with it.
 */
import type { Condition } from './condition.ts';
import type { TweetDocument } from '../../domain/tweet-document.ts';
import { areaContains } from '../../domain/geo.ts';

/** Whether a text contains the tokens in sequence. `*` matches any one token. */
export function adjacentIn(text: readonly string[], tokens: readonly string[]): boolean {
  for (let start = 0; start + tokens.length <= text.length; start++) {
    if (tokens.every((token, place) => token === '*' || text[start + place] === token)) return true;
  }
  return false;
}

/** Whether the tweet matches the condition. `now` is in milliseconds since the epoch. */
export function matches(condition: Condition, tweet: TweetDocument, now: number): boolean {
  switch (condition.is) {
    case 'all':
      return condition.parts.every((part) => matches(part, tweet, now));
    case 'any':
      return condition.parts.some((part) => matches(part, tweet, now));
    case 'not':
      return !matches(condition.part, tweet, now);
    case 'words': {
      if (!condition.tokens.every((token) => token === '*' || tweet.tokens.has(token))) return false;
      if (condition.tokens.length === 1 && condition.within === 'text') return true;
      const has = (texts: TweetDocument['texts']): boolean => texts.some((text) => adjacentIn(text, condition.tokens));
      return has(tweet.links) || (condition.within === 'text' && (has(tweet.texts) || has(tweet.names)));
    }
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
    case 'near': {
      const { term, metres } = condition;
      if (tweet.location.point === undefined && tweet.terms.has(term)) return true;
      return tweet.centres(term).some((centre) => areaContains({ shape: 'circle', centre, metres }, tweet.location));
    }
    case 'ids':
      return tweet.id > condition.above && tweet.id <= condition.upTo;
  }
}
