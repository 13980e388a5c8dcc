/** The parts of the operations that most tests of handlers do not use. */
import type { EventStreams } from '../../server/ports/event-streams.ts';
import { createTokens } from '../../server/keys/tokens.ts';
import { SharedKeys, SharedKeyTable } from '../ports/reference/shared-keys.ts';

/** An event stream without events. */
export const noEvents: EventStreams = { open: () => Promise.reject(new Error('there are no events')) };

/** Tokens of keys of which there are none. */
export const noTokens = createTokens({
  secret: Buffer.alloc(32, 1),
  keys: new SharedKeys(new SharedKeyTable()),
  realm: 'test',
});
