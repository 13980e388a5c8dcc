/** The methods of a client, from the table of its contract: calls and lists, and the verbs of openapi-fetch. */
import { callOf, listOf, type Send } from './call.ts';
import type { Operation, OperationRow } from './contract.ts';
import { checkNumber } from './defined.ts';
import { DecodeError } from './failure.ts';
import type { EventOptions, EventStream, OpenStream } from './event-stream.ts';
import type { Completed } from './exchange.ts';
import { methodNameOf } from './method-name.ts';
import { onDemand } from './on-demand.ts';
import { type ListOptions, type Middleware, type TransportOptions } from './options.ts';
import type { AnyPage } from './paging.ts';
import type { Transport } from './transport.ts';

/** The options of a client. */
export interface ClientOptions extends TransportOptions {
  /**
   * Identical concurrent reads without call options share one request. They also share the response object: do not
   * modify it. Default false.
   */
  readonly coalesce?: boolean | undefined;
}

/** A page of any list; the member `items` of the operation holds the items. */
type Page = AnyPage & Readonly<Record<string, readonly unknown[] | undefined>>;
type AnyMethod = (parameters?: Record<string, unknown>, options?: ListOptions) => unknown;

const following = onDemand(() => import('./follow.ts'));
const verbs = 'GET PUT POST DELETE OPTIONS HEAD PATCH TRACE'.split(' ');

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
function shapeFault({ items, has = items, wire }: Operation, body: unknown): string | undefined {
  const members = Object(body) as Readonly<Record<string, unknown>>;
  const value = members[has ?? ''];
  const isPlausible = items ? Array.isArray(value) : has ? value !== undefined : wire || members === body;
  return isPlausible ? undefined : `'${has ?? 'the body'}' is missing or invalid`;
}

/** Opens the stream of a subscription, or of what the `events` of the client takes. */
export type OpenEvents = (to: object, options: EventOptions) => OpenStream;

/** What the methods of a client use. */
interface Building {
  readonly send: Send;
  /** Opens a stream at its first use; undefined for a contract without events, which has no list to follow. */
  readonly stream: OpenLater | undefined;
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
    // `send` refuses parameters that are no object.
    const isSized = Object(parameters) === parameters && parameters['limit'] === undefined;
    const sized =
      limit > 0 && limit < Infinity && isSized
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
    if (!channel || !stream) return list;
    const follow = (eventOptions?: EventOptions): EventStream<unknown> =>
      stream(async (open) =>
        (await following()).openFollowed(open, { list, itemsOf, channel, parameters }, { signal, ...eventOptions }),
      );
    return Object.assign(list, { follow });
  };
}

/** Opens an event stream at its first use. */
export type OpenLater = (open: (open: OpenEvents) => OpenStream | Promise<OpenStream>) => EventStream<unknown>;

/** Builds a client: the verbs of openapi-fetch, and a method for each operation. `openLater` opens the events that follow a list. */
export function clientOf(
  table: Readonly<Record<string, OperationRow>>,
  transport: Transport,
  { coalesce }: ClientOptions,
  openLater?: OpenLater,
): Record<string, unknown> {
  const sendOne = createSend(transport);
  const coalescing = onDemand(async () => (await import('./coalesce.ts')).coalesceReads(sendOne));
  const coalesced: Send = async (...call) => (await coalescing())(...call);
  const building: Building = { send: coalesce ? coalesced : sendOne, stream: openLater };
  const request = async (verb: string, path: string, init?: object): Promise<object> =>
    (await transport.fetchClient()).sendVerb(transport, table, verb, path, init);
  const client: Record<string, unknown> = {
    request,
    use: (...added: Middleware[]) => void (transport.middleware = transport.middleware.concat(added)),
    eject: (...removed: Middleware[]) =>
      void (transport.middleware = transport.middleware.filter((each) => !removed.includes(each))),
  };
  for (const verb of verbs) client[verb] = (path: string, init?: object) => request(verb, path, init);
  for (const [key, row] of Object.entries(table)) {
    const [method, path] = key.split(' ') as [string, string];
    const [group, name] = methodNameOf(path, row.name);
    const methods = (client[group] ??= {}) as Record<string, AnyMethod>;
    methods[name] = methodOf(building, path, { ...row, method });
  }
  return client;
}
