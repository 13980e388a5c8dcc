/** A follower over the platform in memory and a real archive, with a clock that a test moves. */
import { setTimeout as realTime } from 'node:timers/promises';
import { FollowMetrics } from '../../server/follow/follow-metrics.ts';
import { Follower, type FollowerParts } from '../../server/follow/follower.ts';
import type { LiveSink } from '../../server/ports/live-sink.ts';
import { ReferencePlatform, ReferenceSource } from '../ports/reference/live-source.ts';
import { Registry } from '@prometheus-io/client';
import { ManualClock } from '../support/manual-clock.ts';
import { openArchiveIn, type FileArchive } from '../support/stored-archive.ts';
import { accounts, targets } from './accounts.ts';

export class World {
  readonly clock = new ManualClock();
  readonly platform = new ReferencePlatform(this.clock.now);
  readonly reports: string[] = [];
  readonly #directory: string;
  #archive: FileArchive | undefined;
  #follower: Follower | undefined;
  #metrics = new FollowMetrics();

  constructor(directory: string) {
    this.#directory = directory;
    for (const account of accounts) this.platform.addAccount(account);
  }

  get archive(): FileArchive {
    if (this.#archive === undefined) throw new Error('the archive is not open');
    return this.#archive;
  }
  get follower(): Follower {
    if (this.#follower === undefined) throw new Error('no follower runs');
    return this.#follower;
  }

  /** Starts as a new process does. `sink` may wrap the archive. */
  async start(
    followed = targets,
    more: Partial<FollowerParts> & { readonly wrap?: (sink: LiveSink) => LiveSink } = {},
  ): Promise<void> {
    this.#archive ??= await openArchiveIn(this.#directory);
    const { sink, held } = this.#archive;
    const { wrap = (unwrapped) => unwrapped, ...parts } = more;
    this.#metrics = new FollowMetrics();
    this.#follower = new Follower({
      source: 'bluesky',
      title: 'Bluesky',
      open: async (observer) => new ReferenceSource(this.platform, held, observer),
      sink: wrap(sink),
      held,
      known: { last: () => undefined, store: async () => {} },
      userIdsOf: (ids) => held.userIdsOf(ids),
      allTweets: () => held.tweets(),
      clock: this.clock,
      metrics: this.#metrics.of('bluesky'),
      backfill: 200,
      redact: (text) => text,
      reporter: {
        following: ({ lagMs }) => void this.reports.push(`following, ${lagMs} ms`),
        away: (_source, reason) => void this.reports.push(`away: ${reason}`),
        failed: (target, reason) => void this.reports.push(`${target}: ${reason}`),
        complianceFailed: (_source, reason) => void this.reports.push(`compliance: ${reason}`),
        invalid: (_source, reason) => void this.reports.push(`invalid: ${reason}`),
        archiveFailed: (_source, error) =>
          void this.reports.push(`archive: ${error === undefined ? 'good' : 'failed'}`),
      },
      ...parts,
    });
    this.#follower.setTargets(followed);
    this.#follower.start();
  }

  /** Stops the follower and closes the archive. */
  async stop(): Promise<void> {
    await this.#follower?.stop();
    await this.#archive?.close();
    this.#archive = this.#follower = undefined;
  }

  /** Lets time pass in small steps until a condition holds, at most for longer than the longest backoff (30 seconds). */
  async until(holds: () => boolean, stepMs = 5): Promise<void> {
    for (let steps = 0; !holds(); steps++) {
      if (steps > 8000) throw new Error(`it did not happen: ${JSON.stringify(this.#follower?.status())}`);
      // The archive writes to a real disk, which this clock does not move.
      await realTime(1);
      this.clock.jump(stepMs);
    }
  }

  /** Lets this time pass, and everything happen that it brings. */
  async pass(ms: number, stepMs = 50): Promise<void> {
    for (let passed = 0; passed < ms; passed += stepMs) {
      this.clock.jump(stepMs);
      await realTime(1);
    }
  }

  /** Whether all that the platform published is durable, and all histories are complete. */
  get isCurrent(): boolean {
    const { targets: states, queue } = this.follower.status();
    const position = this.archive.content.position('bluesky');
    return (
      queue === 0 &&
      Number(position ?? 0) === this.platform.log.length &&
      states.every(({ state }) => state === 'following')
    );
  }

  has(id: string): boolean {
    return this.archive.content.has(id);
  }

  /** The value of a metric of the follower. */
  async metric(name: string, labels: Readonly<Record<string, string>> = {}): Promise<number | undefined> {
    const registry = new Registry();
    this.#metrics.measure(registry, () => [this.follower.status()]);
    const found = (await registry.getMetricsAsJSON()).find((metric) => metric.name === name);
    return found?.values.find((value) => Object.entries(labels).every(([label, text]) => value.labels[label] === text))
      ?.value;
  }
}
