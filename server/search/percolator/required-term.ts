/** The required terms of a condition: terms of which every matching tweet has at least one. */
import { everything, hasLocation, type Condition } from '../language/condition.ts';

type Person = Extract<Condition, { is: 'person' }>;

/** The kinds of terms in queries: a token, an index term, a person by username or id, the tweet's own id. */
export type TermKind = 'token' | 'term' | Person['role'] | 'id';

/** A property that a tweet has or lacks. */
export interface QueryTerm {
  readonly kind: TermKind;
  readonly name: string | bigint;
}

export interface Requirement {
  readonly terms: readonly QueryTerm[];
  /** Whether one of the terms alone proves the condition. */
  readonly suffices: boolean;
}

/** A condition, divided into its required terms and the condition that remains for a tweet with one of these terms. */
export interface SplitCondition {
  readonly requirement: Requirement | undefined;
  readonly residual: Condition;
}

const singleTerm = (kind: TermKind, name: string | bigint, suffices = true): Requirement => ({
  terms: [{ kind, name }],
  suffices,
});

export class RequiredTerms {
  readonly #frequency: (term: string) => number;

  /** `frequency` estimates the number of tweets that have a token or term; the rarest terms are required. */
  constructor(frequency: (term: string) => number) {
    this.#frequency = frequency;
  }

  split(condition: Condition): SplitCondition {
    if (condition.is !== 'all') {
      const requirement = this.#requirementOf(condition);
      return { requirement, residual: requirement?.suffices === true ? everything : condition };
    }
    const parts = condition.parts.map((part) => ({ part, ...this.split(part) }));
    const requirements = parts.flatMap(({ requirement }) => requirement ?? []);
    if (requirements.length === 0) return { requirement: undefined, residual: condition };
    const requirement = requirements.reduce((a, b) => this.#moreSelective(a, b));
    const residual = parts.flatMap((each) =>
      each.requirement !== requirement ? each.part : each.residual === everything ? [] : each.residual,
    );
    return {
      requirement,
      residual:
        residual.length === 0 ? everything : residual.length === 1 ? residual[0]! : { is: 'all', parts: residual },
    };
  }

  #requirementOf(condition: Condition): Requirement | undefined {
    switch (condition.is) {
      case 'all': {
        const { requirement, residual } = this.split(condition);
        return requirement && { ...requirement, suffices: residual === everything };
      }
      case 'any': {
        // A condition that no tweet matches has no terms, which must not mean that every tweet matches.
        if (condition.parts.length === 0) return undefined;
        const parts = condition.parts.map((part) => this.#requirementOf(part));
        if (!parts.every((requirement) => requirement !== undefined)) return undefined;
        return { terms: parts.flatMap(({ terms }) => terms), suffices: parts.every(({ suffices }) => suffices) };
      }
      case 'words': {
        const suffices = condition.tokens.length === 1 && condition.within === 'text';
        return condition.tokens
          .filter((token) => token !== '*')
          .map((token) => singleTerm('token', token, suffices))
          .reduce((a, b) => this.#moreSelective(a, b));
      }
      case 'term':
        return singleTerm('term', condition.term);
      case 'person':
        return singleTerm(condition.role, condition.name);
      case 'area':
      case 'near':
        return singleTerm('term', hasLocation, false);
      case 'ids':
        return condition.upTo - condition.above === 1n ? singleTerm('id', condition.upTo) : undefined;
      default:
        return undefined;
    }
  }

  #cost({ terms }: Requirement): number {
    return terms.reduce(
      (sum, { kind, name }) => sum + 1 + (kind === 'token' || kind === 'term' ? this.#frequency(String(name)) : 0),
      0,
    );
  }

  #moreSelective(a: Requirement, b: Requirement): Requirement {
    return this.#cost(b) < this.#cost(a) ? b : a;
  }
}
