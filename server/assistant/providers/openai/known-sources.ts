/** What a model got to read: the only posts and pages that its answer can refer to. */
import type { Schemas } from '../../../contract/operations.ts';
import type { Subject } from '../../../ports/assistant-provider.ts';
import { citation, sourcesOf } from '../../sources.ts';

type Citation = Schemas['Citation'];
type Post = Schemas['Tweet'] | Schemas['TweetShort'];

/** URLs in a text, without the punctuation at their end. */
const links = /https?:\/\/[^\s<>"'`]*[^\s<>"'`.,;:!?)\]}]/giu;

/** The posts and pages of one question, and which of them its answer refers to. */
export class KnownSources {
  readonly #posts = new Set<string>();
  readonly #pages = new Map<string, Citation>();
  readonly #citedPosts: string[] = [];
  readonly #citedPages = new Set<Citation>();

  constructor({ tweet, thread, replies, authored, continuation }: Subject) {
    this.add([tweet, ...thread, ...replies, ...authored, ...continuation]);
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
      const { text } = post;
      for (const [url] of text.matchAll(links)) this.addPage(citation(url));
      if (!('entities' in post)) continue;
      for (const nested of [post.quoted_tweet, post.retweeted_tweet]) if (nested !== null) this.add([nested]);
      for (const page of sourcesOf({ tweet: post, thread: [] })) this.addPage(page);
    }
  }

  addPage(page: Citation | undefined): void {
    if (page !== undefined) this.#pages.set(page.url, page);
  }

  /** The number of a post in the answer, from 1 on; undefined for a post that the model did not read. */
  numberOf(id: string): number | undefined {
    if (!this.#posts.has(id)) return undefined;
    const place = this.#citedPosts.indexOf(id);
    return place === -1 ? this.#citedPosts.push(id) : place + 1;
  }

  /** Whether the model read of a page; the answer then cites it. */
  cites(url: string): boolean {
    const wanted = citation(/^www\./i.test(url) ? `https://${url}` : url)?.url;
    const page = wanted === undefined ? undefined : this.#pages.get(wanted);
    if (page === undefined) return false;
    this.#citedPages.add(page);
    return true;
  }
}
