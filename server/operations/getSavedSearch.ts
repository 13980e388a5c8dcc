import type { Handler } from '../contract/operations.ts';
import type { Parts } from './parts.ts';

/** A saved search of the key. */
export const getSavedSearch =
  ({ searches }: Parts): Handler<'getSavedSearch'> =>
  async ({ keyId, path }) =>
    searches.get(keyId, path.search_id);
