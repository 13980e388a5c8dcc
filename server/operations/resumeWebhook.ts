import type { Handler } from '../contract/operations.ts';
import type { Parts } from './parts.ts';

/** Resumes the webhook of a saved search. */
export const resumeWebhook =
  ({ searches }: Parts): Handler<'resumeWebhook'> =>
  async ({ keyId, path }) =>
    searches.resume(keyId, path.search_id);
