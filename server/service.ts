/** The running service as the process that starts it sees it. */
import type { Replay } from './demo/replay.ts';

/** The running service. */
export interface Service {
  /** The URL of the listening socket. */
  readonly url: string;
  /** The first API key, if this start created it. It is not stored in a readable form. */
  readonly firstKey: string | undefined;
  /** The operator's key, if this start created it: with the first API key. */
  readonly operatorKey: string | undefined;
  /** The number of stored keys, and of keys in `API_KEYS`. */
  readonly keys: { readonly stored: number; readonly configured: number };
  /** The replay of the bundled sample, if the options request it. It does not play yet. */
  readonly replay: Replay | undefined;
  /** Resolves with the reason when the service must stop and start again. */
  readonly ended: Promise<string>;
  /** Finishes the requests in flight, stores pending data, and releases the data directory. */
  stop(): Promise<void>;
}
