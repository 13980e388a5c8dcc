import type { Handler } from '../contract/operations.ts';
import type { Parts } from './parts.ts';

/** The saved searches of the key. */
export const listSavedSearches =
  ({ searches }: Parts): Handler<'listSavedSearches'> =>
  async ({ keyId }) => ({ searches: searches.list(keyId).map(({ owner: _, isOwnerValid: __, ...search }) => search) });
