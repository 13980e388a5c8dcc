/** The scopes of API keys: those of the contract, and that of the operator. */
import { scopes, type Scope } from '../../generated/scopes.ts';
import type { KeyScope } from '../ports/keys.ts';

// A contract can have no scopes.
const every = Object.keys(scopes) as unknown as readonly Scope[];

/** The scopes of the contract that a key has by another one, where the contract declares them. */
const included: Readonly<Partial<Record<string, string>>> = { feeds: 'read' };

/**
 * The scopes of a key that was made for these: also `feeds` with `read`, which shows more, and `tokens` with every scope of the
 * contract, because a token opens no more than its key.
 */
export function withIncluded(granted: readonly KeyScope[]): ReadonlySet<KeyScope> {
  const has = (name: Scope): boolean =>
    granted.some((each) => each === name || each === included[name] || (name === 'tokens' && each !== 'admin'));
  return new Set([...granted, ...every.filter(has)]);
}

/** Each scope that a key may have, with what it permits. */
export const keyScopes: Readonly<Record<KeyScope, string>> = {
  ...scopes,
  admin: 'the operator interface (/operate) and nothing else; no key has it unless it is named',
};
