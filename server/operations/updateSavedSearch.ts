import type { Handler } from '../contract/operations.ts';
import type { Parts } from './parts.ts';

/** Changes a saved search of the key. */
export const updateSavedSearch =
  ({ searches }: Parts): Handler<'updateSavedSearch'> =>
  async ({ keyId, path, body }) =>
    searches.update(keyId, path.search_id, body);
