/** The commands of `npm run keys`, for a running server or for the stored keys. */
import { suggestion } from '../text/nearest-name.ts';
import { readExpiry } from './expiry.ts';
import type { Keys, KeyScope, NewKey } from '../ports/keys.ts';
import { rateSyntax, readRate } from '../text/rate.ts';
import { keyScopes } from './scopes.ts';
import { hasMembers, keysOf } from '../text/object.ts';

/** The options of a new key from the command line, not validated. */
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

const scopeNames = keysOf(keyScopes);

/**
 * Parses a list of scopes. Returns each scope once, in the order of the contract. Throws an Error for an unknown
 * scope.
 */
function readScopes(list: string): KeyScope[] {
  const requested = list.split(',').map((scope) => scope.trim());
  const unknown = requested.find((scope) => !Object.hasOwn(keyScopes, scope));
  if (unknown !== undefined) throw new Error(`unknown scope '${unknown}'${suggestion(unknown, scopeNames)}`);
  return scopeNames.filter((scope) => requested.includes(scope));
}

function readRateText(value: unknown): string {
  const rate = readText(value, 'the rate');
  if (readRate(rate) === undefined) throw new Error(`'${rate}' is not a valid rate: use ${rateSyntax}`);
  return rate;
}

/** Validates the options of a new key. Throws an Error that names the expected value. */
function readNewKey(value: unknown, now: number): NewKey {
  if (!hasMembers(value)) throw new Error('a key needs a name: --name NAME');
  const { name, scopes: list, rate, expires }: { readonly [Name in keyof NewKeyRequest]?: unknown } = value;
  return {
    name: readText(name, 'the name'),
    ...(list === undefined ? {} : { scopes: readScopes(readText(list, 'the list of scopes')) }),
    ...(rate === undefined ? {} : { rate: readRateText(rate) }),
    ...(expires === undefined ? {} : { expiresAt: readExpiry(readText(expires, 'the expiry'), now) }),
  };
}

/**
 * The control commands by name; they take and return JSON. Each rejects with an Error for the operator when its input
 * is invalid.
 */
export const keyCommands = (keys: Pick<Keys, 'create' | 'list' | 'revoke'>) => ({
  'keys/create': async (request: unknown) => keys.create(readNewKey(request, Date.now())),
  'keys/list': async (_value: unknown) => keys.list(),
  'keys/revoke': async (id: unknown) => keys.revoke(readText(id, 'the id')),
});
