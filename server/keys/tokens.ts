/**
 * Tokens that are made from a key, for browsers and other programs that must not have the key.
 *
 * A short-lived token is signed, not stored: it needs no write, and every instance that shares the secret accepts it, also after
 * a restart. It names its key, its scopes and its end; nobody can change one of these without the secret. It ends before its time
 * with its key, and no other way, so it lasts an hour at most. A feed token has no end, and its holder often cannot keep it
 * secret, because it is part of an address. So each one can be revoked alone: it is stored as keys are, by its hash.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Scope } from '../../generated/scopes.ts';
import { forbidden } from '../contract/service-error.ts';
import type { AuthenticatedKey, Keys } from '../ports/keys.ts';
import type { FeedToken, MintedToken, Tokens } from '../ports/tokens.ts';
import { hasMembers } from '../text/object.ts';

const prefix = 'sdt_';
const feedScopes: readonly Scope[] = ['feeds' as Scope];
/** What no token can do: make further tokens, which would outlive it. */
const reserved: ReadonlySet<string> = new Set(['tokens', 'admin']);
/** Feed tokens of a key. */
export const maxFeedTokens = 100;

/** The signed part of a token. */
interface Claims {
  /** The id of the key. */
  readonly key: string;
  readonly scopes: readonly string[];
  /** Seconds since 1970. */
  readonly ends: number;
}

export interface TokenParts {
  /** At least 32 bytes, the same in all instances and after a restart. */
  readonly secret: Buffer;
  readonly keys: Pick<Keys, 'find' | 'create' | 'list' | 'revoke'>;
  /** The realm of the challenge in a 403. */
  readonly realm: string;
}

/** Finds the key of a presented credential. */
export interface VerifyToken {
  /** Whether a credential has the form of a signed token. */
  isToken(text: string): boolean;
  /**
   * The token as a key of its scopes and its end; undefined if it is forged or has ended, or if its key is revoked. The signature
   * is compared in constant time. Throws StoreError when the stored keys are not known.
   */
  verify(text: string): AuthenticatedKey | undefined;
}

/** The claims of a payload that has the right signature. */
function readClaims(payload: string): Claims | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString());
    return hasMembers(claims) && typeof claims.key === 'string' && typeof claims.ends === 'number'
      ? (claims as unknown as Claims)
      : undefined;
  } catch {
    return undefined;
  }
}

export function createTokens({ secret, keys, realm }: TokenParts): Tokens & VerifyToken {
  const sign = (payload: string): Buffer => createHmac('sha256', secret).update(`${prefix}${payload}`).digest();

  function mint(keyId: string, requested: readonly string[] | undefined, seconds: number): MintedToken {
    const key = keys.find(keyId);
    const granted = [...(key?.scopes ?? [])].filter((scope) => !reserved.has(scope));
    const scopes = requested === undefined ? granted : [...new Set(requested)];
    const missing = scopes.find((scope) => !granted.includes(scope as Scope));
    if (key === undefined || missing !== undefined) throw forbidden(missing ?? 'tokens', realm);
    const ends = Math.floor(Math.min(Date.now() + seconds * 1000, key.expiresAt) / 1000);
    // The random part makes tokens of the same second different.
    const claims = { key: keyId, scopes, ends, n: randomBytes(6).toString('base64url') };
    const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
    return { token: `${prefix}${payload}.${sign(payload).toString('base64url')}`, scopes, endsAt: ends * 1000 };
  }

  function verify(text: string): AuthenticatedKey | undefined {
    const [payload = '', signature = '', ...others] = text.slice(prefix.length).split('.');
    const [presented, expected] = [Buffer.from(signature), Buffer.from(sign(payload).toString('base64url'))];
    if (others.length > 0 || presented.length !== expected.length || !timingSafeEqual(presented, expected))
      return undefined;
    const claims = readClaims(payload);
    const issuer = claims && keys.find(claims.key);
    if (claims === undefined || issuer === undefined || claims.ends * 1000 <= Date.now()) return undefined;
    const { id, rate, scopes, expiresAt, lastUse } = issuer;
    return {
      ...{ id, rate, lastUse, issuer },
      scopes: new Set(claims.scopes).intersection(scopes) as unknown as ReadonlySet<Scope>,
      expiresAt: Math.min(claims.ends * 1000, expiresAt),
    };
  }

  const ofKey = async (keyId: string): Promise<FeedToken[]> =>
    (await keys.list())
      .filter(({ issuer }) => issuer === keyId)
      .map(({ id, name, created_at, last_used_at = null }) => ({ id, name, created_at, last_used_at }));

  return {
    ...{ mint, verify },
    isToken: (text) => text.startsWith(prefix),
    owner: (id) => keys.find(id)?.issuer?.id ?? id,
    feedTokens: ofKey,
    async createFeedToken(keyId, name) {
      const key = keys.find(keyId);
      if (key === undefined || !feedScopes.every((scope) => key.scopes.has(scope))) throw forbidden('feeds', realm);
      if ((await ofKey(keyId)).length >= maxFeedTokens) return undefined;
      const { id, key: token } = await keys.create({ name, scopes: feedScopes, issuer: keyId });
      return { id, token };
    },
    async revokeFeedToken(keyId, id) {
      return (await ofKey(keyId)).some((each) => each.id === id) && keys.revoke(id);
    },
  };
}
