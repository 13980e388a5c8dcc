/** Replays the bundled sample once as live events, at a human pace, into an archive that contains only the sample. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { ArchiveRecord } from '../domain/records.ts';
import { ConfigError } from '../config/variables.ts';
import type { ImportSink } from '../ports/import-sink.ts';
import type { EntityCounts, RecordSource } from '../ports/record-source.ts';
import { Contents } from './contents.ts';
import { Timeline } from './timeline.ts';

/** The reason for the end: the sample is complete, `stop` was called, or the archive contains other data. */
export type ReplayEnd = 'complete' | 'stopped' | 'foreign';

export interface ReplayParts {
  /** Stores the records. */
  readonly sink: ImportSink;
  /** Reads the records of the sink. */
  readonly source: RecordSource;
  readonly sample: readonly ArchiveRecord[];
  /** The average number of steps per second. */
  readonly perSecond: number;
  /** Numbers in [0, 1). */
  readonly random?: () => number;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** Resolves after `ms` milliseconds; rejects when the signal aborts. */
  readonly pause?: (ms: number, signal: AbortSignal) => Promise<void>;
}

/** The fingerprint of the replay as an import: its progress becomes durable together with its records. */
const fingerprint = 'demo replay';

export class Replay {
  readonly #parts: ReplayParts & Required<Pick<ReplayParts, 'random' | 'now' | 'pause'>>;
  readonly #contents: Contents;
  readonly #timeline: Timeline;
  readonly #stopping = new AbortController();
  #next: number;
  #playing: Promise<unknown> = Promise.resolve();

  /** Use `openReplay`. `firstStep`: the number of steps that are already complete. */
  constructor(parts: ReplayParts, contents: Contents, firstStep: number) {
    const { sample, source, random = Math.random, now = Date.now } = parts;
    const { pause = (ms, signal) => sleep(ms, undefined, { signal }) } = parts;
    this.#parts = { ...parts, random, now, pause };
    this.#contents = contents;
    this.#timeline = new Timeline({ sample, contents, source, random });
    this.#next = firstStep;
  }

  /** The number of remaining steps; 0 at the end of the sample. */
  get left(): number {
    return this.#timeline.steps - this.#next;
  }

  /**
   * Plays until the end, until `stop`, or until the archive contains other data; resolves with the reason for the end.
   */
  play(): Promise<ReplayEnd> {
    const played = this.#play();
    this.#playing = played.catch(() => {});
    return played;
  }

  /** Stops the replay; resolves when the current step is durable. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#playing;
  }

  async #play(): Promise<ReplayEnd> {
    const { source, perSecond, random, pause } = this.#parts;
    const { signal } = this.#stopping;
    let counts = await source.entityCounts();
    while (this.left > 0) {
      // Random intervals look more natural.
      await pause(((0.3 + 1.4 * random()) * 1000) / perSecond, signal).catch(() => {});
      if (signal.aborted) return 'stopped';
      if (!isDeepStrictEqual(await source.entityCounts(), counts)) return 'foreign';
      counts = await this.#playStep(counts);
    }
    return 'complete';
  }

  /** Plays the next step. Returns the counts of the archive after it, if no other writer has added entities. */
  async #playStep(before: EntityCounts): Promise<EntityCounts> {
    const { sink, now } = this.#parts;
    const records = await this.#timeline.step(this.#next, now());
    const values = ++this.#next;
    const outcomes = await sink.apply(fingerprint, { values, done: this.left === 0 }, records);
    const counts = { ...before };
    for (const [index, record] of records.entries()) {
      this.#contents.add(record);
      if (outcomes[index] === 'added' && isCounted(record.kind, counts)) counts[record.kind]++;
    }
    return counts;
  }
}

const isCounted = (kind: string, counts: EntityCounts): kind is keyof EntityCounts => kind in counts;

/**
 * Prepares a replay. Throws ConfigError if the archive contains other data than the sample: the replay must not mix
 * its tweets with those of the operator.
 */
export async function openReplay(parts: ReplayParts): Promise<Replay> {
  const { sink, source, sample } = parts;
  const { tweet: tweets } = await source.entityCounts();
  if (tweets === 0)
    throw new ConfigError(['--replay needs the bundled sample, but this archive is empty: remove DEMO=0']);
  // The replay writes each tweet of the sample once more at most: a large archive is not read.
  const most = 2 * sample.filter(({ kind }) => kind === 'tweet').length;
  const contents = tweets > most ? undefined : await Contents.read(source);
  const foreign = contents === undefined ? `${tweets} tweets` : contents.findForeign(sample);
  if (contents === undefined || foreign !== undefined) {
    throw new ConfigError([
      `--replay adds artificial tweets, but this archive contains more than the bundled sample (${foreign}): set DATA_DIR to a new folder`,
    ]);
  }
  return new Replay(parts, contents, (await sink.resume(fingerprint))?.values ?? 0);
}
