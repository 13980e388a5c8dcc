/** One server-sent event (HTML standard, "Server-sent events") of a body in `text/event-stream`, where it has more than its data. */

const encoder = new TextEncoder();

export interface EventFields {
  /** JSON on one line, which the source of the stream has validated. */
  readonly json?: string | Uint8Array | undefined;
  /** The position of the event, which a client sends as `Last-Event-ID` when it connects again. Without data it is no event of the client. */
  readonly id?: string | undefined;
  /** The name of the event; `message` by default. */
  readonly event?: string | undefined;
  /** Milliseconds after which a client connects again. */
  readonly retry?: number | undefined;
  /** A line that clients ignore. */
  readonly comment?: string | undefined;
}

/** An event as it is sent. */
export class ServerSentEvent {
  readonly bytes: Uint8Array;

  constructor({ json, id, event, retry, comment }: EventFields) {
    const head = [
      ...(comment === undefined ? [] : [`: ${comment}\n`]),
      ...(event === undefined ? [] : [`event: ${event}\n`]),
      ...(retry === undefined ? [] : [`retry: ${retry}\n`]),
      ...(id === undefined ? [] : [`id: ${id}\n`]),
      ...(json === undefined ? ['\n'] : ['data: ']),
    ].join('');
    this.bytes =
      typeof json === 'object'
        ? Buffer.concat([encoder.encode(head), json, encoder.encode('\n\n')])
        : encoder.encode(json === undefined ? head : `${head}${json}\n\n`);
  }
}

/** A body whose source can cut the connection of a reader that takes nothing. */
export interface ServerSentEvents extends AsyncIterableIterator<ServerSentEvent, void, undefined> {
  /** Aborts when the response must be cut off. */
  readonly cut: AbortSignal;
}
