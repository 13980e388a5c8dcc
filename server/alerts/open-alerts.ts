/** Opens the saved searches of a service, and the deliveries of their webhooks. */
import type { Registry } from '../observability/metrics-library.ts';
import type { Logger } from 'pino';
import type { EventLog } from '../ports/event-log.ts';
import type { Instances } from '../ports/instances.ts';
import type { Keys } from '../ports/keys.ts';
import type { Store } from '../ports/storage.ts';
import type { Gateway } from '../realtime/gateway.ts';
import { defaultRetryTimes, type RetryTimes } from './deliverer.ts';
import { Deliveries } from './deliveries.ts';
import { DeliveryLog } from './delivery-log.ts';
import { StoredSavedSearches } from './saved-searches.ts';
import { SearchStore, type SearchFile } from './search-store.ts';
import { addressGuard, type AddressGuard, type WebhookNetworks } from './webhook-address.ts';
import { WebhookMetrics } from './webhook-metrics.ts';
import { WebhookSender } from './webhook-request.ts';

export interface AlertParts {
  readonly store: Pick<Store, 'document' | 'journal'>;
  readonly instances: Pick<Instances, 'isLeader'>;
  readonly keys: Pick<Keys, 'has' | 'onChange'>;
  readonly log: EventLog;
  readonly networks: WebhookNetworks;
  readonly logger: Pick<Logger, 'error'>;
  readonly retry?: RetryTimes;
  readonly guard?: AddressGuard;
}

export interface Alerts {
  readonly searches: StoredSavedSearches;
  /** Delivers from now on. `stream`: what reads the events. */
  start(stream: Gateway['stream']): void;
  measure(registry: Registry): void;
  stop(): Promise<void>;
}

/** Rejects with StoreError. */
export async function openAlerts(parts: AlertParts): Promise<Alerts> {
  const { store, instances, keys, networks, logger, retry = defaultRetryTimes, guard = addressGuard(networks) } = parts;
  const searches = new SearchStore(await store.document<SearchFile>('saved-searches', { searches: [] }));
  const log = await DeliveryLog.open(store);
  const sender = new WebhookSender(guard);
  const saved = new StoredSavedSearches({ searches, log, events: parts.log, keys, sender, networks });
  const metrics = new WebhookMetrics();
  let deliveries: Deliveries | undefined;
  return {
    searches: saved,
    start(stream) {
      // Where the operator permits no webhooks, those that are stored wait.
      if (networks === 'off') return;
      deliveries = new Deliveries({ stream, log, sender, retry, searches, keys, instances, metrics, logger });
      saved.deliveries = deliveries;
    },
    measure: (registry) =>
      metrics.measure(registry, {
        // A key that is revoked has no deliveries any more.
        states: () =>
          saved
            .list(undefined)
            .flatMap(({ isOwnerValid, delivery }) => (isOwnerValid && delivery ? delivery.state : [])),
        lag: () => deliveries?.lag ?? 0,
      }),
    async stop() {
      await deliveries?.stop();
      sender.close();
    },
  };
}
