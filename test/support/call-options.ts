import type { CallOptions } from '../../server/ports/platform.ts';

/** The options of a call whose caller waits for the result. */
export const options: CallOptions = { signal: new AbortController().signal };
