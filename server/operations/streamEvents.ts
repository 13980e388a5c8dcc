import type { Handler } from '../contract/operations.ts';
import type { Parts } from './parts.ts';

/** The events of a channel as server-sent events, until the caller leaves. */
export const streamEvents =
  ({ events }: Parts): Handler<'streamEvents'> =>
  async ({ query, headers, keyId, credentialEnds }) => {
    const { channel, cursor, on_gap: onGap, ...params } = query;
    // An EventSource that connects again sends the address with which it began.
    const from = headers['last-event-id'] ?? cursor;
    const body = await events.open({ keyId, credentialEnds, channel, params, cursor: from, onGap });
    return { status: 200, body };
  };
