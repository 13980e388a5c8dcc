/** Compiles the syntax tree of a query to a condition. */
import { nativeRetweet, type Condition } from './condition.ts';
import { conjunction } from './conjunction.ts';
import { linkTokens } from './terms.ts';
import { findOperator, parseDistance } from './operators.ts';
import { isWithin, type Query } from '../../domain/query.ts';
import { fold, signRuns } from './tokenizer.ts';

/** The condition of a query, including the rule that excludes native retweets by default. */
export function compileQuery(query: Query): Condition {
  const condition = compile(query);
  if (wantsRetweets(query)) return condition;
  return conjunction([condition, { is: 'not', part: { is: 'term', term: nativeRetweet } }]);
}

/** The condition of an operator that the parser has accepted. */
function operatorCondition(name: string, value: string, within: number | undefined): Condition {
  const condition = findOperator(name)?.read(value, within);
  if (condition === undefined) throw new Error(`the query has no operator ${name} with the value ${value}`);
  return condition;
}

/** `within` is the distance in metres that a `within:` sets for each `near:` of its group and of nested groups. */
function compile(query: Query, within?: number): Condition {
  switch (query.is) {
    case 'and': {
      const withinOperator = query.parts.find(isWithin);
      const metres = withinOperator === undefined ? within : parseDistance(withinOperator.value);
      return conjunction(query.parts.filter((part) => !isWithin(part)).map((part) => compile(part, metres)));
    }
    case 'or':
      return { is: 'any', parts: query.parts.map((part) => compile(part, within)) };
    case 'not':
      return { is: 'not', part: compile(query.part, within) };
    case 'words':
      return { is: 'words', within: 'text', tokens: query.tokens };
    case 'signs':
      return { is: 'all', parts: signRuns(query.text).map((run) => ({ is: 'term', term: `sign:${run}` })) };
    case 'tag':
      return { is: 'term', term: `${query.sign}${fold(query.name)}` };
    case 'link':
      return { is: 'words', within: 'link', tokens: linkTokens(query.text) };
    case 'operator':
      return operatorCondition(query.name, query.value, within);
  }
}

/** Whether a query includes native retweets, alone or together with other tweets. */
export function wantsRetweets(query: Query): boolean {
  if (query.is === 'and' || query.is === 'or') return query.parts.some(wantsRetweets);
  return query.is === 'operator' && findOperator(query.name)?.wantsRetweets?.(query.value) === true;
}
