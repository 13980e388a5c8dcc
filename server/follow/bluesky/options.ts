/** What the parts of the Bluesky source share. */
import type { Clock } from '../clock.ts';
import type { SourceObserver } from '../../ports/live-source.ts';
import type { AppView } from './api.ts';
import type { BlobUrls } from '../../formats/bluesky/embeds.ts';
import type { KnownRecords } from './known-records.ts';
import { NamedKeys } from './named-keys.ts';
import type { RequestLimit } from './request-budget.ts';
import type { RecentRecords } from './recent.ts';
import type { MappingContext } from '../../formats/bluesky/records.ts';
import type { Resolve } from '../../upstream/public-lookup.ts';
import type { Send } from '../http.ts';
import type { HeldRecords } from '../../ports/held-records.ts';

export interface BlueskyOptions {
  /** Jetstream servers as `wss:` URLs (`ws:` on this machine), in order of preference; at least one. */
  readonly streamUrls: readonly (string | URL)[];
  /** The base URL of the AppView. */
  readonly apiUrl: string | URL;
  readonly held: HeldRecords;
  readonly observer: SourceObserver;
  /** Follows also accounts that ask to be shown only to people who are signed in to the platform. */
  readonly signedInOnly?: boolean;
  /** Where the platform serves pictures. */
  readonly blobUrls?: BlobUrls;
  readonly clock?: Clock;
  /** The maximum rate of requests to the AppView; undefined: the share of what is followed. */
  readonly limit?: RequestLimit;
  /** Sends the requests to the AppView. */
  readonly send?: Send;
  /** Resolves the names of the hosts. */
  readonly resolve?: Resolve;
}

/** The parts of a source that live as long as it. */
export interface SourceParts {
  readonly api: AppView;
  readonly recent: RecentRecords;
  readonly blobUrls: BlobUrls;
  readonly clock: Clock;
  readonly observer: SourceObserver;
  readonly includesSignedInOnly: boolean;
}

/** The parts of a source, with what is known of some posts and accounts. */
export interface PartsWithRecords extends SourceParts {
  readonly known: KnownRecords;
  readonly context: MappingContext;
}

/** Adds what is known of everything that JSON values of the platform name. Rejects with StoreError. */
export async function withKnownRecords(parts: SourceParts, values: Iterable<unknown>): Promise<PartsWithRecords> {
  const known = await parts.recent.read(new NamedKeys(values));
  const { idOf, handleOf } = known;
  return { ...parts, known, context: { blobUrls: parts.blobUrls, idOf, handleOf } };
}

/** Waits, and throws when the signal aborts. */
export async function pause({ clock }: Pick<SourceParts, 'clock'>, ms: number, signal: AbortSignal): Promise<void> {
  await clock.sleep(ms, signal);
  signal.throwIfAborted();
}
