/**
 * A network of the AT Protocol on this machine: a real directory (PLC) and a real server of accounts (PDS). What its firehose
 * says goes to a Jetstream server and an AppView of the test support.
 */
import type { Json } from '../support/bluesky/world.ts';
import { World } from '../support/bluesky/world.ts';

interface NetworkModule {
  readonly TestNetworkNoAppView: {
    create(options: object): Promise<{
      readonly pds: { readonly url: string; adminAuthHeaders(): { readonly authorization: string } };
      readonly plc: { readonly url: string };
      close(): Promise<void>;
    }>;
  };
}

/** An event of the firehose, as @atproto/sync reads it. */
interface FirehoseEvent {
  readonly event: 'create' | 'update' | 'delete' | 'identity' | 'account' | 'sync';
  readonly did: string;
  readonly rev: string;
  readonly collection: string;
  readonly rkey: string;
  readonly cid: { toString(): string };
  readonly record: object;
  readonly didDocument?: { readonly alsoKnownAs?: readonly string[] };
  readonly active: boolean;
  readonly status?: string;
}

interface Firehose {
  start(): Promise<void>;
  destroy(): Promise<void>;
}
interface SyncModule {
  readonly Firehose: new (options: object) => Firehose;
}
interface LexModule {
  lexToJson(value: object): Json;
}

// The packages of this folder are not those of the repository, so that the type check does not need them.
const importFrom = async <Module>(name: string): Promise<Module> => (await import(name)) as Module;

/** An account with a session. */
export interface Member {
  readonly did: string;
  readonly token: string;
}

/** A record and its version. */
export interface Reference {
  readonly uri: string;
  readonly cid: string;
}

export class PdsNetwork {
  /** What the firehose said so far, in the form that the stand-ins read. */
  readonly world = new World(() => Date.now());
  readonly #network: Awaited<ReturnType<NetworkModule['TestNetworkNoAppView']['create']>>;
  readonly #firehose: Firehose;
  readonly #toJson: LexModule['lexToJson'];
  #time = 0;

  private constructor(
    network: Awaited<ReturnType<NetworkModule['TestNetworkNoAppView']['create']>>,
    { Firehose }: SyncModule,
    { lexToJson }: LexModule,
  ) {
    this.#network = network;
    this.#toJson = lexToJson;
    // The resolver of the library refuses a directory at http:.
    const did = {
      resolve: async (name: string): Promise<unknown> => (await fetch(`${network.plc.url}/${name}`)).json(),
    };
    this.#firehose = new Firehose({
      service: network.pds.url.replace('http', 'ws'),
      unauthenticatedCommits: true,
      unauthenticatedHandles: true,
      getCursor: () => 0,
      idResolver: { did },
      handleEvent: (event: FirehoseEvent) => this.#receive(event),
      onError: (error: Error) => console.error(error),
    });
    void this.#firehose.start();
  }

  static async start(): Promise<PdsNetwork> {
    const { TestNetworkNoAppView } = await importFrom<NetworkModule>('@atproto/dev-env');
    const [sync, lex] = await Promise.all([
      importFrom<SyncModule>('@atproto/sync'),
      importFrom<LexModule>('@atproto/lex-json'),
    ]);
    return new PdsNetwork(await TestNetworkNoAppView.create({ pds: { hostname: 'localhost' } }), sync, lex);
  }

  async close(): Promise<void> {
    await this.#firehose.destroy();
    await this.#network.close();
  }

  async account(handle: string): Promise<Member> {
    const input = { handle, email: `${handle}@mail.test`, password: 'a-long-password' };
    const { did, accessJwt } = await this.#call<{ did: string; accessJwt: string }>('server.createAccount', input);
    return { did, token: accessJwt };
  }

  /** Creates a record. */
  create({ did, token }: Member, collection: string, record: object): Promise<Reference> {
    const createdAt = new Date().toISOString();
    const input = { repo: did, collection, record: { $type: collection, createdAt, ...record } };
    return this.#call('repo.createRecord', input, token);
  }

  /** Creates or replaces the record with a key. */
  put({ did, token }: Member, collection: string, rkey: string, record: object): Promise<Reference> {
    return this.#call(
      'repo.putRecord',
      { repo: did, collection, rkey, record: { $type: collection, ...record } },
      token,
    );
  }

  async delete({ did, token }: Member, { uri }: Reference): Promise<void> {
    const [, , , collection, rkey] = uri.split('/');
    await this.#call('repo.deleteRecord', { repo: did, collection, rkey }, token);
  }

  async rename({ token }: Member, handle: string): Promise<void> {
    await this.#call('identity.updateHandle', { handle }, token);
  }

  async setActive({ token }: Member, isActive: boolean): Promise<void> {
    if (isActive) await this.#call('server.activateAccount', undefined, token);
    else await this.#call('server.deactivateAccount', {}, token);
  }

  /** Deletes an account for ever, as the operator of its server. */
  async deleteAccount({ did }: Member): Promise<void> {
    const { authorization } = this.#network.pds.adminAuthHeaders();
    await this.#send('admin.deleteAccount', { did }, authorization);
  }

  #call<Output>(method: string, input: object | undefined, token?: string): Promise<Output> {
    return this.#send(method, input, token === undefined ? undefined : `Bearer ${token}`);
  }

  async #send<Output>(method: string, input: object | undefined, authorization?: string): Promise<Output> {
    const response = await fetch(`${this.#network.pds.url}/xrpc/com.atproto.${method}`, {
      method: 'POST',
      headers: {
        ...(input === undefined ? {} : { 'content-type': 'application/json' }),
        ...(authorization === undefined ? {} : { authorization }),
      },
      ...(input === undefined ? {} : { body: JSON.stringify(input) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method}: ${response.status} ${text}`);
    return (text === '' ? {} : JSON.parse(text)) as Output;
  }

  /** Makes an event of Jetstream of one of the firehose, and the same change of the world. */
  #receive(event: FirehoseEvent): void {
    const { did } = event;
    const now = new Date().toISOString();
    this.#time = Math.max(this.#time + 1, Date.now() * 1000);
    const account = this.world.accounts.get(did) ?? {
      ...{ did, handle: 'handle.invalid', active: true, createdAt: now },
      records: new Map(),
      labels: [],
    };
    this.world.accounts.set(did, account);
    switch (event.event) {
      case 'sync':
        return;
      case 'identity':
        account.handle = event.didDocument?.alsoKnownAs?.[0]?.replace('at://', '') ?? 'handle.invalid';
        return this.#publish(did, { kind: 'identity', identity: { did, handle: account.handle, time: now } });
      case 'account': {
        account.active = event.active;
        const { active, status } = event;
        return this.#publish(did, { kind: 'account', account: { did, active, status, time: now } });
      }
      default: {
        const { event: operation, collection, rkey, rev } = event;
        const uri = `at://${did}/${collection}/${rkey}`;
        if (operation === 'delete') account.records.delete(uri);
        const commit: Json = { rev, operation, collection, rkey };
        if (operation !== 'delete') {
          const value = this.#toJson(event.record);
          const cid = event.cid.toString();
          account.records.set(uri, { uri, cid, did, collection, rkey, value, indexedAt: now });
          Object.assign(commit, { record: value, cid });
        }
        this.#publish(did, { kind: 'commit', commit });
      }
    }
  }

  #publish(did: string, rest: Json): void {
    this.world.events.push({ did, time_us: this.#time, ...rest });
    this.world.onEvent();
  }
}
