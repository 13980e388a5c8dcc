/** The live sources by name. Their modules are loaded when something of them is followed. */
import type { FollowSettings } from '../config/config.ts';
import { SourceError, type LiveSource, type SourceObserver } from '../ports/live-source.ts';
import type { Store } from '../ports/storage.ts';
import type { HeldRecords } from '../ports/held-records.ts';

export interface SourceOptions {
  readonly settings: FollowSettings;
  /** The credential of the operator at the platform. */
  readonly token: string | undefined;
  /** Where a source keeps its own state. A document can be opened again. */
  readonly store: Pick<Store, 'document'>;
  readonly held: HeldRecords;
  readonly observer: SourceObserver;
}

/** Creates a source. Rejects with SourceError where a setting is missing. */
export type OpenSource = (name: string, options: SourceOptions) => Promise<LiveSource>;

const factories: Readonly<Record<string, (options: SourceOptions) => Promise<LiveSource>>> = {
  async bluesky({ settings, held, observer }) {
    const { createBlueskySource } = await import('./bluesky/source.ts');
    const { blueskyStreams: streamUrls, blueskyApi: apiUrl, signedInOnly } = settings;
    return createBlueskySource({ streamUrls, apiUrl, signedInOnly, held, observer });
  },
  async x({ settings, token, store, held, observer }) {
    const { xApi, xReadsPerDay: readsPerDay } = settings;
    if (token === undefined)
      throw new SourceError('X needs a bearer token: set X_BEARER_TOKEN, or run npm run follow -- token x', {
        isPermanent: true,
      });
    if (readsPerDay === undefined)
      throw new SourceError('X bills each read: set X_READS_PER_DAY to the number that you pay for', {
        isPermanent: true,
      });
    const { createXSource, openReadBudget } = await import('./x/source.ts');
    const budget = await openReadBudget(store, readsPerDay);
    return createXSource({ apiUrl: xApi.href, token: () => token, budget, held, observer });
  },
};

export const openSource: OpenSource = (name, options) => {
  const factory = Object.hasOwn(factories, name) ? factories[name] : undefined;
  if (factory === undefined) throw new SourceError(`there is no source ${name}`, { isPermanent: true });
  return factory(options);
};
