/** The return types of the methods for the operations of the contract. */
import type { FollowedChannels } from '../../generated/client.ts';
import type { Call, List } from './call.ts';
import type { Answer, Item, OperationId } from './contract.ts';
import type { ErrorOf } from './error-of.ts';
import type { EventOptions, EventStream } from './event-stream.ts';
import type { EventOf } from './events.ts';

/** A list whose changes the service publishes as events. */
export interface FollowedList<One, Page, Failure, Event> extends List<One, Page, Failure> {
  /**
   * The first page and then its changes, without a hole: the items of the page from the oldest to the newest as events with
   * `replay`, and the events of the channel after the position of the page.
   *
   * @example
   * ```ts
   * for await (const { event, data } of client.user.lastTweets({ username: 'mira_codes' }).follow())
   *   if (event !== 'tweet.deleted') console.log(data.text);
   * ```
   */
  follow(options?: Omit<EventOptions, 'cursor'>): EventStream<Event>;
}

/** What the method of an operation returns: a list for an operation with pages, else a call. */
export type CallOf<Id extends OperationId> = [Item<Id>] extends [never]
  ? Call<Answer<Id>, ErrorOf<Id>>
  : Id extends keyof FollowedChannels
    ? FollowedList<Item<Id>, Answer<Id>, ErrorOf<Id>, EventOf<FollowedChannels[Id]>>
    : List<Item<Id>, Answer<Id>, ErrorOf<Id>>;
