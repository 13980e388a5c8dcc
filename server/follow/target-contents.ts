/** What the archive holds of followed targets: their accounts, and the posts that searches brought. */
import type { HeldArchive } from '../ports/held-records.ts';
import type { Target } from '../ports/live-source.ts';
import type { TargetStatus } from './status.ts';
import type { TargetStore } from './target-store.ts';
import { parseTarget, targetText, uniqueTargets } from '../config/targets.ts';

/** The language of these searches is that of the archive. */
const isBlueskySearch = ({ source, kind }: Target): boolean => source === 'bluesky' && kind === 'search';

export class TargetContents {
  readonly #held: HeldArchive;
  readonly #store: Pick<TargetStore, 'erasedWith'>;

  constructor(held: HeldArchive, store: Pick<TargetStore, 'erasedWith'>) {
    this.#held = held;
    this.#store = store;
  }

  /**
   * The ids in the archive of the accounts of one target. `accounts`: their identifiers at the platform, where they are known.
   * Undefined for a search and the network. Rejects with StoreError.
   */
  async accountsOf(
    { kind, value }: Target,
    accounts: readonly string[] | undefined,
  ): Promise<readonly string[] | undefined> {
    if (kind === 'search' || kind === 'network') return undefined;
    if (accounts !== undefined) return this.#held.userIdsOf(accounts);
    if (kind === 'list') return [];
    if (value.startsWith('did:')) return this.#held.userIdsOf([value]);
    const id = await this.#held.userIdOfName(value);
    return id === undefined ? [] : [id];
  }

  /**
   * The ids in the archive of the accounts of targets, by target; none for a search of Bluesky. `statuses`: the state of what is
   * followed. Rejects with TargetError, with an Error for the network and for a search of X, whose tweets the archive cannot
   * distinguish from others, and with StoreError.
   */
  async accountsByTarget(texts: readonly string[], statuses: readonly TargetStatus[]): Promise<Map<string, string[]>> {
    const found = new Map<string, string[]>();
    for (const target of uniqueTargets(texts.map(parseTarget))) {
      const text = targetText(target);
      const userIds = await this.accountsOf(target, statuses.find((status) => status.target === text)?.accounts);
      if (userIds === undefined && !isBlueskySearch(target))
        throw new Error(
          `${text}: its tweets cannot be distinguished from others, so they are not erased with the target; use npm run erase -- --query QUERY`,
        );
      found.set(text, [...new Set([...(userIds ?? []), ...this.#store.erasedWith(text)])]);
    }
    return found;
  }

  /**
   * The ids of the posts that searches of Bluesky brought, and that no other target brings: those that match, without those of
   * followed accounts and of other searches. `statuses`: the state of what is followed. Rejects with StoreError.
   */
  async postsOfSearches(texts: readonly string[], statuses: readonly TargetStatus[]): Promise<string[]> {
    const removed = new Set(uniqueTargets(texts.map(parseTarget)).map(targetText));
    const others = await Promise.all(
      statuses
        .filter(({ target }) => !removed.has(target))
        .map(async ({ target, accounts }) => ({
          ...parseTarget(target),
          userIds: await this.accountsOf(parseTarget(target), accounts),
        })),
    );
    if (others.some(({ source, kind }) => source === 'bluesky' && kind === 'network')) return [];
    const followed = new Set(others.flatMap(({ userIds = [] }) => userIds));
    const kept = new Set<string>();
    for (const other of others)
      if (isBlueskySearch(other)) for await (const { id } of this.#held.found(other.value)) kept.add(id);
    const posts = new Set<string>();
    for (const target of [...removed].map(parseTarget))
      if (isBlueskySearch(target))
        for await (const { id, uri, author_id } of this.#held.found(target.value))
          if (uri?.startsWith('at:') === true && !followed.has(author_id) && !kept.has(id)) posts.add(id);
    return [...posts];
  }
}
