import type { Handler } from '../contract/operations.ts';
import type { Parts } from './parts.ts';

/** Saves a search; it is durable before the response. */
export const createSavedSearch =
  ({ searches }: Parts): Handler<'createSavedSearch'> =>
  async ({ keyId, body }) => {
    const created = await searches.create(keyId, body);
    return { status: 201, headers: { Location: `/social/searches/${created.id}` }, body: created };
  };
