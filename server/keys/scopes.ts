/** The scopes of API keys: those of the contract, and that of the operator. */
import { scopes } from '../../generated/scopes.ts';
import type { KeyScope } from '../ports/keys.ts';

/** Each scope that a key may have, with what it permits. */
export const keyScopes: Readonly<Record<KeyScope, string>> = {
  ...scopes,
  admin: 'the operator interface (/operate) and nothing else; no key has it unless it is named',
};
