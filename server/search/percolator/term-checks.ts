/** The part of a condition that the terms of a tweet decide, so that most queries are decided without an evaluation. */
import type { Condition } from '../language/condition.ts';
import type { QueryTerm } from './required-term.ts';

/** A term that a matching tweet must have, or must not have. */
export interface TermCheck {
  readonly term: QueryTerm;
  readonly isPresent: boolean;
}

/** A condition, divided into checks of terms and the condition that remains; undefined if nothing remains. */
export interface CheckedCondition {
  readonly checks: readonly TermCheck[];
  readonly residual: Condition | undefined;
}

const partsOf = (condition: Condition): Condition[] =>
  condition.is === 'all' ? condition.parts.flatMap(partsOf) : [condition];

/** The term that is equivalent to a condition; undefined if there is none. */
function equivalentTerm(condition: Condition): QueryTerm | undefined {
  switch (condition.is) {
    case 'term':
      return { kind: 'term', name: condition.term };
    case 'person':
      return { kind: condition.role, name: condition.name };
    case 'words':
      return condition.tokens.length === 1 && condition.within === 'text'
        ? { kind: 'token', name: condition.tokens[0]! }
        : undefined;
    default:
      return undefined;
  }
}

/** The check that is equivalent to a condition; undefined if there is none. */
function equivalentCheck(condition: Condition): TermCheck | undefined {
  const isPresent = condition.is !== 'not';
  const term = equivalentTerm(isPresent ? condition : condition.part);
  return term && { term, isPresent };
}

/** The tokens of a phrase, which a matching tweet has in some order. */
const phraseTokens = (condition: Condition): TermCheck[] =>
  condition.is === 'words'
    ? condition.tokens
        .filter((token) => token !== '*')
        .map((token) => ({ term: { kind: 'token', name: token }, isPresent: true }))
    : [];

export function takeTermChecks(condition: Condition): CheckedCondition {
  const parts = partsOf(condition).map((part) => ({ part, check: equivalentCheck(part) }));
  const residual = parts.flatMap(({ part, check }) => (check === undefined ? part : []));
  return {
    checks: parts.flatMap(({ part, check }) => check ?? phraseTokens(part)),
    residual: residual.length > 1 ? { is: 'all', parts: residual } : residual[0],
  };
}
