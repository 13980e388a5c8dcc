/** What the archive has of the lists of a platform: durable with the records, as positions of the journal. */
import { fields, text } from '../../formats/recognised.ts';
import type { Coverage, FillSubject } from '../../ports/live-source.ts';
import { coveragePrefix } from '../../ports/live-sink.ts';
import type { LiveSink, SourcePosition } from '../../ports/live-sink.ts';
import type { HeldRecords } from '../../ports/held-records.ts';

/** Identifies a subject. */
export function subjectKey(subject: FillSubject): string {
  switch (subject.kind) {
    case 'user':
      return `user ${subject.username?.toLowerCase() ?? subject.id}`;
    case 'post':
      return `post ${subject.address.repository} ${subject.address.rkey}`;
    case 'tweets':
    case 'followings':
    case 'held user':
      return `${subject.kind} ${subject.userId}`;
    default:
      return `${subject.kind} ${subject.tweetId}`;
  }
}

export class Coverages {
  readonly #prefix: string;
  readonly #sink: Pick<LiveSink, 'position'>;
  readonly #held: Pick<HeldRecords, 'read'>;

  constructor(source: string, sink: Pick<LiveSink, 'position'>, held: Pick<HeldRecords, 'read'>) {
    this.#prefix = `${coveragePrefix}${source} `;
    this.#sink = sink;
    this.#held = held;
  }

  /** The name of the position that holds the coverage of a subject. */
  nameOf(subject: FillSubject): string {
    return `${this.#prefix}${subjectKey(subject)}`;
  }

  /** Whether a position holds the coverage of a subject. */
  includes(position: string): boolean {
    return position.startsWith(this.#prefix);
  }

  /** The time of the last fill of the newest items, in milliseconds since the epoch; undefined before the first one. */
  async filledAt(subject: FillSubject): Promise<number | undefined> {
    return (await this.#sink.position(this.nameOf(subject)))?.at;
  }

  /** Undefined before the first fill, and after the archive lost a part of what the fills brought. */
  async of(subject: FillSubject): Promise<Coverage | undefined> {
    const coverage = readCoverage(await this.#sink.position(this.nameOf(subject)));
    const { anchor } = coverage ?? {};
    if (anchor === undefined) return coverage;
    const held = await this.#held.read({ tweets: [anchor], users: [] });
    // A deleted tweet leaves the list as it should; an evicted one leaves a hole.
    return held.tweet(anchor) === undefined && !held.isRemoved(anchor) ? undefined : coverage;
  }
}

/** `at`: the time of the last fill of the newest items, in milliseconds since the epoch. */
export const positionOf = ({ next, oldest, anchor }: Coverage, at: number): SourcePosition => ({
  position: JSON.stringify({ next, oldest, anchor }),
  at,
});

/** The AppView can be behind what was published: what a fill brought is whole up to so long before it. */
const indexingMs = 60_000;

/**
 * The coverage after a further fill of the newest items. They continue what the archive had at the time `filledAt`, or leave a
 * gap; then the coverage ends before the gap.
 */
export const joined = (newest: Coverage, before: Coverage | undefined, filledAt: number): Coverage =>
  before !== undefined && newest.next !== undefined && newest.oldest < filledAt - indexingMs ? before : newest;

function readCoverage(position: SourcePosition | undefined): Coverage | undefined {
  if (position === undefined) return undefined;
  try {
    const { next, oldest, anchor } = fields(JSON.parse(position.position));
    return typeof oldest === 'number' ? { next: text(next), oldest, anchor: text(anchor) } : undefined;
  } catch {
    // The list is filled again.
    return undefined;
  }
}
