/**
 * The part of a condition that the terms and the counts of a tweet decide, so that most queries are decided without an
 * evaluation: clauses, all of which must hold.
 */
import type { Condition, Count } from '../language/condition.ts';
import type { QueryTerm } from './required-term.ts';

/** A term that a matching tweet must have, or must not have. */
export interface TermCheck {
  readonly term: QueryTerm;
  readonly isExpected: boolean;
}

/** A count that must have reached a minimum, or must not have reached it. */
export interface CountCheck {
  readonly count: Count;
  readonly min: number;
  readonly isExpected: boolean;
}

/** Holds if one of its checks holds; without checks, it does not hold. */
export type Clause = readonly (TermCheck | CountCheck)[];

/** A condition, divided into clauses and the condition that remains; undefined if nothing remains. */
export interface CheckedCondition {
  readonly clauses: readonly Clause[];
  readonly residual: Condition | undefined;
}

/** The largest minimum of a count check; one that is no integer or larger remains for the evaluation. */
const maxMin = 2 ** 30;

/** The clause that is equivalent to a condition, or to its opposite; undefined if there is none. */
function clauseOf(condition: Condition, isExpected: boolean): Clause | undefined {
  switch (condition.is) {
    case 'not':
      return clauseOf(condition.part, !isExpected);
    case 'all':
    case 'any': {
      const { parts } = condition;
      if ((condition.is === 'any') !== isExpected && parts.length !== 1) return undefined;
      const clauses = parts.map((part) => clauseOf(part, isExpected));
      return clauses.every((clause) => clause !== undefined) ? clauses.flat() : undefined;
    }
    case 'term':
      return [{ term: { kind: 'term', name: condition.term }, isExpected }];
    case 'person':
      return [{ term: { kind: condition.role, name: condition.name }, isExpected }];
    case 'words':
      return condition.tokens.length === 1 && condition.within === 'text'
        ? [{ term: { kind: 'token', name: condition.tokens[0]! }, isExpected }]
        : undefined;
    case 'count': {
      const { count, min } = condition;
      return Number.isInteger(min) && min >= 0 && min <= maxMin ? [{ count, min, isExpected }] : undefined;
    }
    default:
      return undefined;
  }
}

/** The tokens of a phrase, which a matching tweet has in some order. */
const phraseTokens = (condition: Condition): Clause[] =>
  condition.is === 'words'
    ? condition.tokens
        .filter((token) => token !== '*')
        .map((token) => [{ term: { kind: 'token', name: token }, isExpected: true }])
    : [];

/** The conditions, all of which must be as expected for the given one to be as expected. */
const partsOf = (condition: Condition, isExpected: boolean): (readonly [Condition, boolean])[] =>
  condition.is === 'not'
    ? partsOf(condition.part, !isExpected)
    : condition.is === (isExpected ? 'all' : 'any')
      ? condition.parts.flatMap((part) => partsOf(part, isExpected))
      : [[condition, isExpected]];

export function takeTermChecks(condition: Condition): CheckedCondition {
  const clauses: Clause[] = [];
  const residual: Condition[] = [];
  for (const [part, isExpected] of partsOf(condition, true)) {
    const clause = clauseOf(part, isExpected);
    if (clause !== undefined) clauses.push(clause);
    else {
      if (isExpected) clauses.push(...phraseTokens(part));
      residual.push(isExpected ? part : { is: 'not', part });
    }
  }
  return {
    // A term that must be there, or not, decides most often and costs least.
    clauses: clauses.toSorted((a, b) => costOf(a) - costOf(b)),
    residual: residual.length > 1 ? { is: 'all', parts: residual } : residual[0],
  };
}

const costOf = (clause: Clause): number => clause.reduce((sum, check) => sum + ('term' in check ? 1 : 2), 0);
