/** Upstreams that are slow, dead or lie, on real sockets: each call ends in time, reads no more than it may, and leaves no connection. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { withDeadline } from '../../server/assistant/deadline.ts';
import { ProviderError } from '../../server/ports/assistant-provider.ts';
import { openaiProvider } from '../../server/assistant/providers/openai.ts';
import { createDexScreener } from '../../server/onchain/dexscreener.ts';
import { build, emptyArchive } from '../assistant/providers/subjects.ts';
import { writeEndlessly } from '../support/endless-stream.ts';
import { inTurn } from '../support/rounds.ts';

interface Upstream {
  readonly url: string;
  /** Connections that are open now. */
  readonly open: Set<Socket>;
  close(): void;
}

let upstream: Upstream | undefined;
afterEach(() => upstream?.close());

type Behaviour = (socket: Socket) => void;

/** A server of bytes: `behave` is called when the head of a request is there. */
async function start(behave: Behaviour): Promise<Upstream> {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket)).on('error', () => {});
    socket.once('data', () => behave(socket));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    open,
    close() {
      server.close();
      open.forEach((socket) => socket.destroy());
    },
  };
}

const head = (...more: string[]): string =>
  ['HTTP/1.1 200 OK', 'Content-Type: application/json', ...more, '', ''].join('\r\n');
const chunkOf = (text: string): string => `${text.length.toString(16)}\r\n${text}\r\n`;
function trickle(socket: Socket, text: string): void {
  const timer = setInterval(() => socket.write(chunkOf(text)), 50);
  socket.once('close', () => clearInterval(timer));
}
const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '));

const behaviours: [string, Behaviour][] = [
  ['takes the request and never answers', () => {}],
  ['resets the connection', (socket) => socket.resetAndDestroy()],
  ['closes it without a word', (socket) => socket.end()],
  [
    'resets it in the middle of the head',
    (socket) => void socket.write('HTTP/1.1 200 O', () => socket.resetAndDestroy()),
  ],
  ['sends no HTTP', (socket) => void socket.end('SSH-2.0-OpenSSH_9.6\r\n')],
  [
    'sends a head without end',
    (socket) => {
      writeEndlessly(
        socket.on('error', () => {}),
        `X-Padding: ${'x'.repeat(1000)}\r\n`,
      );
    },
  ],
  [
    'trickles its answer',
    (socket) => {
      socket.write(head('Transfer-Encoding: chunked'));
      trickle(socket, ' ');
    },
  ],
  [
    'sends chunks without end',
    (socket) => {
      socket.write(head('Transfer-Encoding: chunked'));
      writeEndlessly(socket, chunkOf(' '.repeat(65_536)));
    },
  ],
  ['promises more than it sends', (socket) => void socket.end(`${head('Content-Length: 1000')}{"choices":[`)],
  [
    'promises less than it sends',
    (socket) => void socket.end(`${head('Content-Length: 5')}{"choices":[{"message":{"content":"x"}}]}`),
  ],
  [
    'packs 64 MB into 64 kB',
    (socket) => {
      socket.write(head('Content-Encoding: gzip', `Content-Length: ${bomb.length}`));
      socket.end(bomb);
    },
  ],
  [
    'declares gzip for uncompressed data',
    (socket) => void socket.end(`${head('Content-Encoding: gzip', 'Content-Length: 7')}{"a":1}`),
  ],
  [
    'sends to another host',
    (socket) =>
      void socket.end(
        'HTTP/1.1 307 Temporary Redirect\r\nLocation: http://169.254.169.254/latest/meta-data\r\nContent-Length: 0\r\n\r\n',
      ),
  ],
  [
    'sends to itself, for ever',
    (socket) =>
      void socket.end('HTTP/1.1 302 Found\r\nLocation: /again\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'),
  ],
  [
    'sends other types',
    (socket) => void socket.end(`${head('Content-Length: 35')}{"choices":7,"pairs":{"length":1e9}}`),
  ],
];

/** What may be read of one answer, and as much again for what is read ahead of its reader in this process. */
const mostBytes = 2 * 8 * 1024 * 1024;
/** The sockets of `fetch`. Their own count of bytes leaves out what waits in the kernel, however much that may be. */
const clients: Socket[] = [];
const noteClient = (message: unknown): void => void clients.push((message as { socket: Socket }).socket);
beforeAll(() => subscribe('undici:client:connected', noteClient));
afterAll(() => void unsubscribe('undici:client:connected', noteClient));
beforeEach(() => void clients.splice(0));
const bytesRead = (): number => clients.reduce((sum, { bytesRead: read }) => sum + read, 0);
const noLonger = async (open: Set<Socket>): Promise<void> => {
  while (open.size > 0) await new Promise((resolve) => setTimeout(resolve, 10));
};

describe.each(inTurn(behaviours, 5))('an upstream that %s', (_name, behave) => {
  test('fails the question to the assistant within its time limit, with a documented error', async () => {
    upstream = await start(behave);
    const provider = openaiProvider();
    const asking = withDeadline(1_500, new AbortController().signal, (signal) =>
      provider.ask(
        { id: 'a', baseUrl: upstream!.url },
        { subject: build, archive: emptyArchive, turns: [], prompt: null, model: 'm', suggest: null, extract: false },
        { signal, questions: 1 },
      ),
    );
    const error = await asking.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(ProviderError);
    expect(['failed', 'timeout']).toContain((error as ProviderError).fault);
    expect(clients.length).toBeGreaterThan(0);
    expect(bytesRead()).toBeLessThan(mostBytes);
    await noLonger(upstream.open);
  });

  test('leaves a token unresolved within the time limit', async () => {
    upstream = await start(behave);
    const outcomes: string[] = [];
    const observer = {
      cacheLookedUp: () => {},
      lookupFinished: (outcome: string) => void outcomes.push(outcome),
      requestFinished: () => {},
    };
    const resolver = createDexScreener({ baseUrl: new URL(upstream.url), observer });
    expect(await resolver.resolve({ symbol: 'pond' }, undefined, new AbortController().signal)).toBeNull();
    expect(['failed', 'unknown']).toContain(outcomes[0]);
    expect(clients.length).toBeGreaterThan(0);
    expect(bytesRead()).toBeLessThan(mostBytes);
    await noLonger(upstream.open);
  });
});
