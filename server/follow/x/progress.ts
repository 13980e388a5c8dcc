/**
 * What is read of each target, as ids of posts: the position of the source. Where all targets are complete, it is one id. The
 * others have a span of their own.
 */
import { isFields, list, text } from '../../formats/recognised.ts';
import { isId, later } from './ids.ts';

/** What is read of a target by search. Search returns the newest posts first. */
export interface Span {
  /** Everything up to this id is read. */
  readonly since: string;
  /** A search that is not complete has read everything from this id on … */
  readonly until?: string;
  /** … up to this id. */
  readonly newest?: string;
}

interface State {
  span: Span;
  /** The stream delivers everything from here on. */
  isLive: boolean;
}

export class Progress {
  /** Everything up to this id is read for all targets that have no state. */
  #id: string | undefined;
  readonly #states = new Map<string, State>();

  /** `position`: a result of `toString`, or undefined. A text of another form counts as undefined. */
  constructor(position: string | undefined) {
    const parsed = parsePosition(position);
    this.#id = parsed?.id;
    for (const [target, span] of parsed?.spans ?? []) this.#states.set(target, { span, isLive: false });
  }

  /**
   * Replaces the targets. New ones are read from `newFrom` on, or from the position that is known for all. A target that the
   * stream delivered stays live.
   */
  set(targets: readonly string[], newFrom: string): void {
    const wanted = new Set(targets);
    for (const target of this.#states.keys()) if (!wanted.has(target)) this.#states.delete(target);
    const since = this.#id ?? newFrom;
    for (const target of wanted)
      if (!this.#states.has(target)) this.#states.set(target, { span: { since }, isLive: false });
    this.#id ??= newFrom;
  }

  /** The stream delivers nothing any more. */
  disconnect(): void {
    for (const state of this.#states.values()) state.isLive = false;
  }

  /** The spans of all targets. */
  get spans(): [string, Span][] {
    return Array.from(this.#states, ([target, { span }]) => [target, span]);
  }

  /** The targets that are not live. */
  get behind(): string[] {
    return [...this.#states].flatMap(([target, { isLive }]) => (isLive ? [] : [target]));
  }

  /** Sets what is read of some targets. */
  read(targets: readonly string[], span: Span): void {
    for (const target of targets) {
      const state = this.#states.get(target);
      if (state !== undefined) state.span = span;
    }
  }

  /** Nothing is missing between the search and the stream. */
  live(targets: readonly string[]): void {
    for (const target of targets) {
      const state = this.#states.get(target);
      if (state !== undefined) state.isLive = true;
    }
  }

  /** The stream has delivered everything up to an id. */
  delivered(id: string): void {
    const states = [...this.#states.values()];
    if (states.every(({ isLive }) => isLive)) this.#id = later(this.#id ?? id, id);
    const since = this.#id ?? id;
    for (const state of states)
      if (state.isLive) state.span = { since: later(this.isLive ? since : id, state.span.since) };
  }

  /** Whether the stream delivers all targets without a gap. */
  get isLive(): boolean {
    return [...this.#states.values()].every(({ isLive }) => isLive);
  }

  toString(): string {
    const spans = this.isLive
      ? []
      : [...this.#states].filter(
          ([, { span }]) => span.since !== this.#id || span.until !== undefined || span.newest !== undefined,
        );
    return JSON.stringify({ id: this.#id, targets: spans.map(([target, { span }]) => ({ target, ...span })) });
  }
}

function parsePosition(position: string | undefined): { id: string; spans: [string, Span][] } | undefined {
  if (position === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(position);
    if (!isFields(value) || !isId(value.id)) return undefined;
    const spans = list(value.targets).flatMap(({ target, since, until, newest }): [string, Span][] => {
      const name = text(target);
      if (name === undefined || !isId(since)) return [];
      return [[name, isId(until) && isId(newest) ? { since, until, newest } : { since }]];
    });
    return { id: value.id, spans };
  } catch {
    return undefined;
  }
}
