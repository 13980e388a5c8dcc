/** Requests that are answered before their body was read: the answer comes at once, and little of the body is read. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { listen, type HttpServer } from '../../server/http/server/listen.ts';
import { respondAndClose } from '../../server/http/server/socket-response.ts';
import { key, otherKey, startService, type Service } from '../support/service.ts';
import { nightlyTest } from '../support/nightly.ts';

/**
 * What a server may read of a body that it does not want, in bytes: the limit, and what is on its way through its own
 * buffers.
 */
const mostRead = 1024 * 1024;
const large = 64 * 1024 * 1024;
const unlike = '/social/tweet/unlike';
const withKey = `x-api-key: ${key}\r\n`;
const json = 'Content-Type: application/json\r\n';
const valid = '{"tweet_id":"1890000000000000001"}';

/**
 * The server's ends of the connections, by the caller's port: in this process, they count what was read, whatever the
 * kernel holds.
 */
const accepted = new Map<number, Socket>();
function onSocket(message: unknown): void {
  const { socket } = message as { socket: Socket };
  accepted.set(socket.remotePort ?? 0, socket);
}
beforeAll(() => {
  subscribe('net.server.socket', onSocket);
});
afterAll(() => {
  unsubscribe('net.server.socket', onSocket);
});

interface Outcome {
  readonly status: number;
  readonly head: string;
  readonly body: string;
  /** Everything that was received, an interim response included. */
  readonly received: string;
  /** Bytes of the connection that the server has read. */
  readonly read: number;
}

/**
 * Sends a head, then body pieces for as long as the connection takes them; resolves when the server has closed the
 * connection.
 */
async function sendOn(port: number, head: string, piece: Buffer | string = '', times = 0): Promise<Outcome> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await once(socket, 'connect');
  const { localPort = 0 } = socket;
  socket.write(`${head}\r\n`);
  for (let sent = 0; sent < times && socket.writable; sent++) {
    if (!socket.write(piece)) await Promise.race([once(socket, 'drain').catch(() => {}), closed]);
  }
  await closed;
  const [answerHead = '', ...rest] = received.replace(/^HTTP\/1\.1 100 [^]*?\r\n\r\n/, '').split('\r\n\r\n');
  // The socket object keeps its count after the connection is gone.
  const read = accepted.get(localPort)?.bytesRead ?? NaN;
  return { status: Number(answerHead.split(' ')[1]), head: answerHead, body: rest.join('\r\n\r\n'), received, read };
}

const post = (target: string, fields: string, method = 'POST'): string =>
  `${method} ${target} HTTP/1.1\r\nHost: x\r\n${fields}`;
const piece = Buffer.alloc(64 * 1024, 0x20);
const chunk = Buffer.concat([Buffer.from('10000\r\n'), piece, Buffer.from('\r\n')]);
const lengthOf = (bytes: number): string => `Content-Length: ${bytes}\r\n`;
const chunked = 'Transfer-Encoding: chunked\r\n';

/** Every way to be answered without the body having been read: where, with which head, and the status. */
const refused: readonly (readonly [name: string, target: string, fields: string, status: number, method?: string])[] = [
  ['no key', unlike, json, 401],
  ['a wrong key', unlike, `${json}x-api-key: wrong\r\n`, 401],
  ['two keys', unlike, `${json}${withKey}Authorization: Bearer ${otherKey}\r\n`, 401],
  ['no path of the contract', '/social/nothing', withKey, 404],
  ['a page that does not exist', '/docs/nothing', '', 404],
  ['a method that is not allowed', '/social/space/detail?id=a', withKey, 405],
  ['a page', '/docs/', '', 405],
  ['a document', '/openapi.json', '', 405],
  ['a probe', '/healthz', '', 405],
  ['the metrics', '/metrics', '', 405],
  ['the event stream without an upgrade', '/ws', '', 405],
  ['another media type', unlike, `${withKey}Content-Type: text/plain\r\n`, 415],
  ['another charset', unlike, `${withKey}Content-Type: application/json; charset=latin1\r\n`, 415],
  ['another content coding', unlike, `${withKey}${json}Content-Encoding: zstd\r\n`, 415],
  ['an unknown parameter', `${unlike}?a=1`, `${withKey}${json}`, 400],
  ['no host', unlike, `Host: y\r\n${withKey}${json}`, 400],
];

describe('does not read an unneeded body:', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop(1_000));

  const gets = [
    ['a page', '/docs/search'],
    ['a probe', '/readyz'],
    ['an operation', '/social/space/detail?id=1vSampleSpace1'],
  ] as const;
  const cases: typeof refused = [
    ...refused,
    ...gets.map(
      ([name, target]) => [`a GET that is answered all the same: ${name}`, target, withKey, 200, 'GET'] as const,
    ),
    ['a body that is too large', unlike, withKey + json, 413],
  ];

  const framings = [
    ['of a known length', lengthOf(large), piece],
    ['in chunks', chunked, chunk],
  ] as const;
  const framed = framings.flatMap(([form, framing, part]) =>
    cases.map(([name, ...request]) => [`${name}, ${form}`, framing, part, ...request] as const),
  );

  // All at once, because each caller is given its time to read the answer.
  test('of a known length, and in chunks', async () => {
    const outcomes = framed.map(async ([name, framing, part, target, fields, status, method]) => {
      const outcome = await sendOn(service.port, post(target, fields + framing, method), part, large / piece.length);
      expect({ name, status: outcome.status, closes: /^Connection: close/m.test(outcome.head) }).toEqual({
        name,
        status,
        closes: true,
      });
      if (status !== 200)
        expect({ name, body: JSON.parse(outcome.body) as unknown }).toEqual({
          name,
          body: { error: expect.any(String) },
        });
      expect({ name, isBounded: outcome.read < mostRead, read: outcome.read }).toMatchObject({ name, isBounded: true });
    });
    await Promise.all(outcomes);
  });

  test('sends the final status instead of 100 for `Expect: 100-continue`', async () => {
    const outcomes = cases.map(async ([name, target, fields, status, method]) => {
      const head = post(target, `${fields}Expect: 100-continue\r\n${lengthOf(999_999_999)}`, method);
      const { received } = await sendOn(service.port, head);
      expect({ name, statuses: received.match(/HTTP\/1\.1 \d+/g) }).toEqual({ name, statuses: [`HTTP/1.1 ${status}`] });
    });
    await Promise.all(outcomes);
  });

  test('limits the compressed size of a body, too', async () => {
    // Empty stored blocks: they decompress to nothing, for as long as they come.
    const head = post(unlike, `${withKey}${json}Content-Encoding: deflate\r\n${chunked}`);
    const blocks = Buffer.alloc(65_535, Buffer.from('000000ffff', 'hex'));
    const first = Buffer.concat([Buffer.from('2\r\n'), Buffer.from('7801', 'hex'), Buffer.from('\r\n')]);
    const part = Buffer.concat([Buffer.from('ffff\r\n'), blocks, Buffer.from('\r\n')]);
    const outcome = await sendOn(service.port, `${head}\r\n${first.toString('latin1')}`.slice(0, -2), part, 1_000);
    expect([outcome.status, outcome.read < mostRead]).toEqual([413, true]);
  });

  nightlyTest('a caller that reads only after sending an oversized body still gets the response', async () => {
    const body = ' '.repeat(200 * 1024);
    const socket = connect(service.port, '127.0.0.1');
    const failed: Error[] = [];
    socket.on('error', (error) => failed.push(error)).pause();
    await new Promise<void>((resolve) =>
      socket.write(`${post(unlike, json + lengthOf(body.length))}\r\n${body}`, () => resolve()),
    );
    let received = '';
    for await (const data of socket as AsyncIterable<Buffer>) received += data.toString();
    expect(received).toMatch(/^HTTP\/1\.1 401 [^]*\{"error":"Invalid or missing API key"\}$/);
    expect(failed).toEqual([]);
  });
});

describe('reads a needed body:', () => {
  let service: Service;
  beforeAll(async () => {
    service = await startService();
  });
  afterAll(() => service.stop(1_000));

  test('sends 100 for a valid request with `Expect: 100-continue`', async () => {
    const socket = connect(service.port, '127.0.0.1');
    socket.write(
      `${post(unlike, `${withKey}${json}Expect: 100-continue\r\n${lengthOf(valid.length)}Connection: close\r\n`)}\r\n`,
    );
    const [interim] = (await once(socket, 'data')) as [Buffer];
    expect(interim.toString()).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    let received = '';
    socket.write(valid);
    for await (const data of socket as AsyncIterable<Buffer>) received += data.toString();
    expect(received).toMatch(/^HTTP\/1\.1 200 [^]*"success":true/);
  });

  nightlyTest('accepts a body of the maximum size, and keeps the connection', async () => {
    const body = valid.padEnd(16 * 1024);
    const socket = connect(service.port, '127.0.0.1');
    const request = post(unlike, withKey + json + lengthOf(body.length));
    for (let call = 0; call < 2; call++) {
      socket.write(`${request}\r\n${body}`);
      const [data] = (await once(socket, 'data')) as [Buffer];
      expect(data.toString()).toMatch(/^HTTP\/1\.1 200 /);
      expect(data.toString()).not.toMatch(/^Connection: close/m);
    }
    socket.destroy();
  });

  test('keeps the connection after a rejected short body', async () => {
    const socket = connect(service.port, '127.0.0.1');
    let received = '';
    socket.on('data', (data: Buffer) => (received += data.toString()));
    const closed = once(socket, 'close');
    socket.write(`${post(unlike, json + lengthOf(valid.length))}\r\n${valid}`);
    socket.write(post('/healthz', 'Connection: close\r\n\r\n', 'GET'));
    await closed;
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 200']);
  });

  test('ignores data after a response that closes the connection', async () => {
    const socket = connect(service.port, '127.0.0.1');
    let received = '';
    socket.write(`${post(unlike, json + lengthOf(20_000))}\r\n `);
    socket.once('data', () => socket.write(`${' '.repeat(19_999)}${post('/healthz', '\r\n', 'GET')}`));
    socket.on('data', (data: Buffer) => (received += data.toString()));
    await once(socket, 'close');
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401']);
  });
});

test('does not read the body of a request that is shed, and of one beyond the rate limit', async () => {
  const full = await startService({ load: { inFlight: 0, overload: () => 'in_flight', track: () => {} } });
  const limited = await startService({ rateLimit: { requests: 1, periodMs: 3_600_000 } });
  await limited.request('/social/assistant/status');
  const head = post(unlike, withKey + json + lengthOf(large));
  const outcomes = await Promise.all(
    [full, limited].map(({ port }) => sendOn(port, head, piece, large / piece.length)),
  );
  expect(outcomes.map(({ status, read }) => [status, read < mostRead])).toEqual([
    [503, true],
    [429, true],
  ]);
  await Promise.all([full.stop(1_000), limited.stop(1_000)]);
});

describe('limits reading without a request:', () => {
  let listening: HttpServer;
  beforeAll(async () => {
    const upgrade = (_request: unknown, socket: Socket): void => respondAndClose(socket, 404, 'not here');
    listening = await listen((_request, response) => response.end(), { host: '127.0.0.1', port: 0, upgrade });
  });
  afterAll(() => listening.stop(1_000));

  const heads = [
    ['bytes that are not HTTP', 'not HTTP\r\n', 400],
    ['a head without an end', `GET / HTTP/1.1\r\nX: ${'x'.repeat(100_000)}`, 431],
    ['an upgrade that is refused', 'GET /ws HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n', 404],
  ] as const;

  test(heads.map(([name]) => name).join(', '), async () => {
    const outcomes = heads.map(async ([name, head, status]) => {
      const outcome = await sendOn(listening.port, head, piece, large / piece.length);
      expect({ name, status: outcome.status }).toEqual({ name, status });
      expect({ name, isBounded: outcome.read < mostRead, read: outcome.read }).toMatchObject({ name, isBounded: true });
    });
    await Promise.all(outcomes);
  });
});
