/** The client: the interface of openapi-fetch, and one method for each operation of the contract. */
import { table, type Methods } from '../../generated/client.ts';
import { assistantOf, type AssistantMethods } from './assistant.ts';
import { callOf, listOf, type AnyPage, type CallOf, type Completed } from './call.ts';
import type { Item, Operation, OperationId, Parameters } from './contract.ts';
import { errorOf } from './error-of.ts';
import { DecodeError, notJson } from './errors.ts';
import type { Connecting, EventOf, EventOptions, EventStream, Selection } from './events.ts';
import { methodNameOf } from './method-name.ts';
import { Transport, type CallOptions, type FetchClient, type Outcome, type TransportOptions } from './transport.ts';

export interface ClientOptions extends TransportOptions {
  /**
   * Identical concurrent reads without call options share one request. They also share the response object: do not
   * modify it.
   */
  readonly coalesce?: boolean | undefined;
}

export interface ListOptions extends CallOptions {
  /** The maximum number of items of one iteration. The parameter `limit` is the page size instead. */
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
  Omit<Surface, 'assistant'> & { assistant: Surface['assistant'] & AssistantMethods } & EventMethods;

interface EventMethods {
  /**
   * Subscribes to new events, or to the events after a `cursor`. The stream reconnects automatically and resumes at its
   * position: it loses no event and delivers none twice. A bounded buffer holds the events that the loop has not read;
   * all later events stay on the server. Each stream uses one connection; a key may have 5 unless the operator set
   * another limit.
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

const operations: Record<string, Operation> = table;

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
    const input = operation.method === 'get' ? { params: { query: parameters } } : { body: parameters };
    const { data, error, response, failed } = await transport.send(path, operation, { ...options, ...input });
    if (!response.ok) throw errorOf(response, error, failed);
    if (data === undefined) throw new DecodeError(notJson, failed);
    return { data: data as never, response, failed };
  };

/** Lets identical concurrent reads without call options share one request. */
function coalesceReads(send: Send): Send {
  const pending = new Map<string, Promise<Completed<never>>>();
  return (path, operation, parameters, options) => {
    if (options !== undefined || operation.repeat !== 'safe') return send(path, operation, parameters, options);
    const key = path + JSON.stringify(Object.entries(parameters).sort());
    const read =
      pending.get(key) ?? send<never>(path, operation, parameters, options).finally(() => pending.delete(key));
    pending.set(key, read);
    return read;
  };
}

/** Sends a call by verb and path, with the parameters of openapi-fetch. */
async function request(
  transport: Transport,
  verb: string,
  path: string,
  init: Record<string, unknown> = {},
): Promise<Outcome> {
  const method = verb.toLowerCase();
  const declared = operations[path];
  const operation = declared?.method === method ? declared : ({ method, repeat: 'refused' } as const);
  const { failed: _, ...outcome } = await transport.send(path, operation, init);
  return outcome;
}

/** The method of an operation: it returns a call, or a list for an operation with pages. */
function methodOf(send: Send, path: string, operation: Operation): AnyMethod {
  const { items } = operation;
  return (parameters = {}, options) => {
    if (items === undefined) {
      const started = send<unknown>(path, operation, parameters, options);
      return callOf(() => started);
    }
    const fetchPage = (cursor?: string): Promise<Completed<Page>> =>
      send(path, operation, cursor === undefined ? parameters : { ...parameters, cursor }, options);
    return listOf(fetchPage, (page) => page[items] ?? [], options?.limit ?? Infinity);
  };
}

function eventStream(connecting: Connecting, selection: Selection, options: EventOptions = {}): EventStream<unknown> {
  const closing = new AbortController();
  async function* stream(): AsyncGenerator<unknown, void, undefined> {
    // Loaded on demand, so that apps without event streams do not load it.
    const { listen } = await import('./events.ts');
    yield* listen(connecting, selection, options, closing.signal);
  }
  return Object.assign(stream(), { close: () => closing.abort() });
}

/** A client of the service at `baseUrl`. It holds no connection and no timer, so it needs no close method. */
export function createClient(options: ClientOptions): SocialDataClient {
  const transport = new Transport(options);
  const sendOne = createSend(transport);
  const send = options.coalesce ? coalesceReads(sendOne) : sendOne;
  const connecting: Connecting = { baseUrl: options.baseUrl, key: transport.key };

  const client: Record<string, unknown> = {
    ...transport.client,
    request: (verb: string, path: string, init?: Record<string, unknown>) => request(transport, verb, path, init),
    events: (selection: Selection, eventOptions?: EventOptions) => eventStream(connecting, selection, eventOptions),
  };
  for (const verb of Object.keys(client).filter((name) => /^[A-Z]/.test(name))) {
    client[verb] = (path: string, init?: Record<string, unknown>) => request(transport, verb, path, init);
  }
  for (const [path, operation] of Object.entries(operations)) {
    const [group, name] = methodNameOf(path);
    const methods = (client[group] ??= {}) as Record<string, AnyMethod>;
    methods[name] = methodOf(send, path, operation);
  }
  const socialDataClient = client as unknown as SocialDataClient;
  Object.assign(socialDataClient.assistant, assistantOf(socialDataClient.tweet.assistant));
  return socialDataClient;
}
