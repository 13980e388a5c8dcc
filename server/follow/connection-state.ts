/** Whether a source is connected, and when that is worth a report: one for a state that lasts, none for a reconnect. */
import type { Clock } from './clock.ts';

/** A source that is away for this time is reported, in milliseconds. A shorter time is a reconnect. */
const awayAfterMs = 10_000;
/** How long a report of a connection waits for the first data, in milliseconds. */
const firstDataMs = 1000;

export interface ConnectionStateParts {
  readonly clock: Clock;
  /** Ends the reports. */
  readonly signal: AbortSignal;
  readonly onFollowing: () => void;
  readonly onAway: () => void;
  /** Whether the source needs no connection. */
  readonly isIdle: () => boolean;
}

export class ConnectionState {
  /** The host of the last connection. */
  host: string | undefined;
  readonly #parts: ConnectionStateParts;
  #isConnected = false;
  /** The number of changes of `#isConnected`. */
  #changes = 0;
  #reported: 'following' | 'away' | undefined;

  constructor(parts: ConnectionStateParts) {
    this.#parts = parts;
  }

  get isConnected(): boolean {
    return this.#isConnected;
  }

  /** Whether the source is away for longer than a reconnect takes. */
  get isAway(): boolean {
    return this.#reported === 'away';
  }

  /** Sets the state. Returns whether it changed. */
  set(isConnected: boolean): boolean {
    if (isConnected === this.#isConnected && this.#changes > 0) return false;
    this.#isConnected = isConnected;
    const change = ++this.#changes;
    const { clock, signal } = this.#parts;
    void clock.sleep(isConnected ? firstDataMs : awayAfterMs, signal).then(() => {
      if (change === this.#changes) this.report();
    });
    return true;
  }

  /** Reports the state, if it was not the last one that was reported. */
  report(): void {
    const { signal, onFollowing, onAway, isIdle } = this.#parts;
    const state = this.#isConnected ? 'following' : 'away';
    if (signal.aborted || state === this.#reported || (state === 'away' && isIdle())) return;
    this.#reported = state;
    if (state === 'following') onFollowing();
    else onAway();
  }
}
