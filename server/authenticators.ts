/**
 * The authenticators in addition to that of the API keys, which takes `apiKey` in a header or in the query, and the HTTP
 * scheme `bearer`. An authenticator here comes first. `npm run generate` and the start refuse a contract with a security
 * scheme that none of them accepts.
 */
import type { Authenticator } from './ports/authenticator.ts';

export const authenticators: readonly Authenticator[] = [];
