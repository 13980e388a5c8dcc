import { expect, test } from '@jest/globals';
import { Agent, get, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type Socket } from 'node:net';
import { EventEmitter, once } from 'node:events';
import { listen, type HttpServer } from '../../server/http/server/listen.ts';
import { respondAndClose } from '../../server/http/server/socket-response.ts';
import { exampleAnswer } from '../support/contract.ts';
import { writeEndlessly } from '../support/endless-stream.ts';
import { exampleHandlers, key, startService } from '../support/service.ts';

const pool = '/social/assistant/status';
const local = { host: '127.0.0.1', port: 0 };

/** A GET over this agent, with the whole body read. */
function fetchOver(agent: Agent, { port }: HttpServer): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get({ port, host: '127.0.0.1', path: pool, agent, headers: { 'x-api-key': key } }, (response) =>
      response.resume().on('end', () => resolve(response)),
    ).on('error', reject);
  });
}

test('a stop finishes open requests, closes idle connections at once and accepts no new ones', async () => {
  const begun = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<unknown>();
  let calls = 0;
  const handler = () => ((calls += 1) === 1 ? exampleAnswer('getAssistantStatus') : (begun.resolve(), answer.promise));
  const service = await startService({ handlers: exampleHandlers({ getAssistantStatus: handler }) });
  const agent = new Agent({ keepAlive: true });
  await fetchOver(agent, service);
  const idle = connect(service.port, '127.0.0.1');
  await once(idle, 'connect');

  const inFlight = fetchOver(agent, service);
  await begun.promise;
  // Far beyond the time of this test, which is shorter than that for which an idle connection stays open.
  const stopped = service.stop(600_000);
  await expect(fetchOver(new Agent(), service)).rejects.toThrow(/ECONNREFUSED/);
  setTimeout(() => answer.resolve(exampleAnswer('getAssistantStatus')), 200);
  const response = await inFlight;
  expect([response.statusCode, response.headers.connection]).toEqual([200, 'close']);
  await stopped;
  agent.destroy();
  idle.destroy();
});

test('a stop closes open connections at its deadline, including upgraded sockets', async () => {
  const upgraded = Promise.withResolvers<void>();
  const service = await listen(() => {}, { ...local, upgrade: () => upgraded.resolve() });
  const hanging = fetch(service.url).then(
    () => 'answered',
    () => 'cut',
  );
  const socket = connect(service.port, '127.0.0.1');
  socket.write('GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n');
  await upgraded.promise;
  const closed = once(socket, 'close');
  await service.stop(300);
  await closed;
  expect(await hanging).toBe('cut');
});

test('ignores an upgrade to anything but WebSocket', async () => {
  const listening = await listen((_request, response) => response.end('as ever'), {
    ...local,
    upgrade: (_request, socket) => socket.destroy(),
  });
  const socket = connect(listening.port, '127.0.0.1');
  socket.write('GET / HTTP/1.1\r\nHost: x\r\nUpgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\n\r\n');
  const [data] = (await once(socket, 'data')) as [Buffer];
  expect(data.toString()).toMatch(/^HTTP\/1\.1 200 OK\r\n[^]*as ever/);
  socket.destroy();
  await listening.stop(1000);
});

test('closes a connection with a slow request head', async () => {
  const listening = await listen((_request, response) => response.end(), { ...local, headersTimeout: 300 });
  const socket = connect(listening.port, '127.0.0.1');
  socket.on('error', () => {});
  socket.write('GET / HTTP/1.1\r\n');
  const [data] = (await once(socket, 'data')) as [Buffer];
  expect(data.toString()).toMatch(/^HTTP\/1\.1 408 [^]*\{"error":"the request took too long to arrive"\}$/);
  await listening.stop(1000);
});

test('names a port that is in use', async () => {
  const first = await listen((_request, response) => response.end(), local);
  await expect(listen(() => {}, { ...local, port: first.port })).rejects.toThrow(
    `port ${first.port} of 127.0.0.1 is in use`,
  );
  await first.stop(1000);
});

test('returns the address with the chosen port, also for IPv6', async () => {
  const listening = await listen((_request, response) => response.end('here'), { host: '::1', port: 0 });
  expect(listening.url).toBe(`http://[::1]:${listening.port}`);
  expect(await (await fetch(listening.url)).text()).toBe('here');
  await listening.stop(1000);
});

test('responds to bytes that are not HTTP and to an upgrade that is refused, and closes the connection although the caller keeps it open', async () => {
  const listening = await listen((_request, response) => response.end(), {
    ...local,
    upgrade: (_request, socket) => respondAndClose(socket, 404, 'not here'),
  });
  const outcomes = [
    ['not HTTP\r\n\r\n', 400] as const,
    ['GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n', 404] as const,
  ].map(async ([sent, status]) => {
    const socket = connect({ port: listening.port, host: '127.0.0.1', allowHalfOpen: true });
    const cut = new Promise<void>((resolve) => socket.on('error', () => resolve()));
    socket.write(sent);
    const [data] = (await once(socket, 'data')) as [Buffer];
    expect(data.toString()).toMatch(new RegExp(`^HTTP/1\\.1 ${status} [^]*\\{"error":"[^"]+"\\}$`));
    // Only who writes notices that nobody is there any more.
    const writing = setInterval(() => socket.write(' '), 100);
    await cut;
    clearInterval(writing);
  });
  await Promise.all(outcomes);
  await listening.stop(1000);
});

const piece = Buffer.alloc(64 * 1024);

test('closes a connection that does not read its response', async () => {
  const ended = Promise.withResolvers<boolean>();
  const listening = await listen(
    (_request, response) => {
      response.once('close', () => ended.resolve(response.writableFinished));
      writeEndlessly(response, piece);
    },
    { ...local, stallTimeout: 500 },
  );
  const deaf = connect(listening.port, '127.0.0.1')
    .on('error', () => {})
    .pause();
  deaf.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  expect(await ended.promise).toBe(false);
  deaf.destroy();
  await listening.stop(1000);
});

/** Reads an answer for longer than a caller may stand still. `longestMs` is the longest time without any progress. */
async function readSlowly(stallTimeout: number): Promise<{ finished: boolean; longestMs: number }> {
  const ended = Promise.withResolvers<boolean>();
  const drains = new EventEmitter();
  let [isOver, drainedAt, longestMs] = [false, performance.now(), 0];
  const onDrain = (): void => {
    const now = performance.now();
    [drainedAt, longestMs] = [now, Math.max(longestMs, now - drainedAt)];
    drains.emit('drain');
  };
  const listening = await listen(
    (_request, response) => {
      response.once('close', () => (ended.resolve(response.writableFinished), drains.emit('drain')));
      response.on('drain', onDrain);
      writeEndlessly(response, piece, () => isOver);
    },
    { ...local, stallTimeout },
  );
  const slow = connect(listening.port, '127.0.0.1')
    .on('error', () => {})
    .on('data', () => {});
  slow.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  for (let pause = 0; pause < 15; pause++) {
    slow.pause();
    await new Promise((resolve) => setTimeout(resolve, stallTimeout / 10));
    const drained = once(drains, 'drain');
    slow.resume();
    await drained;
  }
  isOver = true;
  const finished = await ended.promise;
  longestMs = Math.max(longestMs, performance.now() - drainedAt);
  slow.destroy();
  await listening.stop(1000);
  return { finished, longestMs };
}

test('does not close a connection that reads slowly', async () => {
  const stallTimeout = 2_000;
  for (;;) {
    const { finished, longestMs } = await readSlowly(stallTimeout);
    if (finished) break;
    // Where the machine itself stood still for so long, it is tried again.
    expect(longestMs).toBeGreaterThanOrEqual(stallTimeout);
  }
});

test('closes a connection with endless pipelining, but not one with many requests', async () => {
  let first: ServerResponse | undefined;
  const listening = await listen((_request, response) => {
    if (first === undefined) first = response;
    else response.end('.');
  }, local);
  const sendAhead = (count: number): Socket => {
    const socket = connect(listening.port, '127.0.0.1').on('error', () => {});
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(count));
    return socket;
  };
  const endless = sendAhead(100_000);
  await new Promise((resolve) => endless.once('close', resolve));
  first = undefined;
  const many = sendAhead(1_000);
  let received = '';
  many.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
  while (first === undefined) await new Promise((resolve) => setTimeout(resolve, 10));
  (first as ServerResponse).end('.');
  while (received.split('HTTP/1.1 200').length - 1 < 1_000) await once(many, 'data');
  many.destroy();
  await listening.stop(1000);
});
