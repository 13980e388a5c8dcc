/** The client: the interface of openapi-fetch, and one method for each operation of the contract. */
import { table, type Methods } from '../../generated/client.ts';
import type { AnswerStream } from './ask.ts';
import { assistantOf, type AssistantMethods } from './assistant.ts';
import { callOf, listOf, type CallOf, type Send } from './call.ts';
import type { Completed } from './exchange.ts';
import type { AnyPage } from './paging.ts';
import type { Item, Operation, OperationId, OperationRow, Parameters } from './contract.ts';
import { checkNumber, defined } from './defined.ts';
import { DecodeError } from './errors.ts';
import type { EventOf, EventOptions, EventStream, OpenStream, Selection, Subscription } from './events.ts';
import type { FetchClient } from './fetch-client.ts';
import { methodNameOf } from './method-name.ts';
import { lazyIterator, onDemand } from './on-demand.ts';
import { settingsOf, type CallOptions, type ListOptions, type Middleware, type TransportOptions } from './options.ts';
import { Transport } from './transport.ts';

/** The options of a client. */
export interface ClientOptions extends TransportOptions {
  /**
   * Identical concurrent reads without call options share one request. They also share the response object: do not
   * modify it.
   */
  readonly coalesce?: boolean | undefined;
}

type OptionsOf<Id extends OperationId> = [Item<Id>] extends [never] ? CallOptions : ListOptions;

/** The method of an operation. */
export type Method<Id extends OperationId> =
  Record<never, never> extends Parameters<Id>
    ? (parameters?: Parameters<Id>, options?: OptionsOf<Id>) => CallOf<Id>
    : (parameters: Parameters<Id>, options?: OptionsOf<Id>) => CallOf<Id>;

type Surface = Methods<{ [Id in OperationId]: Method<Id> }>;

/**
 * `client.GET("/social/…")` and the other verbs are those of openapi-fetch, with the key, timeouts and retries of this
 * client; they return `{ data, error, response }`. The methods return the data and throw typed errors.
 */
export type SocialDataClient = FetchClient &
  Omit<Surface, 'assistant'> & { assistant: Surface['assistant'] & AssistantMethods } & EventMethods & {
    /** A client with these options in place of those of this client. It has connections of its own. */
    withOptions(options: ClientOptions): SocialDataClient;
  };

interface EventMethods {
  /**
   * Subscribes to new events, or to the events after a `cursor`. The stream reconnects automatically and resumes at its
   * position: it loses no event and delivers none twice. A bounded buffer holds the events that the loop has not read;
   * all later events stay on the server. The streams of a client share one connection, up to the 100 subscriptions that the
   * service permits on one.
   *
   * Throws StreamError when the stream cannot continue (invalid key, invalid query, events that the service no longer
   * retains), and ConnectionError when the service stays unreachable.
   *
   * @example
   * ```ts
   * for await (const { event, data, cursor } of client.events({ search: 'coffee lang:en' })) {
   *   if (event === 'tweet.created') console.log(data.text);
   *   await checkpoint(cursor); // client.events({ … }, { cursor }) resumes after it
   * }
   * ```
   */
  events<Selected extends Selection>(selection: Selected, options?: EventOptions): EventStream<EventOf<Selected>>;
}

/** A page of any list; the member `items` of the operation holds the items. */
type Page = AnyPage & Readonly<Record<string, readonly unknown[] | undefined>>;
type AnyMethod = (parameters?: Record<string, unknown>, options?: ListOptions) => unknown;

const following = onDemand(() => import('./follow.ts'));
const events = onDemand(() => import('./events.ts'));
const asking = onDemand(() => import('./ask.ts'));
const operations: Readonly<Record<string, OperationRow>> = table;
const verbs = ['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE'];

const createSend =
  (transport: Transport): Send =>
  async (path, operation, parameters, options = {}) => {
    const { response, data, failure, failed } = await transport.send({ path, operation, parameters, options });
    if (failure) throw failure;
    const fault = shapeFault(operation, data) ?? transport.settings.validate?.(path, operation.method, data);
    if (fault !== undefined) throw new DecodeError(`the response has an unexpected shape: ${fault}`, failed);
    return { data: data as never, response, failed };
  };

/** What is wrong with a body: a proxy or another service may answer with JSON of its own. Undefined for a plausible body. */
function shapeFault({ items, has = items }: Operation, body: unknown): string | undefined {
  const members = Object(body) as Readonly<Record<string, unknown>>;
  const value = members[has ?? ''];
  const isPlausible = items ? Array.isArray(value) : has ? value !== undefined : members === body;
  return isPlausible ? undefined : `'${has ?? 'the body'}' is missing or invalid`;
}

/** Opens the stream of a subscription or selection. */
type OpenEvents = (to: Selection | Subscription, options: EventOptions) => OpenStream;

/** The client while it is built. */
interface Building {
  readonly send: Send;
  /** Opens a stream at its first use. */
  readonly stream: (open: (open: OpenEvents) => OpenStream | Promise<OpenStream>) => EventStream<unknown>;
}

/** The method of an operation: it returns a call, or a list for an operation with pages. */
function methodOf({ send, stream }: Building, path: string, operation: Operation): AnyMethod {
  const { items, pageSize = 100 } = operation;
  return (parameters = {}, options) => {
    if (items === undefined) {
      const started = send<unknown>(path, operation, parameters, options);
      return callOf(() => started);
    }
    const { limit = Infinity, signal } = options ?? {};
    checkNumber('limit', limit);
    const sized =
      limit > 0 && limit < Infinity && parameters['limit'] === undefined
        ? { ...parameters, limit: Math.min(Math.ceil(limit), pageSize) }
        : parameters;
    const itemsOf = (page: Page): readonly unknown[] => page[items] ?? [];
    const list = listOf({
      fetchPage: (cursor): Promise<Completed<Page>> =>
        send(path, operation, cursor === undefined ? sized : { ...sized, cursor }, options),
      itemsOf,
      limit,
      signal,
    });
    const { follow: channel } = operation;
    if (channel === undefined) return list;
    const follow = (eventOptions?: EventOptions): EventStream<unknown> =>
      stream(async (open) =>
        (await following()).openFollowed(open, { list, itemsOf, channel, parameters }, { signal, ...eventOptions }),
      );
    return Object.assign(list, { follow });
  };
}

/**
 * A client of the service. It holds no connection and no timer while no event stream is open, so it needs no close method.
 * Throws a UsageError for options that are missing or make no sense.
 */
export function createClient(options: ClientOptions = {}): SocialDataClient {
  const transport = new Transport(settingsOf(options));
  const sendOne = createSend(transport);
  /** The connections of this client for event streams and questions. */
  const connections = onDemand(async () => new (await events()).Hub(transport));
  const coalescing = onDemand(async () => (await import('./coalesce.ts')).coalesceReads(sendOne));
  const coalesced: Send = async (...call) => (await coalescing())(...call);
  const building: Building = {
    send: options.coalesce ? coalesced : sendOne,
    stream(open) {
      const start = async (): Promise<OpenStream> => {
        const [hub, { openStream }] = await Promise.all([connections(), events()]);
        return open((to, eventOptions) => openStream(hub, to, eventOptions));
      };
      return lazyIterator(start, 'close', 'ready') as unknown as EventStream<unknown>;
    },
  };
  const request = async (verb: string, path: string, init?: object): Promise<object> =>
    (await transport.fetchClient()).sendVerb(transport, operations, verb, path, init);
  const client: Record<string, unknown> = {
    request,
    use: (...added: Middleware[]) => void (transport.middleware = [...transport.middleware, ...added]),
    eject: (...removed: Middleware[]) =>
      void (transport.middleware = transport.middleware.filter((each) => !removed.includes(each))),
    events: (selection: Selection, eventOptions: EventOptions = {}) =>
      building.stream((open) => open(selection, eventOptions)),
    withOptions: (changed: ClientOptions) => createClient({ ...options, ...defined(changed) }),
  };
  for (const verb of verbs) client[verb] = (path: string, init?: object) => request(verb, path, init);
  for (const [key, row] of Object.entries(operations)) {
    const [method = '', path = ''] = key.split(' ');
    const [group, name] = methodNameOf(path, row.name);
    const methods = (client[group] ??= {}) as Record<string, AnyMethod>;
    methods[name] = methodOf(building, path, { ...row, method });
  }
  const socialDataClient = client as unknown as SocialDataClient;
  const stream: AssistantMethods['stream'] = (parameters, askOptions = {}) => {
    // The question is sent at once.
    const opened = connections().then(async (hub) => (await asking()).openQuestion(hub, parameters, askOptions));
    opened.catch(() => {});
    return lazyIterator(() => opened, 'cancel', 'answer') as unknown as AnswerStream;
  };
  Object.assign(socialDataClient.assistant, assistantOf(socialDataClient.tweet.assistant, stream));
  return socialDataClient;
}
