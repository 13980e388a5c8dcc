import type { Handler } from '../contract/operations.ts';
import type { Parts } from './parts.ts';

/** Sends a test to the webhook of a saved search. */
export const sendTestWebhook =
  ({ searches }: Parts): Handler<'sendTestWebhook'> =>
  async ({ keyId, path }) =>
    searches.sendTest(keyId, path.search_id);
