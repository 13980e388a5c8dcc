/**
 * Calls operations of this service as a caller of the network does, by HTTP over a pair of streams in memory: authentication, rate
 * limit, validation, log and errors are those of any other request.
 */
import { createServer, request as send, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { duplexPair, type Duplex } from 'node:stream';

/** A request of an operation. */
export interface OperationRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

export interface OperationResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
}

/** Maximum size of the headers of a request in bytes; the arguments of a GET are in its first line. */
const maxHeaderBytes = 96 * 1024;

/** Maximum length of the target of a request; the rest is for the other headers. */
const maxTargetLength = 80 * 1024;

/** Maximum size of a response in bytes. Pages of the contract are far smaller. */
const maxResponseBytes = 8 * 1024 * 1024;

/** The properties of a socket that say who sends the request. */
type Caller = Pick<IncomingMessage, 'socket'>['socket'] & { readonly encrypted?: boolean };

/** The end of the server. It has the address of the caller, by which keys and networks are limited. */
function asSocketOf(caller: Caller, stream: Duplex): Duplex {
  const { remoteAddress, encrypted } = caller;
  Object.defineProperty(stream, 'remoteAddress', { value: remoteAddress });
  if (encrypted !== undefined) Object.defineProperty(stream, 'encrypted', { value: encrypted });
  return stream;
}

async function bodyOf(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    if ((size += chunk.length) > maxResponseBytes) throw new Error('the response is larger than 8 MB');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** A request that HTTP cannot express: its target is too long, or a header has a character that no header has. */
export class UnwritableRequest extends Error {}

function open<Sent>(create: () => Sent): Sent {
  try {
    return create();
  } catch {
    throw new UnwritableRequest('an argument has a character that a request cannot have');
  }
}

export class OperationCaller {
  readonly #server: Server;

  /** `handle`: what handles the requests of the network. */
  constructor(handle: RequestListener) {
    // It listens nowhere. The requests come from this process, which limits their time by the signal.
    this.#server = createServer({ maxHeaderSize: maxHeaderBytes, requestTimeout: 0, headersTimeout: 0 }, handle);
  }

  /**
   * Sends a request in the name of the caller at the other end of `caller`. Rejects with UnwritableRequest, when the response is larger
   * than 8 MB, and when the signal aborts.
   */
  async call(request: OperationRequest, caller: Caller, signal: AbortSignal): Promise<OperationResponse> {
    const { method, target: path, headers, body } = request;
    if (path.length > maxTargetLength) throw new UnwritableRequest('the arguments are longer than a request permits');
    const [near, far] = duplexPair();
    this.#server.emit('connection', asSocketOf(caller, far));
    try {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        const sent = open(() => send({ method, path, headers, signal, createConnection: () => near }, resolve));
        sent.once('error', reject).end(body);
      });
      const found = Object.entries(response.headers).map(([name, value]) => [name, value?.toString()] as const);
      return { status: response.statusCode ?? 0, headers: Object.fromEntries(found), body: await bodyOf(response) };
    } finally {
      near.destroy();
      far.destroy();
    }
  }
}
