/** A list with its changes: the first page, and then the events after it. Loaded at the first read of such a stream. */
import type { List } from './call.ts';
import type { AnyPage } from './paging.ts';
import { defined } from './defined.ts';
import type { EventOptions, OpenStream, Subscription } from './event-stream.ts';

/** A list to follow. */
export interface Followed<Page extends AnyPage> {
  readonly list: List<unknown, Page, unknown>;
  readonly itemsOf: (page: Page) => readonly unknown[];
  /** The channel with the events of the list, and the names of its parameters. */
  readonly channel: readonly [channel: string, ...names: string[]];
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** Opens the stream of a subscription. */
type Open = (to: Subscription, options: EventOptions) => OpenStream;

/** The items of the first page, from the oldest to the newest, and then the events after the page. */
export async function openFollowed<Page extends AnyPage>(
  open: Open,
  { list, itemsOf, channel: [channel, ...names], parameters }: Followed<Page>,
  options: EventOptions,
): Promise<OpenStream> {
  const { data, response } = await list.withResponse();
  const cursor = response.headers.get('x-event-cursor');
  const event = channel === 'community:members' ? 'community.joined' : 'tweet.created';
  const first = [...itemsOf(data)].reverse().map((item) => ({
    event,
    data: item,
    cursor,
    seq: Number(cursor?.split('.')[1]),
    event_id: `${event}:${(item as { readonly id?: string }).id}`,
    replay: true,
  }));
  const params = defined(Object.fromEntries(names.map((name) => [name, parameters[name]])));
  const seen = first.map((each) => each.event_id);
  const stream = open({ channel, params, seen }, { ...options, cursor });
  return {
    async next() {
      const value = first.shift();
      return value === undefined ? stream.next() : { done: false, value };
    },
    ready: () => stream.ready(),
    close() {
      first.length = 0;
      stream.close();
    },
  };
}
