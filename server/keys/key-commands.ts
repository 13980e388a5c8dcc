/** What `npm run keys` asks, of a running server or of the stored keys. */
import { scopes, type Scope } from '../../generated/scopes.ts';
import { suggestion } from '../text/nearest-name.ts';
import { readExpiry } from './expiry.ts';
import type { Keys, NewKey } from './keys.ts';
import { rateSyntax, readRate } from './rate.ts';

/** A new key as the command line has it: texts, not checked. */
export interface NewKeyRequest {
  readonly name?: string | undefined;
  readonly scopes?: string | undefined;
  readonly rate?: string | undefined;
  readonly expires?: string | undefined;
}

const readText = (value: unknown, label: string): string => {
  if (typeof value === 'string' && value !== '' && value.length <= 100 && !/\p{Cc}/u.test(value)) return value;
  throw new Error(`${label} must be a text of 1 to 100 characters`);
};

const scopeNames = Object.keys(scopes) as Scope[];

/** Scopes in the contract's order, each once. Throws for one that there is not. */
function readScopes(list: string): Scope[] {
  const requested = readText(list, 'the list of scopes')
    .split(',')
    .map((scope) => scope.trim());
  const unknown = requested.find((scope) => !scopeNames.includes(scope as Scope));
  if (unknown !== undefined) throw new Error(`unknown scope '${unknown}'${suggestion(unknown, scopeNames)}`);
  return scopeNames.filter((scope) => requested.includes(scope));
}

/** Throws an Error that says what was expected. */
function readNewKey(value: unknown, now: number): NewKey {
  if (typeof value !== 'object' || value === null) throw new Error('a key needs a name: --name NAME');
  const { name, scopes: list, rate, expires } = value as NewKeyRequest;
  if (rate !== undefined && readRate(readText(rate, 'the rate')) === undefined)
    throw new Error(`'${rate}' is no rate: write it as ${rateSyntax}`);
  return {
    name: readText(name, 'the name'),
    ...(list === undefined ? {} : { scopes: readScopes(list) }),
    ...(rate === undefined ? {} : { rate }),
    ...(expires === undefined ? {} : { expiresAt: readExpiry(readText(expires, 'the expiry'), now) }),
  };
}

/** JSON in, JSON out. Each rejects with an Error for the operator where what it is given is wrong. */
export const keyCommands = (keys: Keys) => ({
  'keys/create': async (request: unknown) => keys.create(readNewKey(request, Date.now())),
  'keys/list': async (_value: unknown) => keys.list(),
  'keys/revoke': async (id: unknown) => keys.revoke(readText(id, 'the id')),
});
