/** Actions on the saved searches and webhooks of all keys. */
import type { OwnedSearch } from '../ports/saved-searches.ts';
import type { Action } from './action.ts';

/** A saved search for the operator: an address can have a secret in its path, so only its origin is shown. */
export interface ListedSearch extends Omit<OwnedSearch, 'url'> {
  readonly origin: string | null;
}

const listed = ({ url, ...search }: OwnedSearch): ListedSearch => ({
  ...search,
  origin: url === null ? null : new URL(url).origin,
});

export const webhookActions: readonly Action[] = [
  {
    method: 'get',
    path: '/searches',
    summary: 'the saved searches of all keys, with the state of their webhooks and the origin of their addresses',
    run: ({ parts: { searches } }) => ({ searches: searches.list(undefined).map(listed) }),
  },
  {
    method: 'delete',
    path: '/searches/{id}',
    summary: 'deletes a saved search, and ends its deliveries',
    subject: ({ id }) => id,
    run: async ({ parts: { searches }, id }) => {
      await searches.delete(undefined, id);
      return { id, deleted: true };
    },
  },
  {
    method: 'get',
    path: '/webhook-attempts/{id}',
    summary: 'the last requests to the address of a saved search, newest first',
    run: ({ parts: { searches }, id }) => ({ attempts: searches.attempts(undefined, id) }),
  },
  {
    method: 'post',
    path: '/webhook-tests/{id}',
    summary: 'sends a test to the address of a saved search, and returns what came of it',
    subject: ({ id }) => id,
    run: ({ parts: { searches }, id }) => searches.sendTest(undefined, id),
  },
  {
    method: 'post',
    path: '/webhook-resumptions/{id}',
    summary: 'ends the pause of a webhook, and tries again at once',
    subject: ({ id }) => id,
    run: async ({ parts: { searches }, id }) => {
      const { delivery } = await searches.resume(undefined, id);
      return { id, delivery };
    },
  },
];
