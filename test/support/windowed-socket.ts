/**
 * A connection in memory between a client and a server. It holds a fixed number of bytes (its window) that the
 * receiver has not read yet. So a test with a slow reader does not depend on the socket buffers of the kernel, which
 * hold from 100 kB to 36 MB and more.
 */
import { createServer, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';

type Done = (error?: Error | null) => void;

/** One end of the connection. What is written to it can be read from the other end. */
class WindowedSocket extends Duplex {
  #other: WindowedSocket | undefined;
  #delivered = 0;
  /** Continues the writes of the other end, which wait until this end has read. */
  #continueOther: Done | undefined;

  static pair(windowBytes: number): [WindowedSocket, WindowedSocket] {
    const options = { readableHighWaterMark: windowBytes };
    const [one, two] = [new WindowedSocket(options), new WindowedSocket(options)];
    [one.#other, two.#other] = [two, one];
    return [one, two];
  }

  /** Like `net.Socket`: the bytes that were sent and the bytes that wait. */
  get bytesWritten(): number {
    return this.#delivered + this.writableLength;
  }

  override _write(chunk: Buffer, _encoding: string, done: Done): void {
    const other = this.#other;
    if (other?.destroyed !== false || other.readableEnded) return done(new Error('the other end is closed'));
    const hasRoom = other.push(chunk);
    const finish: Done = (error) => {
      if (!error) this.#delivered += chunk.length;
      done(error);
    };
    if (hasRoom) finish();
    else other.#continueOther = finish;
  }

  override _read(): void {
    const continueOther = this.#continueOther;
    this.#continueOther = undefined;
    continueOther?.();
  }

  override _final(done: Done): void {
    if (this.#other?.destroyed === false) this.#other.push(null);
    done();
  }

  /** Ends the other end after it has read what was delivered to it, as TCP does. */
  override _destroy(error: Error | null, done: Done): void {
    const continueOther = this.#continueOther;
    this.#continueOther = undefined;
    continueOther?.(new Error('the other end is closed'));
    if (this.#other?.destroyed === false && !this.writableFinished) this.#other.push(null);
    done(error);
  }
}

export interface WindowedServer {
  /** The option `createConnection` of `http.request` and of `ws`: a new connection with a window of so many bytes. */
  connection(windowBytes: number): { createConnection(): Socket };
  stop(): void;
}

type Upgrade = (request: IncomingMessage, socket: Socket, head: Buffer) => void;

/** A server without a port. Each connection to it goes over to WebSocket by this handler. */
export function createWindowedServer(upgrade: Upgrade): WindowedServer {
  const server = createServer();
  server.on('upgrade', (request, socket, head) => upgrade(request, socket as Socket, head));
  return {
    connection: (windowBytes) => ({
      createConnection() {
        const [clientEnd, serverEnd] = WindowedSocket.pair(windowBytes);
        server.emit('connection', serverEnd);
        // `http` and `ws` take any duplex stream; only their types ask for a socket.
        return clientEnd as Duplex as Socket;
      },
    }),
    stop: () => void server.close(),
  };
}
