import type { Handler } from '../contract/operations.ts';
import type { Parts } from './parts.ts';

/** Deletes a saved search of the key. */
export const deleteSavedSearch =
  ({ searches }: Parts): Handler<'deleteSavedSearch'> =>
  async ({ keyId, path }) => {
    await searches.delete(keyId, path.search_id);
    return { status: 204 };
  };
