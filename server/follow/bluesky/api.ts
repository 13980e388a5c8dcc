/**
 * The client of the AppView: everything that the source reads over HTTP comes from this one configured host. Repositories
 * themselves (`com.atproto.repo.listRecords`) are on the hosts of the accounts, which anyone can name; the source
 * therefore reads histories from the AppView, which answers them without a session.
 */
import { fields, list, text, type Fields } from '../../formats/recognised.ts';
import { SourceError, type SourceObserver } from '../../ports/live-source.ts';
import { messageOf } from '../../text/error-text.ts';
import { isDid, readAtUri } from '../../domain/at-uri.ts';
import { schedule, type Clock } from '../clock.ts';
import { wholeBody, type HttpResponse, type Send } from '../http.ts';
import { RequestBudget, type RequestLimit } from './request-budget.ts';

export interface ApiOptions {
  readonly baseUrl: URL;
  readonly send: Send;
  readonly clock: Clock;
  readonly observer: Pick<SourceObserver, 'requested'>;
  /** The maximum rate of requests; undefined: the share of what is followed. */
  readonly limit?: RequestLimit | undefined;
}

/** The AppView understood the request and declined it: an unknown account, an invalid address. */
export class DeclinedRequest extends SourceError {
  /** The name of the error, as in `InvalidRequest`. */
  readonly reason: string;

  constructor(message: string, reason: string) {
    super(message, { isPermanent: true });
    this.reason = reason;
  }
}

/** A page of a list. */
export interface Page {
  readonly items: readonly Fields[];
  readonly cursor: string | undefined;
}

export interface ListMembers {
  readonly title: string;
  /** The profile views of the members. */
  readonly members: readonly Fields[];
}

const timeoutMs = 10_000;
/** Maximum size of a response: 100 posts with their authors and quoted posts have less than 1 MB. */
const maxBytes = 8 * 1024 * 1024;
/** The maximum number of actors or posts in one request. */
export const maxPerRequest = 25;
const pageSize = 100;
/** Maximum number of pages of follows or list members: 10,000 accounts. */
const maxPages = 100;

type Parameters = Readonly<Record<string, string | readonly string[] | number | undefined>>;

export class AppView {
  readonly #options: ApiOptions;
  readonly #base: string;
  readonly #budget: RequestBudget;

  constructor(options: ApiOptions) {
    this.#options = options;
    this.#base = options.baseUrl.href.replace(/\/+$/, '');
    this.#budget = new RequestBudget(options.clock, options.limit);
  }

  /** The profiles of at most 25 accounts; leaves out those that do not exist or are not active. */
  async profiles(actors: readonly string[], signal: AbortSignal): Promise<Fields[]> {
    return list((await this.#query('app.bsky.actor.getProfiles', { actors }, signal)).profiles);
  }

  /** The views of at most 25 posts; leaves out those that do not exist. */
  async posts(uris: readonly string[], signal: AbortSignal): Promise<Fields[]> {
    return list((await this.#query('app.bsky.feed.getPosts', { uris }, signal)).posts);
  }

  /** The DID of a handle; undefined for an unknown handle. */
  async resolveHandle(handle: string, signal: AbortSignal): Promise<string | undefined> {
    try {
      const { did } = await this.#query('com.atproto.identity.resolveHandle', { handle }, signal);
      return isDid(did) ? did : undefined;
    } catch (error) {
      if (error instanceof DeclinedRequest) return undefined;
      throw error;
    }
  }

  /** A page of the posts and reposts of an account, newest first. */
  async authorFeed(actor: string, cursor: string | undefined, signal: AbortSignal): Promise<Page> {
    const parameters = { actor, limit: pageSize, filter: 'posts_with_replies', cursor };
    const answer = await this.#query('app.bsky.feed.getAuthorFeed', parameters, signal);
    return { items: list(answer.feed), cursor: text(answer.cursor) };
  }

  /** The profiles of all accounts that an account follows; undefined where they are more than 10,000. */
  async follows(actor: string, signal: AbortSignal): Promise<Fields[] | undefined> {
    const all = await this.#pages('app.bsky.graph.getFollows', { actor }, 'follows', signal);
    return all.isWhole ? all.items : undefined;
  }

  /** A page of the profiles of the accounts that an account follows, newest follow first. */
  async followsPage(actor: string, cursor: string | undefined, signal: AbortSignal): Promise<Page> {
    const answer = await this.#query('app.bsky.graph.getFollows', { actor, limit: pageSize, cursor }, signal);
    return { items: list(answer.follows), cursor: text(answer.cursor) };
  }

  /** A page of the profiles of the accounts that reposted a post, newest repost first. */
  async repostedBy(uri: string, cursor: string | undefined, signal: AbortSignal): Promise<Page> {
    const answer = await this.#query('app.bsky.feed.getRepostedBy', { uri, limit: pageSize, cursor }, signal);
    return { items: list(answer.repostedBy), cursor: text(answer.cursor) };
  }

  /** The view of a post with the post that it answers, or with the direct replies to it. */
  async thread(uri: string, part: 'parent' | 'replies', signal: AbortSignal): Promise<Fields> {
    const [depth, parentHeight] = part === 'parent' ? [0, 1] : [1, 0];
    return fields((await this.#query('app.bsky.feed.getPostThread', { uri, depth, parentHeight }, signal)).thread);
  }

  /** The members of a list, at most 10,000. */
  async list(uri: string, signal: AbortSignal): Promise<ListMembers> {
    const { first, items } = await this.#pages('app.bsky.graph.getList', { list: uri }, 'items', signal);
    return { title: text(fields(first.list).name) ?? uri, members: items.map(({ subject }) => fields(subject)) };
  }

  /** Whether a record exists. */
  async hasRecord(uri: string, signal: AbortSignal): Promise<boolean> {
    const parts = readAtUri(uri);
    if (parts === undefined) return false;
    const { did: repo, collection, rkey } = parts;
    try {
      await this.#query('com.atproto.repo.getRecord', { repo, collection, rkey }, signal);
      return true;
    } catch (error) {
      if (error instanceof DeclinedRequest && /RecordNotFound|could not (locate|find)/i.test(error.reason))
        return false;
      throw error;
    }
  }

  async #pages(
    method: string,
    parameters: Parameters,
    member: string,
    signal: AbortSignal,
  ): Promise<{ readonly first: Fields; readonly items: Fields[]; readonly isWhole: boolean }> {
    const items: Fields[] = [];
    let first: Fields | undefined;
    let cursor: string | undefined;
    for (let page = 0; page < maxPages; page++) {
      const answer = await this.#query(method, { ...parameters, limit: pageSize, cursor }, signal);
      first ??= answer;
      items.push(...list(answer[member]));
      cursor = text(answer.cursor);
      if (cursor === undefined) return { first, items, isWhole: true };
    }
    return { first: first ?? {}, items, isWhole: false };
  }

  /** Sends a request in its turn. Rejects with SourceError; its message names the host and the method, no parameters. */
  async #query(method: string, parameters: Parameters, signal: AbortSignal): Promise<Fields> {
    const url = new URL(`${this.#base}/xrpc/${method}`);
    for (const [name, value] of Object.entries(parameters)) {
      for (const each of value === undefined ? [] : [value].flat()) url.searchParams.append(name, String(each));
    }
    return this.#budget.run(async () => this.#read(method, ...(await this.#send(method, url, signal))), signal);
  }

  async #send(method: string, url: URL, signal: AbortSignal): Promise<[response: HttpResponse, body: string]> {
    const { clock, send, observer } = this.#options;
    const timeout = new AbortController();
    const cancel = schedule(clock, timeoutMs, () => timeout.abort());
    try {
      const response = await send({
        method: 'GET',
        url,
        headers: { accept: 'application/json', 'user-agent': 'social-data' },
        signal: AbortSignal.any([signal, timeout.signal]),
      });
      const whole = await wholeBody(response, maxBytes);
      observer.requested(response.status);
      return [response, whole];
    } catch (error) {
      observer.requested(0);
      const problem = timeout.signal.aborted ? `no response in ${timeoutMs / 1000} s` : messageOf(error);
      throw new SourceError(`${this.#name(method)}: ${problem}`, { cause: error });
    } finally {
      cancel();
    }
  }

  #read(method: string, response: HttpResponse, whole: string): Fields {
    const { status } = response;
    const wait = this.#budget.read(response);
    const name = this.#name(method);
    if (status === 429 || (status === 503 && wait !== undefined))
      throw new SourceError(`${name}: status ${status}`, { retryAfterMs: wait ?? 0 });
    if (status >= 300 && status < 400) throw new SourceError(`${name}: a redirect, which is not followed`);
    const body = jsonOf(whole);
    if (status === 400 || status === 404) {
      const reason = `${text(body?.error) ?? 'InvalidRequest'}: ${text(body?.message) ?? ''}`;
      throw new DeclinedRequest(`${name}: status ${status}`, reason);
    }
    if (status !== 200) throw new SourceError(`${name}: status ${status}`);
    if (body === undefined) throw new SourceError(`${name}: an unexpected response`);
    return body;
  }

  #name(method: string): string {
    return `${this.#options.baseUrl.host} ${method}`;
  }
}

function jsonOf(body: string): Fields | undefined {
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? fields(value) : undefined;
  } catch {
    return undefined;
  }
}
