/** An AppView over a world: the queries that the source sends, answered in the shapes of the lexicons. */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hasLexicons, outputFaults } from './lexicons.ts';
import type { Account, Json, World, WorldRecord } from './world.ts';

/** What replaces the next answer. `hang`: no answer. */
export interface Fault {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
  readonly hang?: boolean;
}

class Declined extends Error {}

export class AppViewServer {
  readonly #world: World;
  readonly #server: Server;
  /** The requests so far: the method and the values of its list parameter. */
  readonly requests: { readonly method: string; readonly parameters: URLSearchParams }[] = [];
  /** What the answers of the stand-in violate of the lexicons; must be empty at the end of a test. */
  readonly faults: string[] = [];
  /** The next answers are these, in order. */
  readonly next: Fault[] = [];
  /** Headers of each answer. */
  headers: Record<string, string> = {};
  /** Answers only when this resolves. */
  gate: Promise<void> | undefined;
  /** The posts that this AppView does not know (yet). */
  readonly unindexed = new Set<string>();

  private constructor(world: World, server: Server) {
    this.#world = world;
    this.#server = server;
    server.on('request', (request, response) => void this.#handle(request, response));
  }

  static async start(world: World): Promise<AppViewServer> {
    const server = createServer();
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new AppViewServer(world, server);
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** The number of requests of a method. */
  count(method: string): number {
    return this.requests.filter((request) => request.method.endsWith(method)).length;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', this.url);
    const method = url.pathname.replace('/xrpc/', '');
    this.requests.push({ method, parameters: url.searchParams });
    const fault = this.next.shift();
    await this.gate;
    if (fault?.hang === true) return;
    if (fault !== undefined) {
      response.writeHead(fault.status, fault.headers ?? {}).end(fault.body ?? '{}');
      return;
    }
    try {
      const answer = this.#answer(method, url.searchParams);
      if (hasLexicons) this.faults.push(...outputFaults(method, answer));
      response.writeHead(200, { 'content-type': 'application/json', ...this.headers }).end(JSON.stringify(answer));
    } catch (error) {
      if (!(error instanceof Declined)) throw error;
      const body = { error: 'InvalidRequest', message: error.message };
      response.writeHead(400, { 'content-type': 'application/json', ...this.headers }).end(JSON.stringify(body));
    }
  }

  #answer(method: string, parameters: URLSearchParams): Json {
    const many = (name: string): string[] => {
      const values = parameters.getAll(name);
      if (values.length > 25) throw new Declined(`${name} must not have more than 25 elements`);
      return values;
    };
    switch (method) {
      case 'app.bsky.actor.getProfiles':
        return { profiles: many('actors').flatMap((actor) => this.#profile(actor)) };
      case 'app.bsky.feed.getPosts':
        return { posts: many('uris').flatMap((uri) => this.#post(uri)) };
      case 'app.bsky.feed.getAuthorFeed':
        return this.#authorFeed(parameters);
      case 'app.bsky.feed.getPostThread':
        return this.#thread(parameters);
      case 'app.bsky.feed.getRepostedBy':
        return this.#repostedBy(parameters);
      case 'app.bsky.graph.getFollows':
        return this.#follows(parameters);
      case 'app.bsky.graph.getList':
        return this.#list(parameters);
      case 'com.atproto.identity.resolveHandle':
        return { did: this.#find(parameters.get('handle') ?? '').did };
      case 'com.atproto.repo.getRecord':
        return this.#record(parameters);
      default:
        throw new Declined('Method Not Implemented');
    }
  }

  #find(actor: string): Account {
    const account = [...this.#world.accounts.values()].find(({ did, handle }) => did === actor || handle === actor);
    if (account === undefined || !account.active) throw new Declined('Profile not found');
    return account;
  }

  #profile(actor: string): Json[] {
    if (!actor.startsWith('did:') && !actor.includes('.')) throw new Declined('actor must be a valid did or a handle');
    const accounts = [...this.#world.accounts.values()];
    const account = this.#world.accounts.get(actor) ?? accounts.find(({ handle }) => handle === actor);
    if (account === undefined || !account.active) return [];
    const records = [...account.records.values()];
    const number = (collection: string): number => records.filter((each) => each.collection === collection).length;
    const { description, pinnedPost } = this.#profileRecord(account);
    return [
      {
        ...this.#basic(account),
        ...(description === undefined ? {} : { description }),
        ...(pinnedPost === undefined ? {} : { pinnedPost }),
        followersCount: this.#followers(account.did),
        followsCount: number('app.bsky.graph.follow'),
        postsCount: number('app.bsky.feed.post'),
        indexedAt: account.createdAt,
      },
    ];
  }

  #profileRecord({ did, records }: Account): Json {
    return records.get(`at://${did}/app.bsky.actor.profile/self`)?.value ?? {};
  }

  #followers(did: string): number {
    return [...this.#world.accounts.values()].filter(({ records }) =>
      [...records.values()].some(
        ({ collection, value }) => collection === 'app.bsky.graph.follow' && value.subject === did,
      ),
    ).length;
  }

  #basic(account: Account): Json {
    const { did, handle, createdAt, labels } = account;
    const { displayName, labels: own } = this.#profileRecord(account);
    const self = ((own as Json | undefined)?.values ?? []) as { val: string }[];
    return {
      did,
      handle,
      ...(displayName === undefined ? {} : { displayName }),
      createdAt,
      labels: [...labels, ...self.map(({ val }) => val)].map((val) => label(did, val, did)),
    };
  }

  #post(uri: string): Json[] {
    if (!uri.startsWith('at://did:')) throw new Declined('uris must be valid at-uris');
    const record = this.unindexed.has(uri) ? undefined : this.#world.find(uri);
    if (record === undefined) return [];
    const embed = this.#embed(record);
    return [
      {
        uri,
        cid: record.cid,
        author: this.#basic(this.#world.get(record.did)),
        record: record.value,
        ...(embed === undefined ? {} : { embed }),
        ...this.#counts(uri),
        indexedAt: record.indexedAt,
        labels: (this.#world.labels.get(uri) ?? []).map((val) => label(uri, val, 'did:plc:moderation')),
      },
    ];
  }

  #counts(uri: string): Json {
    const refers = (of: (value: Json) => unknown): number =>
      [...this.#world.accounts.values()].reduce(
        (sum, { records }) => sum + [...records.values()].filter(({ value }) => of(value) === uri).length,
        0,
      );
    return {
      replyCount: refers(({ reply }) => ((reply as Json | undefined)?.parent as Json | undefined)?.uri),
      repostCount: refers(({ $type, subject }) =>
        $type === 'app.bsky.feed.repost' ? (subject as Json).uri : undefined,
      ),
      likeCount: this.#world.likes.get(uri) ?? 0,
      quoteCount: refers(({ embed }) => ((embed as Json | undefined)?.record as Json | undefined)?.uri),
    };
  }

  /** The view of a quoted post. */
  #embed({ uri, value }: WorldRecord): Json | undefined {
    const embed = value.embed as Json | undefined;
    if (embed?.$type !== 'app.bsky.embed.record') return undefined;
    const quotedUri = String((embed.record as Json).uri);
    const view = (type: string, rest: Json): Json => ({
      $type: 'app.bsky.embed.record#view',
      record: { $type: `app.bsky.embed.record#${type}`, uri: quotedUri, ...rest },
    });
    if (this.#world.detached.has(uri)) return view('viewDetached', { detached: true });
    const quoted = this.#world.find(quotedUri);
    if (quoted === undefined) return view('viewNotFound', { notFound: true });
    const { cid, did, value: record, indexedAt } = quoted;
    return view('viewRecord', {
      cid,
      author: this.#basic(this.#world.get(did)),
      value: record,
      indexedAt,
      ...this.#counts(quotedUri),
      bookmarkCount: undefined,
    });
  }

  #authorFeed(parameters: URLSearchParams): Json {
    const account = this.#find(parameters.get('actor') ?? '');
    const own = [...account.records.values()]
      .filter(({ collection }) => collection === 'app.bsky.feed.post' || collection === 'app.bsky.feed.repost')
      .toReversed();
    const { items, cursor } = page(own, parameters);
    return { feed: items.flatMap((record) => this.#feedItem(account, record)), ...cursor };
  }

  #feedItem(account: Account, record: WorldRecord): Json[] {
    if (record.collection === 'app.bsky.feed.post') {
      return this.#post(record.uri).map((post) => ({ post, ...this.#reply(record) }));
    }
    const { uri, cid, indexedAt } = record;
    const by = this.#basic(account);
    const reason = { $type: 'app.bsky.feed.defs#reasonRepost', by, uri, cid, indexedAt };
    return this.#post(String((record.value.subject as Json).uri)).map((post) => ({ post, reason }));
  }

  #reply({ value }: WorldRecord): Json {
    const reply = value.reply as { parent: { uri: string }; root: { uri: string } } | undefined;
    if (reply === undefined) return {};
    const view = (uri: string): Json => {
      const [post] = this.#post(uri);
      return post === undefined
        ? { $type: 'app.bsky.feed.defs#notFoundPost', uri, notFound: true }
        : { $type: 'app.bsky.feed.defs#postView', ...post };
    };
    return { reply: { root: view(reply.root.uri), parent: view(reply.parent.uri) } };
  }

  #thread(parameters: URLSearchParams): Json {
    const uri = parameters.get('uri') ?? '';
    const viewOf = (of: string, more: Json = {}): Json => {
      const [post] = this.#post(of);
      return post === undefined
        ? { $type: 'app.bsky.feed.defs#notFoundPost', uri: of, notFound: true }
        : { $type: 'app.bsky.feed.defs#threadViewPost', post, ...more };
    };
    const record = this.#world.find(uri);
    if (record === undefined) throw new Declined(`Post not found: ${uri}`);
    const parent = (record.value.reply as { parent: { uri: string } } | undefined)?.parent.uri;
    const isReply = ({ value }: WorldRecord): boolean =>
      (value.reply as { parent: { uri: string } } | undefined)?.parent.uri === uri;
    const replies = parameters.get('depth') === '0' ? [] : this.#world.posts.filter(isReply);
    const hasParent = parent !== undefined && parameters.get('parentHeight') !== '0';
    return {
      thread: viewOf(uri, {
        ...(hasParent ? { parent: viewOf(parent) } : {}),
        replies: replies.map((reply) => viewOf(reply.uri)),
      }),
    };
  }

  #repostedBy(parameters: URLSearchParams): Json {
    const uri = parameters.get('uri') ?? '';
    const reposts = [...this.#world.accounts.values()]
      .flatMap(({ records }) => [...records.values()])
      .filter(
        ({ collection, value }) =>
          collection === 'app.bsky.feed.repost' && (value.subject as { uri: string }).uri === uri,
      )
      .toSorted((a, b) => b.indexedAt.localeCompare(a.indexedAt));
    const { items, cursor } = page(reposts, parameters);
    return { uri, repostedBy: items.map(({ did }) => this.#basic(this.#world.get(did))), ...cursor };
  }

  #follows(parameters: URLSearchParams): Json {
    const account = this.#find(parameters.get('actor') ?? '');
    const follows = [...account.records.values()].filter(({ collection }) => collection === 'app.bsky.graph.follow');
    const { items, cursor } = page(follows.toReversed(), parameters);
    const views = items.flatMap(({ value }) => {
      const other = this.#world.accounts.get(String(value.subject));
      return other?.active === true ? [this.#basic(other)] : [];
    });
    return { subject: this.#basic(account), follows: views, ...cursor };
  }

  #list(parameters: URLSearchParams): Json {
    const uri = parameters.get('list') ?? '';
    const list = this.#world.find(uri);
    if (list === undefined) throw new Declined('List not found');
    const owner = this.#world.get(list.did);
    const members = [...owner.records.values()].filter(
      ({ collection, value }) => collection === 'app.bsky.graph.listitem' && value.list === uri,
    );
    const { items, cursor } = page(members, parameters);
    const { cid, value, indexedAt } = list;
    const creator = this.#basic(owner);
    return {
      list: { uri, cid, creator, name: value.name, purpose: 'app.bsky.graph.defs#curatelist', indexedAt },
      items: items.map((item) => ({
        uri: item.uri,
        subject: this.#basic(this.#world.get(String(item.value.subject))),
      })),
      ...cursor,
    };
  }

  #record(parameters: URLSearchParams): Json {
    const [repo, collection, rkey] = ['repo', 'collection', 'rkey'].map((name) => parameters.get(name) ?? '');
    const record = this.#world.find(`at://${repo}/${collection}/${rkey}`);
    if (record === undefined) throw new Declined(`Could not locate record: at://${repo}/${collection}/${rkey}`);
    return { uri: record.uri, cid: record.cid, value: record.value };
  }
}

const label = (uri: string, val: string, src: string): Json => ({ src, uri, val, cts: '2026-01-01T00:00:00.000Z' });

function page<Item>(all: Item[], parameters: URLSearchParams): { items: Item[]; cursor: { cursor?: string } } {
  const limit = Number(parameters.get('limit') ?? '50');
  if (limit > 100) throw new Declined('limit can not be greater than 100');
  const from = Number(parameters.get('cursor') ?? '0');
  const isLast = from + limit >= all.length;
  return { items: all.slice(from, from + limit), cursor: isLast ? {} : { cursor: String(from + limit) } };
}
