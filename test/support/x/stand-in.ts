/**
 * A stand-in for X: rules, filtered stream, recent search, timelines, lookups, compliance jobs and their storage. It keeps the
 * posts of a test. It validates what it gets and gives against the published document, where that is present.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { idAt } from '../../../server/follow/x/ids.ts';
import { text as wholeBody } from 'node:stream/consumers';
import type { ManualClock } from '../manual-clock.ts';
import { PublishedContract, type Exchange } from './published.ts';

export interface StandInPost {
  readonly id: string;
  readonly text: string;
  readonly author_id: string;
  readonly created_at: string;
  readonly [member: string]: unknown;
}

interface StandInRule {
  readonly id: string;
  readonly value: string;
  readonly tag?: string;
}

interface Route {
  readonly method: string;
  readonly path: string;
  readonly pattern: RegExp;
  readonly answer: (exchange: Exchange, id: string) => unknown;
}

/** An answer instead of the usual one. */
export interface Fault {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

const contract = PublishedContract.open();
const problem = (type: string, more: object): object => ({ type: `https://api.x.com/2/problems/${type}`, ...more });
export const notFound = (id: string, resource_type = 'tweet', parameter = 'ids'): object =>
  problem('resource-not-found', {
    ...{ title: 'Not Found Error', detail: `Could not find ${resource_type} with ${parameter}: [${id}].` },
    ...{ value: id, resource_id: id, parameter, resource_type },
  });
export const notAuthorized = (id: string): object =>
  problem('not-authorized-for-resource', {
    ...{ title: 'Authorization Error', detail: `Sorry, you are not authorized to see the Tweet with ids: [${id}].` },
    ...{ value: id, resource_id: id, parameter: 'ids', resource_type: 'tweet', section: 'data' },
  });

export class XStandIn {
  readonly token = 'AAAA-secret-bearer-token';
  readonly posts: StandInPost[] = [];
  readonly users = new Map<string, Record<string, unknown>>();
  /** Posts that X does not show, with the problem that it names. */
  readonly hidden = new Map<string, object>();
  rules: StandInRule[] = [];
  readonly requests: (Exchange & { readonly headers: Readonly<Record<string, unknown>> })[] = [];
  readonly violations: string[] = [];
  /** The number of posts in `data` of all answers and lines: what X bills. */
  billed = 0;
  /** Answers in place of the usual ones, by `METHOD path`: used once each, or for ever where `isLasting`. */
  readonly faults = new Map<string, { readonly fault: Fault; readonly isLasting: boolean }>();
  /** Names the members of answers as the document with posts does. */
  usesPostNames = false;
  /** Lines of the result of a compliance job, by its type. */
  readonly results = new Map<string, string[]>();
  /** The uploaded ids of the compliance jobs. */
  readonly uploads: string[][] = [];
  /** The address of the storage; by default that of the stand-in. */
  storage: string | undefined;
  readonly streams = new Set<ServerResponse>();
  readonly #clock: ManualClock;
  readonly #server: Server;
  readonly #jobs = new Map<string, { type: string; polls: number }>();
  #nextId = 1;
  #sequence = 0n;

  private constructor(clock: ManualClock) {
    this.#clock = clock;
    this.#server = createServer((request, response) => {
      this.#handle(request, response).catch((error: unknown) => {
        this.violations.push(String(error));
        response.destroy();
      });
    });
  }

  static async start(clock: ManualClock): Promise<XStandIn> {
    const standIn = new XStandIn(clock);
    await new Promise<void>((resolve) => void standIn.#server.listen(0, '127.0.0.1', resolve));
    return standIn;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async stop(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => void this.#server.close(resolve));
  }

  user(id: string, username: string, more: object = {}): void {
    const metrics = { followers_count: 1, following_count: 2, tweet_count: 3, listed_count: 0 };
    const created_at = '2020-01-01T00:00:00.000Z';
    this.users.set(id, { id, username, name: username, created_at, public_metrics: metrics, ...more });
  }

  /** Publishes a post: it is in the search and the timelines, and goes to the streams whose rules match. */
  post(author_id: string, text: string, more: object = {}): StandInPost {
    const now = this.#clock.now();
    const id = String(BigInt(idAt(now)) + ++this.#sequence);
    const metrics = {
      retweet_count: 0,
      reply_count: 0,
      like_count: 0,
      quote_count: 0,
      bookmark_count: 0,
      impression_count: 0,
    };
    const created_at = new Date(now).toISOString();
    const post = { id, text, author_id, created_at, public_metrics: metrics, conversation_id: id, lang: 'en', ...more };
    this.posts.push(post);
    const matching = this.rules.filter(({ value }) => matches(post, value));
    if (matching.length > 0 && this.streams.size > 0) this.send(post, matching);
    return post;
  }

  /** Sends a post to the streams. */
  send(post: StandInPost, rules: readonly StandInRule[] = []): void {
    const matching_rules = rules.map(({ id, tag }) => ({ id, tag }));
    const line = { data: post, includes: this.#includes([post]), ...(rules.length === 0 ? {} : { matching_rules }) };
    const exchange = { method: 'GET', path: '/2/tweets/search/stream', query: new URLSearchParams(), body: undefined };
    this.violations.push(...(contract?.answerErrors(exchange, line) ?? []));
    this.billed++;
    this.raw(`${JSON.stringify(this.#named(line))}\r\n`);
  }

  raw(text: string | Buffer): void {
    for (const stream of this.streams) stream.write(text);
  }

  heartbeat(): void {
    this.raw('\r\n');
  }

  disconnect(): void {
    for (const stream of this.streams) stream.destroy();
    this.streams.clear();
  }

  fault(endpoint: string, fault: Fault, { isLasting = false } = {}): void {
    this.faults.set(endpoint, { fault, isLasting });
  }

  /** The number of requests of an endpoint, as in `GET /2/tweets`. */
  count(endpoint: string): number {
    return this.requests.filter(({ method, path }) => `${method} ${path}` === endpoint).length;
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', this.url);
    const text = await wholeBody(request);
    if (url.pathname.startsWith('/storage/')) return this.#store(request, url, text, response);
    const route = this.#routes.find(({ method, pattern }) => method === request.method && pattern.test(url.pathname));
    if (route === undefined) throw new Error(`${request.method} ${url.pathname} is not known`);
    const body: unknown = text === '' ? undefined : JSON.parse(text);
    const exchange = { method: route.method, path: route.path, query: url.searchParams, body };
    this.requests.push({ ...exchange, headers: request.headers });
    this.violations.push(...(contract?.requestErrors(exchange) ?? []));
    response.setHeader('date', new Date(this.#clock.now()).toUTCString());
    response.setHeader('content-type', 'application/json');
    if (request.headers.authorization !== `Bearer ${this.token}`)
      return void response
        .writeHead(401)
        .end(JSON.stringify({ title: 'Unauthorized', type: 'about:blank', status: 401 }));
    const key = `${route.method} ${route.path}`;
    const set = this.faults.get(key);
    if (set !== undefined) {
      if (!set.isLasting) this.faults.delete(key);
      const { status, headers = {}, body: said = {} } = set.fault;
      return void response.writeHead(status, headers).end(typeof said === 'string' ? said : JSON.stringify(said));
    }
    if (route.path === '/2/tweets/search/stream') return this.#startStream(response);
    const answer = route.answer(exchange, decodeURIComponent(route.pattern.exec(url.pathname)?.[1] ?? ''));
    this.violations.push(...(contract?.answerErrors(exchange, answer) ?? []));
    response.end(JSON.stringify(this.#named(answer)));
  }

  #startStream(response: ServerResponse): void {
    response.flushHeaders();
    this.streams.add(response);
    response.on('close', () => this.streams.delete(response));
  }

  readonly #routes: readonly Route[] = [
    { method: 'GET', path: '/2/tweets/search/stream', answer: () => ({}) },
    { method: 'GET', path: '/2/tweets/search/stream/rules', answer: () => this.#ruleList() },
    {
      method: 'POST',
      path: '/2/tweets/search/stream/rules',
      answer: (exchange: Exchange) => this.#changeRules(exchange),
    },
    {
      method: 'GET',
      path: '/2/tweets/search/recent',
      answer: ({ query }: Exchange) => this.#page(query, (post) => matches(post, query.get('query') ?? '')),
    },
    {
      method: 'GET',
      path: '/2/users/{id}/tweets',
      answer: ({ query }: Exchange, id: string) => this.#page(query, ({ author_id }) => author_id === id),
    },
    { method: 'GET', path: '/2/tweets', answer: ({ query }: Exchange) => this.#lookup(query) },
    {
      method: 'GET',
      path: '/2/users/by/username/{username}',
      answer: (_: Exchange, name: string) => this.#userNamed(name),
    },
    {
      method: 'POST',
      path: '/2/compliance/jobs',
      answer: ({ body }: Exchange) => this.#createJob(body as { type: string }),
    },
    { method: 'GET', path: '/2/compliance/jobs/{id}', answer: (_: Exchange, id: string) => this.#job(id) },
  ].map((route) => ({ ...route, pattern: new RegExp(`^${route.path.replaceAll(/\{\w+\}/g, '([^/]+)')}$`) }));

  #ruleList(): object {
    return {
      ...(this.rules.length > 0 ? { data: this.rules } : {}),
      meta: { sent: new Date(this.#clock.now()).toISOString() },
    };
  }

  #changeRules({ body, query }: Exchange): object {
    const sent = new Date(this.#clock.now()).toISOString();
    const { add = [], delete: removed } = body as { add?: Omit<StandInRule, 'id'>[]; delete?: { ids: string[] } };
    if (removed !== undefined) {
      const before = this.rules.length;
      this.rules = this.rules.filter(({ id }) => !removed.ids.includes(id));
      const deleted = before - this.rules.length;
      return { meta: { sent, summary: { deleted, not_deleted: removed.ids.length - deleted } } };
    }
    const invalid = add.filter(({ value }) => /^\(|\)$/.test(value) || value.length > 1024);
    const created = add
      .filter((rule) => !invalid.includes(rule))
      .map((rule) => ({ ...rule, id: String(this.#nextId++) }));
    if (query.get('dry_run') !== 'true') this.rules.push(...created);
    const errors = invalid.map(({ value }) =>
      problem('invalid-rules', { title: 'Invalid Rule', detail: `cannot parse ${value}` }),
    );
    const summary = {
      created: created.length,
      not_created: invalid.length,
      valid: created.length,
      invalid: invalid.length,
    };
    return {
      ...(created.length > 0 ? { data: created } : {}),
      ...(errors.length > 0 ? { errors } : {}),
      meta: { sent, summary },
    };
  }

  #page(query: URLSearchParams, isWanted: (post: StandInPost) => boolean): object {
    const since = BigInt(query.get('since_id') ?? 0);
    const token = query.get('pagination_token') ?? query.get('until_id');
    const before = BigInt(token === null ? 2n ** 63n : token.replace(/^x+/, ''));
    const size = Number(query.get('max_results'));
    const all = this.posts
      .filter(
        (post) => isWanted(post) && !this.hidden.has(post.id) && BigInt(post.id) > since && BigInt(post.id) < before,
      )
      .toSorted((a, b) => (BigInt(a.id) < BigInt(b.id) ? 1 : -1));
    // Recent search ends 30 s ago.
    const indexed = query.has('query')
      ? all.filter(({ created_at }) => Date.parse(created_at) <= this.#clock.now() - 30_000)
      : all;
    const data = indexed.slice(0, size);
    this.billed += data.length;
    const last = data.at(-1);
    const next = last !== undefined && indexed.length > size ? { next_token: last.id.padStart(36, 'x') } : {};
    if (last === undefined) return { meta: { result_count: 0 } };
    return {
      data,
      includes: this.#includes(data),
      meta: { result_count: data.length, newest_id: data[0]!.id, oldest_id: last.id, ...next },
    };
  }

  #includes(posts: readonly StandInPost[]): object {
    const referenced = posts.flatMap(({ referenced_tweets }) =>
      ((referenced_tweets ?? []) as { id: string }[]).flatMap(
        ({ id }) => this.posts.find((post) => post.id === id) ?? [],
      ),
    );
    const authors = new Set([...posts, ...referenced].map(({ author_id }) => author_id));
    const users = [...authors].flatMap((id) => this.users.get(id) ?? []);
    return { users, ...(referenced.length > 0 ? { tweets: referenced } : {}) };
  }

  #lookup(query: URLSearchParams): object {
    const ids = (query.get('ids') ?? '').split(',');
    const data = ids.flatMap((id) => this.posts.filter((post) => post.id === id && !this.hidden.has(id)));
    this.billed += data.length;
    const known = new Set(this.posts.map(({ id }) => id));
    const errors = ids.flatMap((id) => this.hidden.get(id) ?? (known.has(id) ? [] : [notFound(id)]));
    return { ...(data.length > 0 ? { data } : {}), ...(errors.length > 0 ? { errors } : {}) };
  }

  #userNamed(name: string): object {
    const user = [...this.users.values()].find(({ username }) => String(username).toLowerCase() === name.toLowerCase());
    return user === undefined ? { errors: [notFound(name, 'user', 'username')] } : { data: user };
  }

  #createJob({ type }: { type: string }): object {
    const id = String(this.#nextId++);
    this.#jobs.set(id, { type, polls: 0 });
    return { data: this.#jobData(id) };
  }

  #job(id: string): object {
    this.#jobs.get(id)!.polls++;
    return { data: this.#jobData(id) };
  }

  #jobData(id: string): object {
    const { type, polls } = this.#jobs.get(id)!;
    const at = new Date(this.#clock.now()).toISOString();
    const storage = this.storage ?? `${this.url}/storage`;
    return {
      ...{ id, type, created_at: at, upload_expires_at: at, download_expires_at: at },
      ...{
        upload_url: `${storage}/${id}/ids?signature=s3cret`,
        download_url: `${storage}/${id}/results?signature=s3cret`,
      },
      status: polls === 0 ? 'created' : polls === 1 ? 'in_progress' : 'complete',
    };
  }

  #store(request: IncomingMessage, url: URL, text: string, response: ServerResponse): void {
    if (request.headers.authorization !== undefined) this.violations.push('the token went to the storage');
    const id = url.pathname.split('/')[2] ?? '';
    if (request.method === 'PUT') this.uploads.push(text.trim().split('\n'));
    response.end(request.method === 'GET' ? (this.results.get(this.#jobs.get(id)?.type ?? '') ?? []).join('\n') : '');
  }

  /** An answer with the names of the chosen document. */
  #named(answer: unknown): unknown {
    if (!this.usesPostNames) return answer;
    const text = JSON.stringify(answer)
      .replaceAll('"referenced_tweets"', '"referenced_posts"')
      .replaceAll('"includes":{"users"', '"includes":{"users"')
      .replaceAll('"tweets":[', '"posts":[')
      .replaceAll('"retweet_count"', '"repost_count"')
      .replaceAll('"type":"retweeted"', '"type":"reposted"')
      .replaceAll('"tweet_count"', '"post_count"');
    return JSON.parse(text) as unknown;
  }
}

/** Whether a post matches a query: accounts, or a word. */
function matches({ author_id, text }: StandInPost, query: string): boolean {
  return query
    .split(' OR ')
    .some((part) => (part.startsWith('from:') ? part === `from:${author_id}` : text.includes(part)));
}
