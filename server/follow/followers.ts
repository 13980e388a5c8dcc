/** The running followers, one for each source: they start, change and stop as the targets require. */
import type { FollowSettings } from '../config/config.ts';
import type { HeldArchive } from '../ports/held-records.ts';
import type { SourceObserver, Target } from '../ports/live-source.ts';
import type { LiveSink } from '../ports/live-sink.ts';
import type { Store } from '../ports/storage.ts';
import type { Clock } from './clock.ts';
import type { FollowMetrics } from './follow-metrics.ts';
import type { Follower } from './follower.ts';
import type { OperatorReports } from './operator-reports.ts';
import { ReusedDocuments } from './reused-documents.ts';
import type { OpenSource } from './sources.ts';
import type { ResolvedTargets } from './target-resolver.ts';
import { sourceNames, sourceTitle } from '../config/targets.ts';

export interface FollowersParts {
  readonly settings: FollowSettings;
  readonly sink: LiveSink;
  readonly held: HeldArchive;
  readonly openSource: OpenSource;
  readonly documents: Pick<Store, 'document'>;
  readonly clock: Clock;
  readonly metrics: FollowMetrics;
  readonly reports: OperatorReports;
  /** The targets that are followed from now on. */
  readonly targets: () => readonly Target[];
  /** The resolutions of targets that an earlier run has stored. */
  readonly known: ResolvedTargets;
  /** The token of a source, where it has one. */
  readonly tokenOf: (source: string) => string | undefined;
}

export class Followers {
  readonly #parts: FollowersParts;
  readonly #documents: ReusedDocuments;
  readonly #running = new Map<string, Follower>();
  /** The tokens that the followers use, by source. */
  readonly #tokens = new Map<string, string | undefined>();
  /** The changes of the followers happen one after the other. */
  #changing: Promise<void> = Promise.resolve();

  constructor(parts: FollowersParts) {
    this.#parts = parts;
    this.#documents = new ReusedDocuments(parts.documents);
  }

  /** The follower of a source; undefined while nothing of it is followed. */
  of(source: string): Follower | undefined {
    return this.#running.get(source);
  }

  all(): Iterable<Follower> {
    return this.#running.values();
  }

  get sources(): readonly string[] {
    return [...this.#running.keys()];
  }

  /** Starts, changes and stops the followers as the targets require. `restarted`: the sources that connect again. */
  synchronise(restarted: readonly string[] = []): Promise<void> {
    this.#changing = this.#changing
      .catch(() => {})
      .then(async () => {
        const targets = this.#parts.targets();
        await Promise.all(
          sourceNames.map(async (source) => {
            const own = targets.filter((target) => target.source === source);
            const isOutdated = this.#running.has(source) && this.#tokens.get(source) !== this.#parts.tokenOf(source);
            if (own.length === 0 || isOutdated || restarted.includes(source)) await this.#stop(source);
            if (own.length > 0) await this.#setTargets(source, own);
          }),
        );
      });
    return this.#changing;
  }

  async #stop(source: string): Promise<void> {
    const follower = this.#running.get(source);
    this.#running.delete(source);
    await follower?.stop();
  }

  async #setTargets(source: string, targets: readonly Target[]): Promise<void> {
    const running = this.#running.get(source);
    if (running !== undefined) return running.setTargets(targets);
    // A service that follows nothing does not load this module.
    const { Follower } = await import('./follower.ts');
    const { held, settings, openSource, sink, clock, metrics, reports, known } = this.#parts;
    const store = this.#documents;
    const token = this.#parts.tokenOf(source);
    this.#tokens.set(source, token);
    const follower = new Follower({
      ...{ source, sink, held, clock, known, backfill: settings.backfill },
      title: sourceTitle(source),
      metrics: metrics.of(source),
      userIdsOf: (accounts) => held.userIdsOf(accounts),
      allTweets: () => held.tweets(),
      open: async (observer: SourceObserver) => openSource(source, { settings, token, store, held, observer }),
      reporter: reports.of(source),
      redact: (text) => (token === undefined ? text : text.replaceAll(token, '…')),
    });
    this.#running.set(source, follower);
    follower.setTargets(targets);
    follower.start();
  }
}
