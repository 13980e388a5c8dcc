/** What the operator stored: the targets, and the tokens of the platforms. */
import type { ResolvedTarget, Target } from '../ports/live-source.ts';
import type { Document, Store } from '../ports/storage.ts';
import { parseTarget, targetText } from '../config/targets.ts';

/** The document `follow`. */
interface FollowFile {
  targets: { target: string; added_at: string }[];
  /** The accounts that a purge erased, by target: they are reinstated when the target is added again. */
  erased?: { target: string; user_ids: string[] }[];
}

/** The document `follow-tokens`. */
interface TokenFile {
  tokens: { source: string; token: string }[];
}

/** A member of a document that another version may have written. */
const listOf = <Item>(value: Item[] | undefined): Item[] => (Array.isArray(value) ? value : []);

/** The document `follow-resolved`. */
interface ResolvedFile {
  targets: { target: string; title: string; accounts?: string[] }[];
}

export class TargetStore {
  readonly #targets: Document<FollowFile>;
  readonly #tokens: Document<TokenFile>;
  readonly #resolved: Document<ResolvedFile>;

  constructor(targets: Document<FollowFile>, tokens: Document<TokenFile>, resolved: Document<ResolvedFile>) {
    this.#targets = targets;
    this.#tokens = tokens;
    this.#resolved = resolved;
  }

  /** Calls back when another process has changed the targets or the tokens, until the returned function is called. */
  onChange(listener: () => void): () => void {
    const unwatch = [this.#targets, this.#tokens].map((document) => document.onChange(listener));
    return () => unwatch.forEach((end) => end());
  }

  /** The last resolution of a target; undefined for one that was never resolved. */
  last(text: string): ResolvedTarget | undefined {
    const found = listOf(this.#resolved.data.targets).find(({ target }) => target === text);
    if (found === undefined || typeof found.title !== 'string') return undefined;
    const { title, accounts } = found;
    const isList =
      accounts === undefined || (Array.isArray(accounts) && accounts.every((each) => typeof each === 'string'));
    return isList ? { target: parseTarget(text), title, accounts } : undefined;
  }

  /** Stores a resolution, and forgets those of targets that are not `followed`. Rejects with StoreError. */
  resolved(text: string, { title, accounts }: ResolvedTarget, followed: ReadonlySet<string>): Promise<void> {
    return this.#resolved.update((data) => {
      const others = listOf(data.targets).filter(({ target }) => target !== text && followed.has(target));
      data.targets = [
        ...others,
        { target: text, title, ...(accounts === undefined ? {} : { accounts: [...accounts] }) },
      ];
    });
  }

  /** The stored targets. Leaves out those that this version cannot read. */
  get targets(): Target[] {
    return listOf(this.#targets.data.targets).flatMap(({ target }) => {
      try {
        return [parseTarget(target)];
      } catch {
        return [];
      }
    });
  }

  /** Adds targets that are not stored yet. Rejects with StoreError. */
  add(targets: readonly Target[], now: number): Promise<void> {
    return this.#targets.update((data) => {
      const stored = listOf(data.targets);
      const known = new Set(stored.map(({ target }) => target));
      const added = targets.map(targetText).filter((text) => !known.has(text));
      data.targets = [...stored, ...added.map((target) => ({ target, added_at: new Date(now).toISOString() }))];
      if (data.erased !== undefined) data.erased = data.erased.filter(({ target }) => !added.includes(target));
    });
  }

  /** Removes targets. `erased`: the ids of the accounts of each one that are erased with it. */
  remove(texts: readonly string[], erased: ReadonlyMap<string, readonly string[]>): Promise<void> {
    return this.#targets.update((data) => {
      data.targets = listOf(data.targets).filter(({ target }) => !texts.includes(target));
      const others = listOf(data.erased).filter(({ target }) => !erased.has(target));
      const entries = [...others, ...Array.from(erased, ([target, ids]) => ({ target, user_ids: [...ids] }))];
      if (entries.length > 0) data.erased = entries;
    });
  }

  /** The ids of the accounts that were erased with a target. */
  erasedWith(text: string): readonly string[] {
    return listOf(this.#targets.data.erased).flatMap(({ target, user_ids }) => (target === text ? user_ids : []));
  }

  /** The token of a source; undefined where none is stored. */
  token(source: string): string | undefined {
    return listOf(this.#tokens.data.tokens).find((entry) => entry.source === source)?.token;
  }

  /** Stores the token of a source in the place of the last one. Rejects with StoreError. */
  setToken(source: string, token: string): Promise<void> {
    return this.#tokens.update((data) => {
      data.tokens = [...listOf(data.tokens).filter((entry) => entry.source !== source), { source, token }];
    });
  }
}

/** Rejects with StoreError for a damaged document. */
export async function openTargetStore(store: Store): Promise<TargetStore> {
  const targets = await store.document<FollowFile>('follow', { targets: [] });
  const tokens = await store.document<TokenFile>('follow-tokens', { tokens: [] });
  return new TargetStore(targets, tokens, await store.document<ResolvedFile>('follow-resolved', { targets: [] }));
}
