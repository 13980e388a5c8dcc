/** From what a query says to what it asks of a tweet. */
import { nativeRetweet, type Condition } from './condition.ts';
import { linkTokens } from '../document.ts';
import { operatorNamed, radius } from './operators.ts';
import { isWithin, type Query } from './syntax-tree.ts';
import { fold, signRuns } from './tokenizer.ts';

/** What a query asks for, the rule about native retweets included. */
export function compileQuery(query: Query): Condition {
  const condition = meaning(query);
  if (wantsRetweets(query)) return condition;
  return { is: 'all', parts: [condition, { is: 'not', part: { is: 'term', term: nativeRetweet } }] };
}

/** `within`: the distance in metres that a `within:` gives to each `near:` of its group, groups in it included. */
function meaning(query: Query, within?: number): Condition {
  switch (query.is) {
    case 'and': {
      const own = query.parts.find(isWithin);
      const metres = own === undefined ? within : radius(own.value);
      return { is: 'all', parts: query.parts.filter((part) => !isWithin(part)).map((part) => meaning(part, metres)) };
    }
    case 'or':
      return { is: 'any', parts: query.parts.map((part) => meaning(part, within)) };
    case 'not':
      return { is: 'not', part: meaning(query.part, within) };
    case 'words':
      return { is: 'words', within: 'text', tokens: query.tokens };
    case 'signs':
      return { is: 'all', parts: signRuns(query.text).map((run) => ({ is: 'term', term: `sign:${run}` })) };
    case 'tag':
      return { is: 'term', term: `${query.sign}${fold(query.name)}` };
    case 'link':
      return { is: 'words', within: 'link', tokens: linkTokens(query.text) };
    case 'operator':
      return operatorNamed(query.name)!.read(query.value, within)!;
  }
}

/** Whether a query asks for native retweets, by wanting them or by wanting them too. */
export function wantsRetweets(query: Query): boolean {
  if (query.is === 'and' || query.is === 'or') return query.parts.some(wantsRetweets);
  return query.is === 'operator' && operatorNamed(query.name)!.wantsRetweets?.(query.value) === true;
}
