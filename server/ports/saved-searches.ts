/**
 * The port to the saved searches and their webhooks. Each belongs to the API key that has created it; `owner` undefined is the operator, who sees
 * all of them. The functions throw ServiceError: 404 for an unknown saved search, also of another key; 400 for a query or an address that is
 * not permitted; 409 where there is no webhook or no place. Changes are durable when they resolve; they reject with StoreError.
 */
import type { Schemas } from '../contract/operations.ts';

export type SavedSearch = Schemas['SavedSearch'];

/** A saved search, as the operator sees it. */
export interface OwnedSearch extends SavedSearch {
  /** The id of the API key. */
  readonly owner: string;
  /** Whether the key is valid: nothing is delivered for another one. */
  readonly isOwnerValid: boolean;
}

type Owner = string | undefined;

export interface SavedSearches {
  /** The saved searches of a key, oldest first. */
  list(owner: Owner): readonly OwnedSearch[];
  get(owner: Owner, id: string): SavedSearch;
  create(owner: string, input: Schemas['SavedSearchInput']): Promise<Schemas['CreatedSavedSearch']>;
  update(owner: Owner, id: string, change: Schemas['SavedSearchChange']): Promise<SavedSearch>;
  delete(owner: Owner, id: string): Promise<void>;
  /** Makes a new secret. Requests are also signed by the previous one for 24 hours. */
  rotateSecret(owner: Owner, id: string): Promise<Schemas['WebhookSecret']>;
  /** Sends a test now. Throws 429 after 6 tests in a minute with one key. */
  sendTest(owner: Owner, id: string): Promise<Schemas['WebhookAttempt']>;
  /** Ends a pause, and tries again at once. */
  resume(owner: Owner, id: string): Promise<SavedSearch>;
  /** The last attempts, newest first. */
  attempts(owner: Owner, id: string): readonly Schemas['WebhookAttempt'][];
}
