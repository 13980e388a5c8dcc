/** The port to the event stream for one subscription without commands, as server-sent events. */
import type { Schemas } from '../contract/operations.ts';
import type { ServerSentEvents } from '../contract/server-sent-event.ts';

export interface EventStreamRequest {
  /** The id of the key, also of the key of a token. */
  readonly keyId: string;
  /** When the credential of the request ends: milliseconds since 1970; Infinity for never. */
  readonly credentialEnds: number;
  readonly channel: Schemas['WsChannel'];
  readonly params: Schemas['WsParams'];
  /** The stream starts after this position of the event log; with new events by default. */
  readonly cursor?: string | undefined;
  readonly onGap?: 'error' | 'continue' | undefined;
}

export interface EventStreams {
  /**
   * Starts a subscription. Rejects with ServiceError: 400 for wrong parameters, 404 for an unknown entity, 410 for a cursor whose
   * events are no longer retained, 429 for too many connections of the key, 501 for a channel that the platform does not
   * support. While the service stops, the stream asks to connect again, and ends.
   */
  open(request: EventStreamRequest): Promise<ServerSentEvents>;
}
