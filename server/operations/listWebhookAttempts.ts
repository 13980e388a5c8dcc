import type { Handler } from '../contract/operations.ts';
import type { Parts } from './parts.ts';

/** The last attempts of the webhook of a saved search. */
export const listWebhookAttempts =
  ({ searches }: Parts): Handler<'listWebhookAttempts'> =>
  async ({ keyId, path }) => ({ attempts: [...searches.attempts(keyId, path.search_id)] });
