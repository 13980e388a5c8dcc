/** Selects from the stream: the events of followed accounts, posts that match a query, or the whole network. */
import type { ArchivedTweet } from '../../domain/records.ts';
import type { ResolvedTarget } from '../../ports/live-source.ts';
import { documentOf } from '../../search/document.ts';
import { languageOf } from '../../search/language/terms.ts';
import { compileQuery } from '../../search/language/compile.ts';
import { parse } from '../../search/language/parse.ts';
import { Percolator } from '../../search/percolator/percolator.ts';
import { collections } from '../../domain/at-uri.ts';
import { maxDids, type StreamFilter } from './jetstream.ts';
import type { KnownRecords } from './known-records.ts';

/** Of whole streams: reposts and follows of everybody would need a request each to be of use. */
const collectionsOfAll = [collections.post, collections.profile, collections.postgate];
const collectionsOfAccounts = [...collectionsOfAll, collections.repost, collections.follow];

/** The DID of no account: the first one of the alphabet, which is a hash. */
const nobody = 'did:plc:aaaaaaaaaaaaaaaaaaaaaaaa';

export class EventFilter {
  readonly #accounts = new Set<string>();
  readonly #queries = new Percolator<string>();
  /** The languages of the network target; empty: all. Undefined without such a target. */
  #languages: ReadonlySet<string> | undefined;

  constructor(targets: readonly ResolvedTarget[]) {
    for (const { target, accounts } of targets) {
      for (const did of accounts ?? []) this.#accounts.add(did);
      if (target.kind === 'search') this.#queries.set(target.value, compileQuery(parse(target.value)));
      if (target.kind === 'network') this.#addLanguages(target.value);
    }
  }

  /** Whether everything of an account is wanted. */
  isFollowed(did: string): boolean {
    return this.#accounts.has(did);
  }

  /** Whether posts of accounts that are not followed can be wanted. */
  get readsAll(): boolean {
    return this.#languages !== undefined || this.#queries.size > 0;
  }

  /** Whether the whole network is followed. */
  get followsNetwork(): boolean {
    return this.#languages !== undefined;
  }

  /** Whether a post of an account that is not followed is wanted. */
  matches(tweet: ArchivedTweet, known: KnownRecords, now: number): boolean {
    const languages = this.#languages;
    if (languages !== undefined && (languages.size === 0 || isIn(tweet, languages))) return true;
    if (this.#queries.size === 0) return false;
    const document = documentOf(tweet, {
      user: (id) => known.profile(id),
      authorOf: (id) => known.tweet(id)?.author_id,
    });
    return this.#queries.match(document, now).length > 0;
  }

  /** The filter that is sent to the server. */
  get stream(): StreamFilter {
    const wanted = this.#accounts.size > 0 ? collectionsOfAccounts : collectionsOfAll;
    const isWhole = this.readsAll || this.#accounts.size > maxDids;
    // To the server, an empty list means all accounts.
    const dids = this.#accounts.size > 0 ? [...this.#accounts] : [nobody];
    return { collections: wanted, dids: isWhole ? undefined : dids };
  }

  #addLanguages(value: string): void {
    const languages = value === '' ? [] : value.split('+');
    const isAll = languages.length === 0 || this.#languages?.size === 0;
    this.#languages = isAll ? new Set() : new Set([...(this.#languages ?? []), ...languages.map(languageOf)]);
  }
}

const isIn = ({ lang, langs = [] }: ArchivedTweet, languages: ReadonlySet<string>): boolean =>
  [...(lang === undefined ? [] : [lang]), ...langs].some((each) => languages.has(languageOf(each)));
