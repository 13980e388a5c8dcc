/** The messages to webhooks, as `webhooks` of the contract describes them. */
import type { Schemas } from '../contract/operations.ts';
import { formatCursor } from '../realtime/event-cursor.ts';
import type { StreamEvent } from '../realtime/stream-event.ts';
import { toIsoTime } from '../text/iso-time.ts';
import { messageId, type WebhookMessage } from './webhook-request.ts';

export type NamedSearch = Schemas['WebhookSearch'];

const message = (
  search: NamedSearch,
  content: string,
  body: Schemas['WebhookTweet'] | Schemas['WebhookDeletion'] | Schemas['WebhookGap'] | Schemas['WebhookTest'],
): WebhookMessage => ({ id: messageId(search.id, content), type: body.type, body: JSON.stringify(body) });

const searchOf = ({ id, name, query }: NamedSearch): NamedSearch => ({ id, name, query });

/** The message of an event with a tweet; undefined for a tweet that no longer exists. */
export function tweetMessage(search: NamedSearch, event: StreamEvent, epoch: string): WebhookMessage | undefined {
  const data = event.tweet();
  const { event: type, at } = event.entry;
  if (data === undefined || (type !== 'tweet.created' && type !== 'tweet.updated')) return undefined;
  const head = { type, timestamp: toIsoTime(at), search: searchOf(search), cursor: formatCursor(epoch, event.seq) };
  return message(search, event.id, { ...head, data });
}

/** The message of deletions, oldest first. */
export function deletionMessage(search: NamedSearch, events: readonly StreamEvent[], epoch: string): WebhookMessage {
  const last = events.at(-1)!;
  const content = events.map(({ id }) => id).join(' ');
  return message(search, content, {
    ...{ type: 'tweet.deleted', timestamp: toIsoTime(last.entry.at), search: searchOf(search) },
    cursor: formatCursor(epoch, last.seq),
    data: { ids: [...new Set(events.flatMap(({ entry }) => ('id' in entry ? [entry.id] : [])))] },
  });
}

/** The message that events are missing. `from` and `to` are cursors. */
export const gapMessage = (search: NamedSearch, from: string, to: string): WebhookMessage =>
  message(search, `search.gap ${from} ${to}`, {
    ...{ type: 'search.gap', timestamp: toIsoTime(Date.now()), search: searchOf(search), cursor: to },
    data: { from, to },
  });

/** A test. `unique`: no other test has it. */
export const testMessage = (search: NamedSearch, unique: string): WebhookMessage =>
  message(search, `search.test ${unique}`, {
    ...{ type: 'search.test', timestamp: toIsoTime(Date.now()), search: searchOf(search), data: {} },
  });
