/** The client: the interface of openapi-fetch, and one method for each operation of the contract. */
import { table, type Methods } from '../../generated/client.ts';
import { assistantOf, type AssistantMethods } from './assistant.ts';
import { callOf, listOf, type CallOf, type Completed } from './call.ts';
import type { Item, Operation, OperationId, Parameters } from './contract.ts';
import { errorOf } from './error-of.ts';
import { DecodeError } from './errors.ts';
import type { EventOf, EventOptions, EventStream, Selection } from './events.ts';
import {
  createTransport,
  type CallOptions,
  type FetchClient,
  type Outcome,
  type TransportOptions,
} from './transport.ts';

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

type AnyMethod = (parameters?: Record<string, unknown>, options?: ListOptions) => unknown;

const operations: Record<string, Operation> = table;

/** A client of the service at `baseUrl`. It holds no connection and no timer, so it needs no close method. */
export function createClient(options: ClientOptions): SocialDataClient {
  const transport = createTransport(options);
  const pendingReads = new Map<string, Promise<Completed<unknown>>>();

  /** Sends a call of the contract. Throws the typed error of an error response. */
  async function complete(
    path: string,
    operation: Operation,
    parameters: Record<string, unknown>,
    { limit: _, ...call }: ListOptions,
  ): Promise<Completed<unknown>> {
    const input = operation.method === 'get' ? { params: { query: parameters } } : { body: parameters };
    const { data, error, response, failed } = await transport.send(path, operation, { ...call, ...input });
    if (!response.ok) throw errorOf(response, error, failed);
    if (data === undefined) throw new DecodeError('the answer is not JSON', failed);
    return { data, response, failed };
  }

  /** Returns the pending promise of an identical read, if `coalesce` permits it; otherwise sends the call. */
  function share(
    path: string,
    operation: Operation,
    parameters: Record<string, unknown>,
    call: ListOptions | undefined,
  ): Promise<Completed<unknown>> {
    if (!options.coalesce || call !== undefined || operation.repeat !== 'safe')
      return complete(path, operation, parameters, call ?? {});
    const name = path + JSON.stringify(Object.entries(parameters).sort());
    const found = pendingReads.get(name);
    if (found !== undefined) return found;
    const socialDataClient = complete(path, operation, parameters, {}).finally(() => pendingReads.delete(name));
    pendingReads.set(name, socialDataClient);
    return socialDataClient;
  }

  function methodOf(path: string, operation: Operation): AnyMethod {
    const { items } = operation;
    return (parameters = {}, call) => {
      if (items === undefined) {
        const started = share(path, operation, parameters, call);
        return callOf(() => started);
      }
      return listOf(
        (cursor) => share(path, operation, cursor === undefined ? parameters : { ...parameters, cursor }, call),
        items,
        call?.limit ?? Infinity,
      );
    };
  }

  /** A call by verb and path, with the parameters of openapi-fetch. */
  async function raw(verb: string, path: string, init: Record<string, unknown> = {}): Promise<Outcome> {
    const method = verb.toLowerCase();
    const operation = operations[path];
    const { failed: _, ...outcome } = await transport.send(
      path,
      operation?.method === method ? operation : { method, repeat: 'refused' },
      init,
    );
    return outcome;
  }

  function events(selection: Selection, eventOptions: EventOptions = {}): EventStream<unknown> {
    const closing = new AbortController();
    async function* stream(): AsyncGenerator<unknown, void, undefined> {
      // Loaded on demand, so that apps without event streams do not load it.
      const { listen } = await import('./events.ts');
      yield* listen({ baseUrl: options.baseUrl, key: transport.key }, selection, eventOptions, closing.signal);
    }
    return Object.assign(stream(), { close: () => closing.abort() });
  }

  const client: Record<string, unknown> = { ...transport.client, request: raw, events };
  for (const verb of Object.keys(client).filter((name) => /^[A-Z]/.test(name))) {
    client[verb] = (path: string, init?: Record<string, unknown>) => raw(verb, path, init);
  }
  for (const [path, operation] of Object.entries(operations)) {
    const [, , group, name] = path.split('/') as [string, string, string, string];
    const methods = (client[group] ??= {}) as Record<string, AnyMethod>;
    methods[name.replace(/_(.)/g, (__, letter: string) => letter.toUpperCase())] = methodOf(path, operation);
  }
  const socialDataClient = client as unknown as SocialDataClient;
  Object.assign(socialDataClient.assistant, assistantOf(socialDataClient.tweet.assistant));
  return socialDataClient;
}
