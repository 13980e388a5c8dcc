/** The network that the service follows during a soak test: posts, deletions and profiles at a constant rate, in real time. */
import { setTimeout as pause } from 'node:timers/promises';
import { NetworkPlatform } from '../follow/network-platform.ts';
import { NetworkWorkload } from '../follow/network-workload.ts';

const everyMs = 200;

export class SoakNetwork {
  readonly #workload: NetworkWorkload;
  readonly #platform: NetworkPlatform;
  readonly #rate: number;
  readonly #stop = new AbortController();
  #sending: Promise<void> | undefined;
  /** The number of events sent. */
  sent = 0;
  /** A word that only one of the newest posts has. */
  rareWord: string | undefined;

  private constructor(workload: NetworkWorkload, platform: NetworkPlatform, rate: number) {
    this.#workload = workload;
    this.#platform = platform;
    this.#rate = rate;
  }

  /** `rate`: events per second. `retained`: the number of posts that the service keeps. */
  static async start(rate: number, retained: number): Promise<SoakNetwork> {
    const workload = new NetworkWorkload(4 * retained);
    return new SoakNetwork(workload, await NetworkPlatform.start(workload), rate);
  }

  /** The variables of a service that follows the network. */
  get environment(): Record<string, string> {
    const { url, apiUrl } = this.#platform;
    return { FOLLOW: 'bluesky:*', FOLLOW_BLUESKY_STREAM: url, FOLLOW_BLUESKY_API: apiUrl };
  }

  /** Sends events from the first connection on. */
  async begin(): Promise<void> {
    await this.#platform.connected();
    this.#sending = this.#send();
  }

  async #send(): Promise<void> {
    const { signal } = this.#stop;
    const startedAt = Date.now();
    for (let before = startedAt; !signal.aborted;) {
      await pause(everyMs, undefined, { signal }).catch(() => {});
      const now = Date.now();
      const count = Math.floor(((now - startedAt) / 1000) * this.#rate) - this.sent;
      const frames = Array.from(this.#workload.frames(count, before, now));
      await this.#platform.send(frames);
      this.sent += count;
      this.rareWord = /\bword\w+/.exec(frames.join('\n'))?.[0] ?? this.rareWord;
      before = now;
    }
  }

  /** Ends the events; the connections stay. */
  async end(): Promise<void> {
    this.#stop.abort();
    await this.#sending;
  }

  close(): Promise<void> {
    return this.#platform.close();
  }
}
