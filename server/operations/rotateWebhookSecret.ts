import type { Handler } from '../contract/operations.ts';
import type { Parts } from './parts.ts';

/** Makes a new secret for the webhook of a saved search. */
export const rotateWebhookSecret =
  ({ searches }: Parts): Handler<'rotateWebhookSecret'> =>
  async ({ keyId, path }) =>
    searches.rotateSecret(keyId, path.search_id);
