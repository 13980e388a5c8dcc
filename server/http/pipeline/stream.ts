/** Sends a body piece by piece: as fast as the caller reads, until the source ends, fails or the caller leaves. */
import type { ServerResponse } from 'node:http';

/** Milliseconds without data after which a stream of events gets a comment, so that no proxy closes the connection. */
const keepAliveMs = 15_000;

export type Piece = string | Uint8Array;

export interface PieceStream {
  /** The source. It is ended by `return` when the caller leaves. */
  readonly pieces: Iterable<unknown> | AsyncIterable<unknown>;
  /** Writes one value of the source. Throws for a value that the contract does not allow. */
  readonly write: (value: unknown) => Piece;
  /** What is sent while the source gives nothing; undefined for nothing. Then the head is sent at once too. */
  readonly keepAlive: string | undefined;
  /** Cuts the response off when it aborts. */
  readonly cut?: AbortSignal | undefined;
}

type Step = IteratorResult<unknown, unknown>;

const iteratorOf = (source: Iterable<unknown> | AsyncIterable<unknown>): Iterator<unknown> | AsyncIterator<unknown> =>
  Symbol.asyncIterator in source ? source[Symbol.asyncIterator]() : source[Symbol.iterator]();

/** Waits for the response or its end. One listener serves all waits: a listener for each would be kept until the end of a long stream. */
class Waiter {
  readonly #response: ServerResponse;
  #wake: (() => void) | undefined;

  constructor(response: ServerResponse) {
    this.#response = response;
    const wake = (): void => this.#wake?.();
    response.on('close', wake).on('drain', wake);
  }

  get isClosed(): boolean {
    return this.#response.destroyed || this.#response.closed;
  }

  /** The next step of the source; undefined when the caller has left. */
  next(iterator: Iterator<unknown> | AsyncIterator<unknown>): Promise<Step | undefined> {
    return new Promise((resolve, reject) => {
      this.#wake = () => this.isClosed && resolve(undefined);
      Promise.resolve(iterator.next()).then(resolve, reject);
    });
  }

  /** Resolves when the caller has read what was written, or has left. */
  drained(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
      if (this.isClosed) resolve();
    });
  }
}

/** Sends comments while nothing else is sent. Returns the function that ends it. */
function keepAlive(response: ServerResponse, comment: string | undefined): { restart(): void; stop(): void } {
  if (comment === undefined) return { restart: () => {}, stop: () => {} };
  const timer = setInterval(() => {
    const isWaiting = response.writableNeedDrain || response.writableEnded || response.destroyed;
    if (!isWaiting) response.write(comment);
  }, keepAliveMs);
  return { restart: () => void timer.refresh(), stop: () => clearInterval(timer) };
}

/**
 * Sends the pieces as the body of a response. `writeHead` sends the head: before the first piece, so that a source that fails at
 * once can still be answered by an error; at once where there is a `keepAlive`. Resolves when the body is sent or the caller has
 * left. Rejects with the error of the source, or of a value that is not allowed: then the source is ended, and the response is
 * incomplete.
 */
export async function sendPieces(
  response: ServerResponse,
  { pieces, write, keepAlive: comment, cut }: PieceStream,
  writeHead: () => void,
): Promise<void> {
  const iterator = iteratorOf(pieces);
  const waiter = new Waiter(response);
  const comments = keepAlive(response, comment);
  let isDone = false;
  const cutOff = (): void => void response.destroy();
  cut?.addEventListener('abort', cutOff);
  try {
    if (cut?.aborted === true) return cutOff();
    if (comment !== undefined) {
      writeHead();
      response.flushHeaders();
    }
    while (!waiter.isClosed) {
      const step = await waiter.next(iterator);
      if (step === undefined) break;
      isDone = step.done === true;
      if (isDone || waiter.isClosed) break;
      const piece = write(step.value);
      if (!response.headersSent) writeHead();
      comments.restart();
      if (!response.write(piece)) await waiter.drained();
    }
    if (!isDone) return;
    if (!response.headersSent) writeHead();
    response.end();
  } finally {
    comments.stop();
    cut?.removeEventListener('abort', cutOff);
    // The source may be busy, so nothing waits for its end; its errors no longer concern a response.
    if (!isDone) void Promise.resolve(iterator.return?.()).catch(() => {});
  }
}

/** Ends a source that is not sent, such as the body of the response to HEAD. */
export function endSource(source: unknown): void {
  if (typeof source !== 'object' || source === null) return;
  if (!(Symbol.asyncIterator in source) && !(Symbol.iterator in source)) return;
  void Promise.resolve(iteratorOf(source as Iterable<unknown>).return?.()).catch(() => {});
}
