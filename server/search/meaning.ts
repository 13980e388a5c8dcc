/** From what a query says to what it asks of a tweet. */
import { nativeRetweet, type Condition } from './condition.ts';
import { linkTokens } from './document.ts';
import { operatorNamed } from './operators.ts';
import type { Query } from './query.ts';
import { fold, signRuns } from './tokens.ts';

/** What a query asks for, the rule about native retweets included. */
export function conditionOf(query: Query): Condition {
  const condition = meaning(query);
  if (wantsRetweets(query)) return condition;
  return { is: 'all', parts: [condition, { is: 'not', part: { is: 'term', term: nativeRetweet } }] };
}

function meaning(query: Query): Condition {
  switch (query.is) {
    case 'and':
      return { is: 'all', parts: query.parts.map(meaning) };
    case 'or':
      return { is: 'any', parts: query.parts.map(meaning) };
    case 'not':
      return { is: 'not', part: meaning(query.part) };
    case 'words':
      return { is: 'words', within: 'text', tokens: query.tokens };
    case 'signs':
      return { is: 'all', parts: signRuns(query.text).map((run) => ({ is: 'term', term: `sign:${run}` })) };
    case 'tag':
      return { is: 'term', term: `${query.sign}${fold(query.name)}` };
    case 'link':
      return { is: 'words', within: 'link', tokens: linkTokens(query.text) };
    case 'operator':
      return operatorNamed(query.name)!.read(query.value)!;
  }
}

/** Whether a query asks for native retweets, by wanting them or by wanting them too. */
export function wantsRetweets(query: Query): boolean {
  if (query.is === 'and' || query.is === 'or') return query.parts.some(wantsRetweets);
  return query.is === 'operator' && operatorNamed(query.name)!.wantsRetweets?.(query.value) === true;
}
