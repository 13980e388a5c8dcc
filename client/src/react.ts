/**
 * `@social-data/client/react`: options for the hooks of TanStack Query 5, and events in components of React. Imports only types
 * of TanStack Query.
 */
import type {
  DataTag,
  InfiniteData,
  QueryKey,
  UnusedSkipTokenInfiniteOptions,
  UnusedSkipTokenOptions,
} from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { table, type Methods, type RepeatableOperation } from '../../generated/client.ts';
import type { AnyPage } from './paging.ts';
import type { SocialDataClient } from './client.ts';
import type { Answer, Item, OperationId, OperationRow } from './contract.ts';
import type { Parameters } from './parameters.ts';
import type { ErrorOf } from './error-of.ts';
import type { EventOptions, EventStream } from './event-stream.ts';
import type { EventOf, Selection } from './events.ts';
import { methodNameOf } from './method-name.ts';

/** Options of `useQuery`, `useSuspenseQuery` and the methods of a `QueryClient`. */
export type QueryOptions<Data, Failure> = UnusedSkipTokenOptions<Data, Failure, Data, QueryKey> & {
  readonly queryKey: DataTag<QueryKey, Data, Failure>;
};
/** The position of a page; null for the first. */
type Cursor = string | null;
/** Options of `useInfiniteQuery` and `useSuspenseInfiniteQuery`. */
export type InfiniteQueryOptions<Page, Failure> = UnusedSkipTokenInfiniteOptions<
  Page,
  Failure,
  InfiniteData<Page, Cursor>,
  QueryKey,
  Cursor
> & { readonly queryKey: DataTag<QueryKey, InfiniteData<Page, Cursor>, Failure> };
/** Options of `useMutation`. */
export interface MutationOptions<Data, Failure, Given> {
  readonly mutationKey: QueryKey;
  /** Sends the call. */
  readonly mutationFn: (parameters: Given) => Promise<Data>;
  /** The client itself retries what may be retried. */
  readonly retry: (failures: number, error: Failure) => boolean;
}

type Given<Id extends OperationId> =
  Record<never, never> extends Parameters<Id> ? [parameters?: Parameters<Id>] : [parameters: Parameters<Id>];

/** What an operation has in React: a read has options of a query, anything else those of a mutation. */
export type QueryMethod<Id extends OperationId> = Id extends RepeatableOperation
  ? ((...given: Given<Id>) => QueryOptions<Answer<Id>, ErrorOf<Id>>) &
      ([Item<Id>] extends [never]
        ? unknown
        : {
            /** The pages of the list; `fetchNextPage` requests the next one. */
            infinite(...given: Given<Id>): InfiniteQueryOptions<Answer<Id>, ErrorOf<Id>>;
          })
  : () => MutationOptions<Answer<Id>, ErrorOf<Id>, Parameters<Id>>;
/** The methods of a client, each with options for the hooks of TanStack Query in place of a call. */
export type Queries = Methods<{ [Id in OperationId]: QueryMethod<Id> }>;

type AnyCall = (parameters?: object, options?: { readonly signal?: AbortSignal }) => PromiseLike<unknown>;
interface Context {
  readonly signal: AbortSignal;
  readonly pageParam?: unknown;
}

const rows: Readonly<Record<string, OperationRow>> = table;
const never = (): boolean => false;

/** The options of a read. */
function queryOf(key: QueryKey, call: AnyCall, hasPages: boolean): object {
  const query = (parameters: object = {}): object => ({
    queryKey: [...key, parameters],
    queryFn: async ({ signal }: Context) => call(parameters, { signal }),
    retry: never,
  });
  if (!hasPages) return query;
  const infinite = (parameters: { readonly cursor?: Cursor | undefined } = {}): object => ({
    queryKey: [...key, parameters, 'infinite'],
    queryFn: async ({ signal, pageParam }: Context) => call({ ...parameters, cursor: pageParam }, { signal }),
    initialPageParam: parameters.cursor ?? null,
    getNextPageParam: ({ has_next_page: hasNext, next_cursor: next }: AnyPage) => (hasNext ? next : null),
    retry: never,
  });
  return Object.assign(query, { infinite });
}

/** The options of what must not be repeated. */
const mutationOf = (mutationKey: QueryKey, call: AnyCall) => (): object => ({
  mutationKey,
  mutationFn: async (parameters: object) => call(parameters),
  retry: never,
});

/**
 * Options for the hooks of TanStack Query, by the names of the client's methods. `prefix` is the first part of all keys, and the
 * name of the method the second, so that `invalidateQueries({ queryKey: ['social-data', 'user.lastTweets'] })` is possible.
 * Clients with different API keys need different prefixes in one `QueryClient`. Unmounting aborts the request.
 *
 * @example
 * ```tsx
 * const queries = createQueries(client);
 * const { data } = useQuery(queries.space.detail({ id }));
 * const list = useInfiniteQuery(queries.user.lastTweets.infinite({ username }));
 * ```
 */
export function createQueries(client: SocialDataClient, prefix = 'social-data'): Queries {
  const calls = client as unknown as Readonly<Record<string, Readonly<Record<string, AnyCall>>>>;
  const queries: Record<string, Record<string, unknown>> = {};
  for (const [key, { name: given, items, repeat = 'safe' }] of Object.entries(rows)) {
    const [, path = ''] = key.split(' ');
    const [group, name] = methodNameOf(path, given);
    const call: AnyCall = (...input) => Promise.resolve(calls[group]?.[name]?.(...input));
    const queryKey = [prefix, `${group}.${name}`];
    (queries[group] ??= {})[name] =
      repeat === 'safe' ? queryOf(queryKey, call, items !== undefined) : mutationOf(queryKey, call);
  }
  return queries as unknown as Queries;
}

/** Options of `useEvents`: those of the stream when it begins, and what receives the events. */
export interface UseEventsOptions<Event> extends EventOptions {
  /** Receives each event. An exception ends the stream. */
  readonly onEvent: (event: Event) => void;
}

/** The state of an event stream in a component. */
export interface EventsState {
  /** `idle` without a selection, `open` when the service has confirmed the subscription, `closed` after its end. */
  readonly status: 'idle' | 'connecting' | 'open' | 'closed';
  /** What ended the stream. */
  readonly error?: unknown;
}

/** Passes the events on until the stream ends. */
async function receive<Event>(stream: EventStream<Event>, onEvent: (event: Event) => void): Promise<void> {
  for await (const event of stream) onEvent(event);
}

/**
 * Subscribes to events while the component is mounted. A change of the selection ends the stream and begins another one; `null`
 * is no subscription. `onEvent` may change at each render. On a server it does nothing.
 *
 * @example
 * ```tsx
 * const { status } = useEvents(client, { search: 'coffee' }, { onEvent: ({ event, data }) => … });
 * ```
 */
export function useEvents<Selected extends Selection>(
  client: SocialDataClient,
  selection: Selected | null,
  options: UseEventsOptions<EventOf<Selected>>,
): EventsState {
  const [state, setState] = useState<EventsState>({ status: 'idle' });
  const latest = useRef(options);
  useEffect(() => {
    latest.current = options;
  });
  const key = selection && JSON.stringify(selection);
  useEffect(() => {
    if (key === null) return setState({ status: 'idle' });
    const { onEvent: _onEvent, ...streamOptions } = latest.current;
    const stream = client.events(JSON.parse(key) as Selected, streamOptions);
    let isMounted = true;
    const show = (next: EventsState): void => void (isMounted && setState(next));
    show({ status: 'connecting' });
    const ended = receive(stream, (event) => isMounted && latest.current.onEvent(event));
    ended.then(
      () => show({ status: 'closed' }),
      (error: unknown) => show({ status: 'closed', error }),
    );
    stream.ready().then(
      () => show({ status: 'open' }),
      () => {},
    );
    return () => {
      isMounted = false;
      stream.close();
    };
  }, [client, key]);
  return state;
}
