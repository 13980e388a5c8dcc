/** The parts of the operations that most tests of handlers do not use. */
import { createTokens } from '../../server/keys/tokens.ts';
import { SharedKeys, SharedKeyTable } from '../ports/reference/shared-keys.ts';

/** Tokens of keys of which there are none. */
export const noTokens = createTokens({
  secret: Buffer.alloc(32, 1),
  keys: new SharedKeys(new SharedKeyTable()),
  realm: 'test',
});
