/** The port to authentication: says who sends a request, by the credential of one kind of security scheme. */
import type { SecurityScheme } from '../contract/security-schemes.ts';

export type { SecurityScheme };

/** Who sends a request. */
export interface Caller {
  /** Its identity, which handlers get as `keyId`; its requests are counted by it. */
  readonly id: string;
  /** The scopes of the contract that it has; `all` for every one. */
  readonly scopes: Iterable<string> | 'all';
}

/** Authenticates the callers of a kind of security scheme. `server/authenticators.ts` registers it. */
export interface Authenticator {
  /**
   * Whether it authenticates the callers of a scheme. `npm run generate` asks it too, so it depends on nothing but the
   * scheme. It is not asked about mutual TLS, because a proxy can end TLS.
   */
  accepts(scheme: SecurityScheme): boolean;
  /**
   * The caller with this credential; undefined if the credential is not valid. It is the value of the API key, or what
   * follows the name of the authentication scheme in `Authorization`: the token of a bearer, OAuth 2 or OpenID Connect,
   * the base64 of Basic. Where it throws, the request gets 503.
   */
  authenticate(credential: string, scheme: SecurityScheme): Caller | undefined | Promise<Caller | undefined>;
}
