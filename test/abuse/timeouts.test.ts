// Tests server/realtime/connection-monitor.ts.
import { EventEmitter, once } from 'node:events';
import { expect, test } from '@jest/globals';
import type { RequestListener, ServerResponse } from 'node:http';
import { listen, type HttpServer, type ListenOptions } from '../../server/http/server/listen.ts';
import { writeEndlessly } from '../support/endless-stream.ts';
import { open, statusesIn } from './target.ts';

/** Listens with short patience, and stops when the test is over. */
async function withListening(
  handle: RequestListener,
  options: Partial<ListenOptions>,
  look: (listening: HttpServer) => Promise<void>,
): Promise<void> {
  const listening = await listen(handle, { host: '127.0.0.1', port: 0, ...options });
  try {
    await look(listening);
  } finally {
    await listening.stop(100);
  }
}
const post = 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n';

test('closes a connection with a slow body', () =>
  withListening(
    (request, response) => request.on('end', () => response.end()).resume(),
    { headersTimeout: 300, requestTimeout: 600 },
    async ({ port }) => {
      const { socket, received, closed } = open(port);
      socket.write(post);
      const drip = setInterval(() => socket.writable && socket.write('x'), 50);
      await closed;
      clearInterval(drip);
      expect(statusesIn(received())).toEqual([408]);
    },
  ));

test('closes a silent connection', () =>
  withListening(
    (_request, response) => response.end(),
    { headersTimeout: 300 },
    async ({ port }) => {
      const { received, closed } = open(port);
      await closed;
      expect(statusesIn(received())).toEqual([408]);
    },
  ));

test('closes a connection that reads nothing of a response', async () => {
  const over = Promise.withResolvers<boolean>();
  const answer: RequestListener = (_request, response) => {
    response.once('close', () => over.resolve(response.writableFinished));
    writeEndlessly(response, Buffer.alloc(64 * 1024));
  };
  await withListening(answer, { stallTimeout: 500 }, async ({ port }) => {
    const { socket } = open(port);
    socket.pause().write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(await over.promise).toBe(false);
    socket.destroy();
  });
});

test('closes a rejected connection that stays open', () =>
  withListening(
    (_request, response) => response.end(),
    { upgrade: () => {} },
    async ({ port }) => {
      for (const bytes of [
        'nonsense\r\n\r\n',
        `GET / HTTP/1.1\r\nHost: x\r\n${'A: b\r\n'.repeat(120)}Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n`,
      ]) {
        const { socket, received, closed } = open(port);
        socket.allowHalfOpen = true;
        socket.write(bytes);
        await once(socket, 'end');
        expect(statusesIn(received())[0]).toBeGreaterThanOrEqual(400);
        // A connection that is gone resets who still writes to it.
        const knock = setInterval(() => socket.write('x'), 50);
        await closed;
        clearInterval(knock);
      }
    },
  ));

test('aborts a response instead of mixing it with an error', () =>
  withListening(
    (_request, response) => void response.write('the beginning'),
    {},
    async ({ port }) => {
      const { socket, received, closed } = open(port);
      socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
      await once(socket, 'data');
      socket.write('nonsense\r\n\r\n');
      await closed;
      expect(statusesIn(received())).toEqual([200]);
    },
  ));

test('runs pipelined requests one after another, and none after a disconnect', async () => {
  const started: string[] = [];
  const next = new EventEmitter();
  let closedCount = 0;
  const handle: RequestListener = (request, response) => {
    started.push(request.url!);
    response.once('close', () => (closedCount += 1));
    next.emit('begun', response);
  };
  await withListening(handle, {}, async ({ port }) => {
    const { socket, received, closed } = open(port);
    const first = once(next, 'begun');
    socket.write(Array.from({ length: 30 }, (_, at) => `GET /${at} HTTP/1.1\r\nHost: x\r\n\r\n`).join(''));
    let [response] = (await first) as [ServerResponse];
    for (let at = 0; at < 20; at += 1) {
      expect(started).toHaveLength(at + 1);
      const another = once(next, 'begun');
      response.end(`/${at}`);
      [response] = (await another) as [ServerResponse];
    }
    while (!received().endsWith('/19')) await once(socket, 'data');
    const over = once(response, 'close');
    socket.destroy();
    await Promise.all([closed, over]);
    expect({ started, closedCount }).toEqual({
      started: Array.from({ length: 21 }, (_, at) => `/${at}`),
      closedCount: 21,
    });
    expect(Array.from(received().matchAll(/\r\n\r\n(\/\d+)/g), ([, url]) => url)).toEqual(started.slice(0, 20));
  });
});
