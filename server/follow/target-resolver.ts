/** Resolves the targets of one source at its platform, and tries again where that fails. */
import type { LiveSource, ResolvedTarget, Target } from '../ports/live-source.ts';
import { messageOf } from '../text/error-text.ts';
import { Backoff } from './backoff.ts';
import type { Clock } from './clock.ts';
import { sourcePart, targetText } from '../config/targets.ts';

/** The number of targets that are resolved at the same time. */
const maxConcurrent = 8;
/** The time after which the members of a list are read again, in milliseconds. */
const listEveryMs = 3_600_000;

interface Entry {
  readonly target: Target;
  readonly text: string;
  readonly backoff: Backoff;
  resolved: ResolvedTarget | undefined;
  error: string | undefined;
  /** Whether the first attempt is over. */
  wasTried: boolean;
  /** In milliseconds since the epoch. */
  nextAt: number;
}

/** What was resolved before a restart. */
export interface ResolvedTargets {
  /** The last resolution of a target by its canonical text. */
  last(text: string): ResolvedTarget | undefined;
  /** Stores a resolution. Rejects with StoreError. */
  store(text: string, resolved: ResolvedTarget): Promise<void>;
}

export interface TargetResolverParts {
  readonly source: Pick<LiveSource, 'parse' | 'resolve'>;
  readonly known: ResolvedTargets;
  readonly clock: Clock;
  /** The resolved targets are others now. */
  readonly onChanged: () => void;
  /** A target cannot be resolved, for another reason than before. */
  readonly onFailed: (target: string, reason: string) => void;
}

export class TargetResolver {
  readonly #parts: TargetResolverParts;
  readonly #entries = new Map<string, Entry>();
  #wake = new AbortController();

  constructor(parts: TargetResolverParts) {
    this.#parts = parts;
  }

  /** The targets that the platform knows. */
  get resolved(): ResolvedTarget[] {
    return [...this.#entries.values()].flatMap(({ resolved }) => (resolved === undefined ? [] : [resolved]));
  }

  /** The canonical texts of the targets that are not resolved. */
  get unresolved(): string[] {
    return [...this.#entries.values()].flatMap(({ resolved, text }) => (resolved === undefined ? [text] : []));
  }

  /** Whether each target was tried once. */
  get isFirstPassOver(): boolean {
    return [...this.#entries.values()].every(({ wasTried }) => wasTried);
  }

  get(text: string): { readonly resolved: ResolvedTarget | undefined; readonly error: string | undefined } | undefined {
    return this.#entries.get(text);
  }

  get texts(): string[] {
    return [...this.#entries.keys()];
  }

  /** Replaces the targets. What is resolved already stays resolved. */
  set(targets: readonly Target[]): void {
    const wanted = new Map(targets.map((target) => [targetText(target), target]));
    let isChanged = false;
    for (const [text, { resolved }] of this.#entries) {
      if (wanted.has(text)) continue;
      this.#entries.delete(text);
      isChanged ||= resolved !== undefined;
    }
    for (const [text, target] of wanted) {
      if (this.#entries.has(text)) continue;
      const backoff = new Backoff();
      // The stream starts with the stored resolutions, while new ones are requested from the platform.
      const resolved = this.#parts.known.last(text);
      isChanged ||= resolved !== undefined;
      this.#entries.set(text, {
        ...{ target, text, backoff, resolved },
        ...{ error: undefined, wasTried: resolved !== undefined, nextAt: 0 },
      });
    }
    if (isChanged) this.#parts.onChanged();
    this.#wake.abort();
  }

  /** Resolves until the signal aborts. Never rejects. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock } = this.#parts;
    while (!signal.aborted) {
      const now = clock.now();
      const due = [...this.#entries.values()].filter(({ nextAt }) => nextAt <= now).slice(0, maxConcurrent);
      if (due.length === 0) await this.#sleep(signal);
      else await Promise.all(due.map((entry) => this.#resolve(entry, signal)));
    }
  }

  /** Waits until the next target is due, or until the targets change. */
  async #sleep(signal: AbortSignal): Promise<void> {
    this.#wake = new AbortController();
    const { clock } = this.#parts;
    const nextAt = Math.min(...Array.from(this.#entries.values(), (entry) => entry.nextAt));
    const wake = this.#wake;
    const onAbort = (): void => wake.abort();
    signal.addEventListener('abort', onAbort, { once: true });
    await clock.sleep(Math.min(listEveryMs, Math.max(0, nextAt - clock.now())), wake.signal);
    signal.removeEventListener('abort', onAbort);
  }

  async #resolve(entry: Entry, signal: AbortSignal): Promise<void> {
    const { source, clock, onChanged, onFailed, known } = this.#parts;
    try {
      const resolved = await source.resolve(source.parse(sourcePart(entry.target)), signal);
      const isSame = JSON.stringify(resolved) === JSON.stringify(entry.resolved);
      // The same object says that nothing changed.
      if (!isSame) {
        entry.resolved = resolved;
        // Without it, the next start resolves the target before it connects.
        await known.store(entry.text, resolved).catch(() => {});
      }
      entry.error = undefined;
      entry.backoff.reset();
      entry.nextAt = entry.target.kind === 'list' ? clock.now() + listEveryMs : Number.POSITIVE_INFINITY;
      entry.wasTried = true;
      if (!isSame && this.#entries.get(entry.text) === entry) onChanged();
    } catch (error) {
      if (signal.aborted) return;
      const isNew = entry.error !== messageOf(error);
      entry.error = messageOf(error);
      entry.nextAt = clock.now() + entry.backoff.next(error);
      // The follower waits for the first attempt of each target.
      const isFirst = !entry.wasTried;
      entry.wasTried = true;
      if (isFirst) onChanged();
      if (isNew && this.#entries.get(entry.text) === entry) onFailed(entry.text, entry.error);
    }
  }
}
