/** Whether this project has the conventions of the bundled client. */
import { existsSync } from 'node:fs';

/**
 * The client in `client/src/client.ts` is written for one contract and needs its conventions: `x-repeat`, examples, error components.
 * A project without it generates a client for any contract, and the lint refuses only what cannot be served.
 */
export const hasConventions = existsSync(new URL('../../client/src/client.ts', import.meta.url));
