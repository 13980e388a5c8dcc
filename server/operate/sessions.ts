/** Sessions of operators in a browser: a random cookie in the place of the key. */
import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { AuthenticatedKey } from '../ports/keys.ts';

const cookieName = 'social_data_operator';
const lifetimeSeconds = 8 * 60 * 60;
const maxSessions = 1_000;

/** The sessions of this process. A restart ends them. A session ends with its key. */
export class Sessions {
  readonly #byToken = new LRUCache<string, AuthenticatedKey>({ max: maxSessions, ttl: lifetimeSeconds * 1000 });
  readonly #isValid: (keyId: string) => boolean;

  /** `isValid`: whether the key with this id is still valid. */
  constructor(isValid: (keyId: string) => boolean) {
    this.#isValid = isValid;
  }

  /**
   * Begins a session of a key; returns the value of `Set-Cookie`. The cookie has no path, so the browser sends it only
   * below the folder of the request, also behind a proxy that adds a prefix.
   */
  begin(key: AuthenticatedKey, secure: boolean): string {
    const token = randomBytes(32).toString('base64url');
    this.#byToken.set(token, key);
    return this.#cookie(token, lifetimeSeconds, secure);
  }

  /** The key of the session in a `Cookie` header; undefined without a valid session. */
  find(header: string | undefined): AuthenticatedKey | undefined {
    const key = this.#byToken.get(tokenOf(header));
    return key !== undefined && this.#isValid(key.id) ? key : undefined;
  }

  /** Ends the session in a `Cookie` header; returns the value of `Set-Cookie` that removes the cookie. */
  end(header: string | undefined, secure: boolean): string {
    this.#byToken.delete(tokenOf(header));
    return this.#cookie('', 0, secure);
  }

  #cookie(value: string, maxAge: number, secure: boolean): string {
    return `${cookieName}=${value}; Max-Age=${maxAge}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;
  }
}

/** The token in a `Cookie` header; empty if there is none. */
function tokenOf(header: string | undefined): string {
  for (const pair of (header ?? '').split(';')) {
    const [name, value = ''] = pair.trim().split('=', 2);
    if (name === cookieName) return value;
  }
  return '';
}
