/** The adapter of the saved searches: their changes, the state of their webhooks, and tests. */
import { randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { ServiceError, unavailable } from '../contract/service-error.ts';
import type { Schemas } from '../contract/operations.ts';
import { createTokenBucket, waitSeconds, type Bucket } from '../keys/token-bucket.ts';
import type { EventLog } from '../ports/event-log.ts';
import type { Keys } from '../ports/keys.ts';
import { StoreError } from '../ports/storage.ts';
import type { OwnedSearch, SavedSearch, SavedSearches } from '../ports/saved-searches.ts';
import { formatCursor } from '../realtime/event-cursor.ts';
import { searchTarget } from '../realtime/channels.ts';
import { toIsoTime } from '../text/iso-time.ts';
import { attempt } from './deliverer.ts';
import type { Deliveries } from './deliveries.ts';
import { newProgress, withoutFailures, type DeliveryLog, type Progress } from './delivery-log.ts';
import { newSecret, type SearchStore, type StoredSearch } from './search-store.ts';
import { readAddress, type WebhookNetworks } from './webhook-address.ts';
import { testMessage } from './webhook-messages.ts';
import type { WebhookSender } from './webhook-request.ts';

export interface SavedSearchParts {
  readonly searches: SearchStore;
  readonly log: DeliveryLog;
  readonly events: Pick<EventLog, 'epoch' | 'head'>;
  readonly keys: Pick<Keys, 'has'>;
  readonly sender: Pick<WebhookSender, 'send'>;
  readonly networks: WebhookNetworks;
}

const allEvents: Schemas['WebhookEvents'] = ['tweet.created', 'tweet.updated', 'tweet.deleted'];
/** How long requests are also signed by the previous secret. */
const overlapMs = 86_400_000;
const testsPerMinute = 6;

const optionalTime = (at: number | null): string | null => (at === null ? null : toIsoTime(at));

function deliveryOf(progress: Progress): Schemas['WebhookDelivery'] {
  const { epoch, position, failures, nextAt, reason, isPaused, succeededAt } = progress;
  return {
    state: isPaused ? 'paused' : failures > 0 ? 'retrying' : 'active',
    reason,
    cursor: formatCursor(epoch, position),
    failures,
    next_attempt_at: optionalTime(nextAt),
    last_success_at: optionalTime(succeededAt),
  };
}

/** Throws 400 for a query that cannot be parsed. */
function checkQuery(query: string): void {
  searchTarget(query);
}

/** Waits for a change of the storage. Rejects with 503 while the storage cannot be written. */
async function stored<Value>(change: Promise<Value>): Promise<Value> {
  try {
    return await change;
  } catch (error) {
    if (!(error instanceof StoreError)) throw error;
    throw unavailable('saved searches cannot be written at the moment', 5);
  }
}

export class StoredSavedSearches implements SavedSearches {
  readonly #parts: SavedSearchParts;
  /** Set once the events are read, after the operations are composed. */
  deliveries: Pick<Deliveries, 'reconcile'> | undefined;
  readonly #tests = new LRUCache<string, Bucket>({ max: 1_000 });

  constructor(parts: SavedSearchParts) {
    this.#parts = parts;
  }

  list(owner: string | undefined): readonly OwnedSearch[] {
    const { searches, keys } = this.#parts;
    return searches.all
      .filter((search) => owner === undefined || search.owner === owner)
      .map((search) => ({ ...this.#view(search), owner: search.owner, isOwnerValid: keys.has(search.owner) }));
  }

  get(owner: string | undefined, id: string): SavedSearch {
    return this.#view(this.#parts.searches.get(owner, id));
  }

  async create(
    owner: string,
    { name, query, url = null, events = allEvents }: Schemas['SavedSearchInput'],
  ): Promise<Schemas['CreatedSavedSearch']> {
    checkQuery(query);
    const secret = newSecret();
    const address = this.#address(url);
    const { searches } = this.#parts;
    const search = await stored(
      searches.add({
        ...{ owner, name, query, url: address, events, created_at: toIsoTime(Date.now()), secrets: [{ secret }] },
      }),
    );
    try {
      if (address !== null) await this.#begin(search.id);
    } catch (error) {
      // The caller will create it again.
      await searches.delete(owner, search.id).catch(() => {});
      throw error;
    }
    return { ...this.#view(search), secret };
  }

  async update(owner: string | undefined, id: string, change: Schemas['SavedSearchChange']): Promise<SavedSearch> {
    const { searches, log } = this.#parts;
    if (change.query !== undefined) checkQuery(change.query);
    const url = change.url === undefined ? undefined : this.#address(change.url);
    const before = searches.get(owner, id);
    const changed = await stored(
      searches.change(owner, id, (search) => ({
        ...search,
        ...(change.name === undefined ? {} : { name: change.name }),
        ...(change.query === undefined ? {} : { query: change.query }),
        ...(change.events === undefined ? {} : { events: change.events }),
        ...(url === undefined ? {} : { url }),
      })),
    );
    if (changed.url === null) await stored(log.delete(id));
    else if (log.progress(id) === undefined) await this.#begin(id);
    else if (changed.url !== before.url) await stored(log.change(id, withoutFailures));
    this.deliveries?.reconcile();
    return this.#view(changed);
  }

  async delete(owner: string | undefined, id: string): Promise<void> {
    await stored(this.#parts.searches.delete(owner, id));
    await stored(this.#parts.log.delete(id));
    this.deliveries?.reconcile();
  }

  async rotateSecret(owner: string | undefined, id: string): Promise<Schemas['WebhookSecret']> {
    const [secret, until] = [newSecret(), Date.now() + overlapMs];
    await stored(
      this.#parts.searches.change(owner, id, (search) => {
        const [previous] = search.secrets;
        return { ...search, secrets: [{ secret }, ...(previous === undefined ? [] : [{ ...previous, until }])] };
      }),
    );
    this.deliveries?.reconcile();
    return { secret, previous_valid_until: toIsoTime(until) };
  }

  async sendTest(owner: string | undefined, id: string): Promise<Schemas['WebhookAttempt']> {
    const search = this.#withUrl(owner, id);
    this.#consumeTest(owner ?? 'operator');
    const message = testMessage(search, randomUUID());
    const { attempt: made } = await attempt(this.#parts.sender, search, message, new AbortController().signal);
    await stored(this.#parts.log.addAttempt(id, made));
    return made;
  }

  async resume(owner: string | undefined, id: string): Promise<SavedSearch> {
    const search = this.#withUrl(owner, id);
    const { failures = 0, isPaused = false } = this.#parts.log.progress(id) ?? {};
    if (failures > 0 || isPaused) await stored(this.#parts.log.change(id, withoutFailures));
    this.deliveries?.reconcile();
    return this.#view(search);
  }

  attempts(owner: string | undefined, id: string): readonly Schemas['WebhookAttempt'][] {
    return this.#parts.log.attempts(this.#parts.searches.get(owner, id).id);
  }

  /** The deliveries begin with the events from now on. */
  async #begin(id: string): Promise<void> {
    const { epoch, head } = this.#parts.events;
    await stored(this.#parts.log.begin(id, newProgress(epoch, head, Date.now())));
    this.deliveries?.reconcile();
  }

  #address(url: string | null): string | null {
    return url === null ? null : readAddress(url, this.#parts.networks).href;
  }

  #withUrl(owner: string | undefined, id: string): StoredSearch & { readonly url: string } {
    const search = this.#parts.searches.get(owner, id);
    const { url } = search;
    if (url === null) throw new ServiceError(409, "this saved search has no webhook: give it a 'url' first");
    return { ...search, url };
  }

  #consumeTest(caller: string): void {
    const bucket = this.#tests.get(caller) ?? createTokenBucket({ requests: testsPerMinute, periodMs: 60_000 });
    this.#tests.set(caller, bucket);
    const { allowed, nextInMs } = bucket.consume();
    if (allowed) return;
    const seconds = waitSeconds(nextInMs);
    throw new ServiceError(429, `at most ${testsPerMinute} tests a minute; retry in ${seconds} s`, {
      'Retry-After': String(seconds),
    });
  }

  #view({ id, name, query, url, events, created_at }: StoredSearch): SavedSearch {
    const progress = url === null ? undefined : this.#parts.log.progress(id);
    const delivery = progress === undefined ? null : deliveryOf(progress);
    return { id, name, query, url, events: [...events], created_at, delivery };
  }
}
