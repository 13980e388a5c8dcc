/** What a model got to read: the only posts and pages that its answer can refer to. */
import type { Schemas } from '../../../contract/operations.ts';
import type { Subject } from '../../../ports/assistant-provider.ts';
import { citation, sourcesOf } from '../../sources.ts';
import { postsOf } from '../../used-posts.ts';
import { addressesIn } from './addresses.ts';

type Citation = Schemas['Citation'];
type Post = Schemas['Tweet'] | Schemas['TweetShort'];

/** URLs in a text, without the punctuation at their end. */
const links = /https?:\/\/[^\s<>"'`]*[^\s<>"'`.,;:!?)\]}]/giu;

/** The posts and pages of one question, and which of them its answer refers to. */
export class KnownSources {
  readonly #posts = new Set<string>();
  readonly #pages = new Map<string, Citation>();
  /** The addresses without a scheme that the model read, and the domains of the pages and of the users. */
  readonly #addresses = new Set<string>();
  readonly #citedPosts: string[] = [];
  readonly #citedPages = new Set<Citation>();

  constructor(subject: Subject) {
    this.add(postsOf(subject));
  }

  /** The ids of the posts that the answer refers to, in the order of their numbers. */
  get citedPosts(): readonly string[] {
    return this.#citedPosts;
  }

  /** The pages that the answer links to. */
  get citedPages(): readonly Citation[] {
    return [...this.#citedPages];
  }

  add(posts: readonly Post[]): void {
    for (const post of posts) {
      this.#posts.add(post.id);
      const { text, author } = post;
      this.#addAddresses([text, author.name, author.username]);
      for (const [url] of text.matchAll(links)) this.addPage(citation(url));
      if (!('entities' in post)) continue;
      const { card, article, entities } = post;
      const mentioned = entities.mentions.map(({ username }) => username);
      this.#addAddresses([card?.title, card?.description, card?.domain, article?.title, article?.text, ...mentioned]);
      for (const nested of [post.quoted_tweet, post.retweeted_tweet]) if (nested !== null) this.add([nested]);
      for (const page of sourcesOf({ tweet: post, thread: [] })) this.addPage(page);
    }
  }

  addPage(page: Citation | undefined): void {
    if (page === undefined) return;
    this.#pages.set(page.url, page);
    const { hostname } = new URL(page.url);
    for (const domain of [page.domain, hostname]) this.#addresses.add(domain);
  }

  /** The number of a post in the answer, from 1 on; undefined for a post that the model did not read. */
  numberOf(id: string): number | undefined {
    if (!this.#posts.has(id)) return undefined;
    const place = this.#citedPosts.indexOf(id);
    return place === -1 ? this.#citedPosts.push(id) : place + 1;
  }

  /** Whether the model read of a page; the answer then cites it. */
  cites(url: string): boolean {
    const wanted = citation(/^[a-z][a-z\d+.-]*:(?!\d)/i.test(url) ? url : `https://${url}`)?.url;
    const page = wanted === undefined ? undefined : this.#pages.get(wanted);
    if (page === undefined) return false;
    this.#citedPages.add(page);
    return true;
  }

  /** Whether the model read an address without a scheme; `form` is its comparable form. */
  knows(form: string): boolean {
    return this.cites(form) || this.#addresses.has(form);
  }

  #addAddresses(texts: readonly (string | null | undefined)[]): void {
    for (const text of texts) for (const form of addressesIn(text ?? '')) this.#addresses.add(form);
  }
}
