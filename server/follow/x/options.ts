/** What the parts of the source of X share. */
import type { SourceObserver } from '../../ports/live-source.ts';
import type { Resolve } from '../../upstream/public-lookup.ts';
import type { Clock } from '../clock.ts';
import type { XApi } from './api.ts';
import type { ReadBudget } from './budget.ts';
import type { Send } from '../http.ts';
import type { HeldRecords } from '../../ports/held-records.ts';

export interface XOptions {
  /** The base URL of the API: `https:`, or `http:` on this machine. */
  readonly apiUrl: string;
  /** The bearer token of the app. It goes to the host of `apiUrl` only, and into no message. */
  readonly token: () => string | undefined;
  readonly budget: ReadBudget;
  readonly held: HeldRecords;
  readonly observer: SourceObserver;
  readonly clock?: Clock;
  /** Sends the requests. */
  readonly send?: Send;
  /** Resolves the names of the hosts. */
  readonly resolve?: Resolve;
}

/** The parts of a source that live as long as it. */
export interface SourceParts {
  readonly api: XApi;
  readonly send: Send;
  readonly budget: ReadBudget;
  readonly held: HeldRecords;
  readonly observer: SourceObserver;
  readonly clock: Clock;
}
