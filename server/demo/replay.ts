/** Replays the bundled sample once as live events, at a human pace, into an archive that contains only the sample. */
import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { Archive } from '../platforms/archive/archive.ts';
import type { DurableArchive } from '../platforms/archive/durable-archive.ts';
import type { ArchiveRecord } from '../domain/records.ts';
import { ConfigError } from '../config/config.ts';
import { isCopy } from './copies.ts';
import { createTimeline } from './timeline.ts';

export interface Replay {
  /** The number of remaining steps; 0 at the end of the sample. */
  readonly left: number;
  /**
   * Plays until the end, until `stop`, or until the archive contains other data; resolves with the reason for the end.
   */
  play(): Promise<'over' | 'stopped' | 'foreign'>;
  /** Stops the replay; resolves when the current step is durable. */
  stop(): Promise<void>;
}

export interface ReplayParts {
  readonly durable: Pick<DurableArchive, 'archive' | 'resume' | 'apply'>;
  readonly sample: readonly ArchiveRecord[];
  /** Steps a second, on average. */
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

/** Finds an entity that is neither from the sample nor from its replay; undefined if there is none. */
function findForeign(archive: Archive, sample: readonly ArchiveRecord[]): string | undefined {
  const sampleIds = {
    tweet: new Set<string>(),
    user: new Set<string>(),
    community: new Set<string>(),
    space: new Set<string>(),
  };
  for (const record of sample) {
    if (record.kind === 'tweet') sampleIds.tweet.add(record.tweet.id);
    else if (record.kind === 'user') sampleIds.user.add(record.user.id);
    else if (record.kind === 'community') sampleIds.community.add(record.community.id);
    else if (record.kind === 'space') sampleIds.space.add(record.space.id);
  }
  for (const ordinal of archive.ordinals()) {
    const tweet = archive.tweet(ordinal);
    if (!sampleIds.tweet.has(tweet.id) && !isCopy(tweet)) return `tweet ${tweet.id}`;
  }
  for (const [kind, entities] of [
    ['user', archive.users],
    ['community', archive.communities],
    ['space', archive.spaces],
  ] as const) {
    for (const id of entities.keys()) if (!sampleIds[kind].has(id)) return `${kind} ${id}`;
  }
  return undefined;
}

type Sizes = Record<'tweet' | 'user' | 'community' | 'space', number>;

const sizesOf = ({ size, users, communities, spaces }: Archive): Sizes => ({
  tweet: size,
  user: users.size,
  community: communities.size,
  space: spaces.size,
});

/**
 * Prepares a replay. Throws ConfigError where the archive contains other data than the sample: the replay must not mix
 * its tweets with those of the operator.
 */
export async function openReplay({
  durable,
  sample,
  perSecond,
  random = Math.random,
  now = Date.now,
  pause,
}: ReplayParts): Promise<Replay> {
  const { archive } = durable;
  if (archive.size === 0)
    throw new ConfigError(['--replay needs the bundled sample, and this archive is empty: remove DEMO=0']);
  const foreign = findForeign(archive, sample);
  if (foreign !== undefined) {
    throw new ConfigError([
      `--replay adds invented tweets, and this archive holds more than the bundled sample (${foreign}): start with DATA_DIR set to a new folder to see a replay`,
    ]);
  }
  const timeline = createTimeline(sample, archive, random);
  const firstStep = (await durable.resume(fingerprint))?.values ?? 0;

  const stopping = new AbortController();
  const wait = pause ?? ((ms, signal) => sleep(ms, undefined, { signal }));
  let next = firstStep;
  let playing: Promise<unknown> = Promise.resolve();

  async function playOn(): Promise<'over' | 'stopped' | 'foreign'> {
    const sizes = sizesOf(archive);
    const isForeign = (): boolean => !isDeepStrictEqual(sizesOf(archive), sizes);
    for (; next < timeline.steps;) {
      // Random intervals look more natural.
      await wait(((0.3 + 1.4 * random()) * 1000) / perSecond, stopping.signal).catch(() => {});
      if (stopping.signal.aborted) return 'stopped';
      if (isForeign()) return 'foreign';
      const records = timeline.step(next, now());
      next++;
      const outcomes = await durable.apply(fingerprint, { values: next, done: next === timeline.steps }, records);
      records.forEach(({ kind }, index) => {
        if (outcomes[index] === 'added' && kind in sizes) sizes[kind as keyof Sizes]++;
      });
    }
    return 'over';
  }

  return {
    get left() {
      return timeline.steps - next;
    },
    play() {
      const played = playOn();
      playing = played.catch(() => {});
      return played;
    },
    async stop() {
      stopping.abort();
      await playing;
    },
  };
}
