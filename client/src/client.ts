/** The client: the interface of openapi-fetch, and one method for each operation of the contract. */
import { table, type Methods } from '../../generated/client.ts';
import type { AnswerStream, AskOptions } from './ask.ts';
import { assistantOf, type AssistantMethods } from './assistant.ts';
import { callOf, listOf, type AnyPage, type CallOf, type Completed } from './call.ts';
import type { Item, Operation, OperationId, OperationRow, Parameters } from './contract.ts';
import { checkNumber, defined } from './defined.ts';
import { errorOf } from './error-of.ts';
import { DecodeError } from './errors.ts';
import type {
  EventOf,
  EventOptions,
  EventStream,
  FirstPage,
  openStream,
  OpenStream,
  Selection,
  Subscription,
} from './events.ts';
import type { FetchClient } from './fetch-client.ts';
import type { Hub } from './link.ts';
import { methodNameOf } from './method-name.ts';
import { settingsOf, type CallOptions, type Middleware, type TransportOptions } from './options.ts';
import { Transport } from './transport.ts';

export interface ClientOptions extends TransportOptions {
  /**
   * Identical concurrent reads without call options share one request. They also share the response object: do not
   * modify it.
   */
  readonly coalesce?: boolean | undefined;
}

export interface ListOptions extends CallOptions {
  /**
   * The maximum number of items of one iteration. The parameter `limit` is the page size instead; without it, pages are as large
   * as this limit needs.
   */
  readonly limit?: number | undefined;
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

const operations: Readonly<Record<string, OperationRow>> = table;
const verbs = ['GET', 'PUT', 'POST', 'DELETE', 'OPTIONS', 'HEAD', 'PATCH', 'TRACE'];

/** Sends a call of the contract. Rejects with the typed error of an error response. */
type Send = <Data>(
  path: string,
  operation: Operation,
  parameters: Record<string, unknown>,
  options: ListOptions | undefined,
) => Promise<Completed<Data>>;

const createSend =
  (transport: Transport): Send =>
  async (path, operation, parameters, { limit: _, ...options } = {}) => {
    const { response, isOk, data, text, failed, hide } = await transport.send({ path, operation, parameters, options });
    if (!isOk) throw errorOf(response, text, failed, hide);
    const fault = shapeFault(operation, data) ?? transport.settings.validate?.(path, operation.method, data);
    if (fault !== undefined) throw new DecodeError(`the response has an unexpected shape: ${fault}`, failed);
    return { data: data as never, response, failed };
  };

/** What is wrong with a body: a proxy or another service may answer with JSON of its own. Undefined for a plausible body. */
function shapeFault({ items, has = items ?? '' }: Operation, body: unknown): string | undefined {
  if (typeof body !== 'object' || body === null) return 'it is no object';
  if (has === '') return undefined;
  const value: unknown = Object.entries(body).find(([name]) => name === has)?.[1];
  if (value === undefined) return `'${has}' is missing`;
  return items === undefined || Array.isArray(value) ? undefined : `'${has}' is no array`;
}

/** Lets identical concurrent reads without call options share one request. */
function coalesceReads(send: Send): Send {
  const pending = new Map<string, Promise<Completed<never>>>();
  return (path, operation, parameters, options) => {
    if (options !== undefined || operation.repeat !== 'safe') return send(path, operation, parameters, options);
    const key = operation.method + path + JSON.stringify(Object.entries(parameters).sort());
    const read =
      pending.get(key) ?? send<never>(path, operation, parameters, options).finally(() => pending.delete(key));
    pending.set(key, read);
    return read;
  };
}

/** Sends a call by verb and path, with the parameters of openapi-fetch. */
async function request(transport: Transport, verb: string, path: string, given: object = {}): Promise<object> {
  const method = verb.toLowerCase();
  const row = operations[`${method} ${path}`] ?? ({ repeat: 'refused' } as const);
  const operation = { ...row, method };
  const { signal, timeoutMs, retry, headers, fetchOptions, ...init }: CallOptions & Record<string, unknown> = {
    ...given,
  };
  const options = { signal, timeoutMs, retry, headers, fetchOptions };
  const { data, error, response } = await transport.send({ path, operation, options, init });
  return error === undefined ? { data, response } : { error, response };
}

interface Events {
  readonly hub: Hub;
  readonly open: typeof openStream;
}

/** The client while it is built. */
interface Building {
  readonly send: Send;
  readonly follow: (to: Subscription | Selection, options?: EventOptions, start?: Start) => EventStream<unknown>;
}

/** The method of an operation: it returns a call, or a list for an operation with pages. */
function methodOf({ send, follow }: Building, path: string, operation: Operation): AnyMethod {
  const { items, pageSize = 100, follow: channel } = operation;
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
    if (channel === undefined) return list;
    const [name, ...names] = channel;
    const params = defined(Object.fromEntries(names.map((each) => [each, parameters[each]])));
    const start: Start = async () => {
      const { data, response } = await list.withResponse();
      return { items: itemsOf(data), cursor: response.headers.get('x-event-cursor') };
    };
    const followList = (eventOptions?: EventOptions): EventStream<unknown> =>
      follow({ channel: name, params }, { signal, ...eventOptions }, start);
    return Object.assign(list, { follow: followList });
  };
}

/** The items that a followed list has at a position of the event log. */
type Start = () => Promise<FirstPage>;

/** A stream whose module is loaded on demand, so that apps without event streams do not load it. */
function lazyStream(open: () => Promise<OpenStream>): EventStream<unknown> {
  let opened: Promise<OpenStream> | undefined;
  let isClosed = false;
  const done = { done: true, value: undefined } as const;
  const start = (): Promise<OpenStream> =>
    (opened ??= open().then((stream) => {
      if (isClosed) stream.close();
      return stream;
    }));
  const close = (): void => {
    isClosed = true;
    opened?.then((stream) => stream.close()).catch(() => {});
  };
  const end = async (): Promise<IteratorResult<unknown, void>> => {
    close();
    return done;
  };
  const stream = {
    next: async () => (isClosed && opened === undefined ? done : (await start()).next()),
    ready: async () => (await start()).ready(),
    return: end,
    async throw(error: unknown) {
      close();
      throw error;
    },
    close,
    [Symbol.asyncIterator]: () => stream,
  } as unknown as EventStream<unknown>;
  const { asyncDispose } = Symbol as { readonly asyncDispose?: symbol };
  return asyncDispose === undefined ? stream : Object.assign(stream, { [asyncDispose]: end });
}

/** The members that are not operations. */
function commonMembers(transport: Transport, options: ClientOptions, { follow }: Building): Record<string, unknown> {
  const byVerb = Object.fromEntries(
    verbs.map((verb) => [verb, (path: string, init?: object) => request(transport, verb, path, init)]),
  );
  return {
    ...byVerb,
    request: (verb: string, path: string, init?: object) => request(transport, verb, path, init),
    use: (...added: Middleware[]) => transport.changeHooks((hooks) => hooks.push(...added)),
    eject: (...removed: Middleware[]) =>
      transport.changeHooks((hooks) =>
        hooks.splice(0, hooks.length, ...hooks.filter((each) => !removed.includes(each))),
      ),
    events: follow,
    withOptions: (changed: ClientOptions) => createClient({ ...options, ...defined(changed) }),
  };
}

/**
 * A client of the service. It holds no connection and no timer while no event stream is open, so it needs no close method.
 * Throws a UsageError for options that are missing or make no sense.
 */
export function createClient(options: ClientOptions = {}): SocialDataClient {
  const transport = new Transport(settingsOf(options));
  const sendOne = createSend(transport);
  let opened: Promise<Events> | undefined;
  /** The module of the event streams with the connections of this client, created with the first stream. */
  const events = (): Promise<Events> =>
    (opened ??= import('./events.ts').then((module) => ({ hub: new module.Hub(transport), open: module.openStream })));
  const building: Building = {
    send: options.coalesce ? coalesceReads(sendOne) : sendOne,
    follow: (to, eventOptions = {}, start) =>
      lazyStream(async () => {
        const { hub, open } = await events();
        return open(hub, to, eventOptions, await start?.());
      }),
  };
  const client = commonMembers(transport, options, building);
  for (const [key, row] of Object.entries(operations)) {
    const [method = '', path = ''] = key.split(' ');
    const [group, name] = methodNameOf(path, row.name);
    const methods = (client[group] ??= {}) as Record<string, AnyMethod>;
    methods[name] = methodOf(building, path, { ...row, method });
  }
  const socialDataClient = client as unknown as SocialDataClient;
  const ask = lazyAnswer(async (parameters, askOptions) =>
    (await import('./ask.ts')).openQuestion((await events()).hub, parameters, askOptions),
  );
  Object.assign(socialDataClient.assistant, assistantOf(socialDataClient.tweet.assistant, ask));
  return socialDataClient;
}

/** A question whose module is loaded on demand. It is sent at once. */
const lazyAnswer =
  (open: (parameters: object, options: AskOptions) => Promise<AnswerStream>): AssistantMethods['stream'] =>
  (parameters, options = {}) => {
    const opened = open(parameters, options);
    opened.catch(() => {});
    const cancel = (): void => void opened.then((answer) => answer.cancel()).catch(() => {});
    const stream: AnswerStream = {
      next: async () => (await opened).next(),
      answer: async () => (await opened).answer(),
      cancel,
      async return() {
        cancel();
        return { done: true, value: undefined };
      },
      [Symbol.asyncIterator]: () => stream,
    };
    return stream;
  };
