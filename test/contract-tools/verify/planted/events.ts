/** Faults of the event stream at /ws, and how verify must report them. */
import type { Lie } from '../faulty-service.ts';

const when = (type: string, change: (message: Record<string, unknown>) => object | undefined): Lie => ({
  message: (message) => (message['type'] === type ? (change(message) as Record<string, unknown>) : message),
});

export const faultsOfEvents: Readonly<Record<string, readonly [lie: Lie, report: RegExp]>> = {
  'a message with an unknown member': [when('pong', (message) => ({ ...message, extra: 1 })), /valid by .*"extra":1/],
  'a message without a member': [when('connected', ({ cursor: _, ...rest }) => rest), /valid by .*connected/],
  'an answer to another command': [
    when('pong', (message) => ({ ...message, id: 'other' })),
    /^pong in answer to ping \| no answer/,
  ],
  'no answer': [when('unsubscribed', () => undefined), /^unsubscribed in answer to unsubscribe \| no answer/],
  'a wrong error code': [
    when('error', (message) => ({ ...message, code: 'internal' })),
    /^unknown_subscription .* internal/m,
  ],
  'a subscription without a cursor': [
    when('subscribed', (message) => ({ ...message, cursor: null })),
    /^subscribed, with a cursor/,
  ],
  'a subscription to another channel': [
    when('subscribed', (message) => ({ ...message, channel: 'assistant:pool' })),
    /^the channel .* \| assistant:pool/,
  ],
  'a cursor that is accepted though it is in the future': [
    when('error', (message) =>
      message['code'] === 'cursor_in_future' ? { type: 'subscribed', id: message['id'] } : message,
    ),
    /^cursor_in_future /,
  ],
  'another close code': [{ closeCode: (code) => (code === 4001 ? 4005 : code) }, /^close code 4001 after .* \| 4005/],
  'a wrong parameter that is closed as a wrong key': [
    { closeCode: (code) => (code === 4004 ? 4001 : code) },
    /^close code 4004 after .* \| 4001/,
  ],
};
