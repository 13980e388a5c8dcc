/** The client: openapi-fetch as it is, and a method for each operation of the contract. */
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
   * Lets identical reads that are under way at once share one request, where they have no options of their own. They then
   * share the answer too: do not change it.
   */
  readonly coalesce?: boolean | undefined;
}

export interface ListOptions extends CallOptions {
  /** How many items a walk through the list yields at most; `limit` among the parameters is how many a page holds. */
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
 * `client.GET("/social/…")` and its like are openapi-fetch's own, with the key, the timeouts and the repeats of this client; they
 * answer `{ data, error, response }`. The methods answer the data and throw typed errors.
 */
export type SocialDataClient = FetchClient &
  Omit<Surface, 'assistant'> & { assistant: Surface['assistant'] & AssistantMethods } & EventMethods;

interface EventMethods {
  /**
   * Listens to what happens from now on, or after a `cursor`. The stream connects again by itself and goes on where it was: no event
   * is lost, none comes twice. What the loop has not taken yet waits in a bounded buffer, and beyond it on the server.
   * Each stream is a connection of its own; a key has 5 unless the operator chose otherwise.
   *
   * Throws StreamError where it cannot go on (a wrong key, a query that cannot be read, events that are no longer kept), and
   * ConnectionError when the service stays away.
   *
   * @example
   * ```ts
   * for await (const { event, data, cursor } of client.events({ search: 'coffee lang:en' })) {
   *   if (event === 'tweet.created') console.log(data.text);
   *   await checkpoint(cursor); // client.events({ … }, { cursor }) goes on after it
   * }
   * ```
   */
  events<Given extends Selection>(selection: Given, options?: EventOptions): EventStream<EventOf<Given>>;
}

type AnyMethod = (parameters?: Record<string, unknown>, options?: ListOptions) => unknown;

const operations: Record<string, Operation> = table;

/** A client of the service at `baseUrl`. It keeps no connection and no timer: there is nothing to close. */
export function createClient(options: ClientOptions): SocialDataClient {
  const transport = createTransport(options);
  const underWay = new Map<string, Promise<Completed<unknown>>>();

  /** Sends a call of the contract; an error of the service is thrown. */
  async function complete(
    path: string,
    operation: Operation,
    parameters: Record<string, unknown>,
    { limit: _, ...call }: ListOptions,
  ): Promise<Completed<unknown>> {
    const given = operation.method === 'get' ? { params: { query: parameters } } : { body: parameters };
    const { data, error, response, failed } = await transport.send(path, operation, { ...call, ...given });
    if (!response.ok) throw errorOf(response, error, failed);
    if (data === undefined) throw new DecodeError('the answer is not JSON', failed);
    return { data, response, failed };
  }

  /** Joins a read that is under way already, where the client may. */
  function share(
    path: string,
    operation: Operation,
    parameters: Record<string, unknown>,
    call: ListOptions | undefined,
  ): Promise<Completed<unknown>> {
    if (!options.coalesce || call !== undefined || operation.repeat !== 'safe')
      return complete(path, operation, parameters, call ?? {});
    const name = path + JSON.stringify(Object.entries(parameters).sort());
    const found = underWay.get(name);
    if (found !== undefined) return found;
    const made = complete(path, operation, parameters, {}).finally(() => underWay.delete(name));
    underWay.set(name, made);
    return made;
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

  /** A call by verb and path, as openapi-fetch takes it. */
  async function raw(verb: string, path: string, init: Record<string, unknown> = {}): Promise<Outcome> {
    const method = verb.toLowerCase();
    const known = operations[path];
    const { failed: _, ...outcome } = await transport.send(
      path,
      known?.method === method ? known : { method, repeat: 'refused' },
      init,
    );
    return outcome;
  }

  function events(selection: Selection, given: EventOptions = {}): EventStream<unknown> {
    const closing = new AbortController();
    async function* stream(): AsyncGenerator<unknown, void, undefined> {
      // Apart, so that apps that do not listen do not load it.
      const { listen } = await import('./events.ts');
      yield* listen({ baseUrl: options.baseUrl, key: transport.key }, selection, given, closing.signal);
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
  const made = client as unknown as SocialDataClient;
  Object.assign(made.assistant, assistantOf(made.tweet.assistant));
  return made;
}
