import type { Handler } from '../contract/operations.ts';
import { badRequest } from '../contract/service-error.ts';
import { maxFeedTokens } from '../keys/tokens.ts';
import type { Parts } from './parts.ts';

/** A feed token of the key, stored before the response. */
export const createFeedToken =
  ({ tokens }: Parts): Handler<'createFeedToken'> =>
  async ({ keyId, body: { name } }) => {
    const created = await tokens.createFeedToken(keyId, name);
    if (created === undefined)
      throw badRequest(`this key has ${maxFeedTokens} feed tokens, the maximum: revoke one that nobody uses`);
    return { ...created, name };
  };
