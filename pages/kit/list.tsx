/** Lists that continue by cursor as the reader scrolls. */
import type { ComponentChildren, VNode } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { client } from './api.ts';
import { completed } from './full-tweets.ts';
import { useKey } from './key.ts';
import { Fault } from './faults.tsx';
import { Loading, Nothing } from './loading.tsx';
import { methodNameOf } from '../../client/src/method-name.ts';
import type { ApiRequest } from './request.tsx';

/** A page of a list operation: its items are in one member, whose name depends on the operation. */
type AnyPage = Readonly<Record<string, unknown>> & { readonly next_cursor: string | null };
type Group = Readonly<Record<string, (parameters: object, options: object) => Promise<AnyPage>>>;

/** Sends a request of the contract with the client's method for its path. */
export async function send<Body>(
  { path, parameters }: ApiRequest,
  signal: AbortSignal,
  cursor?: string,
): Promise<Body> {
  const [group, name] = methodNameOf(path);
  const methods = (client as unknown as Readonly<Record<string, Group>>)[group];
  const given = Object.fromEntries(Object.entries(parameters).filter(([, value]) => value !== undefined));
  const method = methods?.[name];
  if (method === undefined) throw new Error(`the client has no method for ${path}`);
  return (await method({ ...given, ...(cursor === undefined ? {} : { cursor }) }, { signal })) as unknown as Body;
}

export interface ListState<Item> {
  readonly items: readonly Item[];
  readonly isLoading: boolean;
  readonly error: unknown;
  /** Whether there are further pages. */
  readonly hasMore: boolean;
  more(): void;
  /** Puts new items in front of the list. */
  prepend(items: readonly Item[]): void;
}

interface Pages<Item> {
  readonly items: readonly Item[];
  readonly cursor: string | null | undefined;
  readonly isLoading: boolean;
  readonly error: unknown;
}

const untouched = { items: [], cursor: undefined, isLoading: true, error: undefined } as const;
type Identified = { readonly id: string };

const withoutRepeats = <Item extends Identified>(items: readonly Item[]): Item[] => [
  ...new Map(items.map((item) => [item.id, item])).values(),
];

/** Loads a list page by page. `member`: the member of a page with its items. It starts anew with another request or key. */
export function useList<Item extends Identified>(request: ApiRequest, member: string): ListState<Item> {
  const key = useKey();
  const [pages, setPages] = useState<Pages<Item>>(untouched);
  const aborting = useRef<AbortController | undefined>(undefined);
  const id = JSON.stringify(request) + key;

  const load = useCallback(
    (cursor: string | undefined): void => {
      aborting.current?.abort();
      const { signal } = (aborting.current = new AbortController());
      setPages((before) => ({ ...before, isLoading: true, error: undefined }));
      const read = async (): Promise<readonly [AnyPage, readonly Item[]]> => {
        const page = await send<AnyPage>(request, signal, cursor);
        return [page, await completed(page[member] as readonly Item[], signal)];
      };
      read().then(
        ([page, items]) => {
          if (signal.aborted) return;
          setPages((before) => ({
            items: withoutRepeats([...before.items, ...items]),
            cursor: page.next_cursor,
            isLoading: false,
            error: undefined,
          }));
        },
        (error: unknown) => void (signal.aborted || setPages((before) => ({ ...before, isLoading: false, error }))),
      );
    },
    [id],
  );
  useEffect(() => {
    setPages(untouched);
    load(undefined);
    return () => aborting.current?.abort();
  }, [load]);

  return {
    ...pages,
    hasMore: pages.cursor !== null,
    more: () => void (pages.isLoading || pages.cursor === null || load(pages.cursor)),
    prepend: (items) =>
      void completed(items).then((full) =>
        setPages((before) => ({ ...before, items: withoutRepeats([...full, ...before.items]) })),
      ),
  };
}

/** Calls `reached` when the end of the list comes near. */
function Sentinel({ reached }: { reached: () => void }): VNode {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (place.current === null) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some(({ isIntersecting }) => isIntersecting)) reached();
      },
      { rootMargin: '600px' },
    );
    observer.observe(place.current);
    return () => observer.disconnect();
  });
  return <div ref={place} />;
}

/** How a list is drawn. */
interface Drawing<Item> {
  readonly name: string;
  readonly draw: (item: Item) => VNode;
  readonly empty: ComponentChildren;
  /** What loads the next page: the reader who comes near the end (the default), or only a button. */
  readonly continues?: 'near' | 'button';
  /** The class of the list beside `feed`. */
  readonly layout?: string;
}

/** The items of a list with its states: loading, failed, empty, and more below. */
export function ListView<Item extends Identified>(props: { list: ListState<Item> } & Drawing<Item>): VNode {
  const { list, name, draw, empty, continues = 'near', layout = '' } = props;
  const { items, isLoading, error, hasMore, more } = list;
  const failed = error !== undefined;
  return (
    <>
      {items.length > 0 && (
        <ol class={`feed ${layout}`} aria-label={name}>
          {items.map((item) => (
            <li key={item.id}>{draw(item)}</li>
          ))}
        </ol>
      )}
      {failed && <Fault error={error} retry={more} />}
      {isLoading && (
        <div class={items.length === 0 ? 'whole-screen' : ''}>
          <Loading rows={items.length === 0 ? 4 : 1} name={`Loading ${name.toLowerCase()}`} />
        </div>
      )}
      {!isLoading && !failed && hasMore && (
        <>
          {continues === 'near' && <Sentinel reached={more} />}
          <button type="button" class="more" onClick={more}>
            Show more
          </button>
        </>
      )}
      {!isLoading && !failed && items.length === 0 && (typeof empty === 'string' ? <Nothing title={empty} /> : empty)}
    </>
  );
}

/** A component that loads a list and draws it. `member`: as for `useList`. */
export const listOf =
  <Item extends Identified>(member: string, drawing: Drawing<Item>) =>
  ({ request }: { request: ApiRequest }): VNode => <ListView list={useList<Item>(request, member)} {...drawing} />;
