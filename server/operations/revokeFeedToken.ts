import type { Handler } from '../contract/operations.ts';
import type { Parts } from './parts.ts';

/** Revokes a feed token of the key; durable before the response. */
export const revokeFeedToken =
  ({ tokens }: Parts): Handler<'revokeFeedToken'> =>
  async ({ keyId, body: { id } }) => ({ success: await tokens.revokeFeedToken(keyId, id) });
