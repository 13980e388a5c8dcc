import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from '../support/property.ts';
import { deflateRawSync } from 'node:zlib';
import { listener, type Listener } from '../support/stream.ts';
import { key, open, startTarget, type Target } from './target.ts';
import { rounds } from '../support/rounds.ts';

let target: Target;
/** Listens all the while, and must miss nothing. */
let steady: Listener;
beforeAll(async () => {
  target = await startTarget({ WS_CONNECTIONS: '1000' });
  steady = await listener(target.server.url, key);
  await steady.ask({ type: 'subscribe', id: 'steady', channel: 'assistant:pool', params: {} });
});
afterAll(async () => {
  steady.socket.terminate();
  await target.end();
});

/** A frame as a client sends it (RFC 6455 §5.2), with whatever is wrong. `length` is what it says of itself. */
function frame(
  payload: Buffer | string,
  {
    opcode = 1,
    fin = true,
    reserved = 0,
    masked = true,
    length,
  }: { opcode?: number; fin?: boolean; reserved?: number; masked?: boolean; length?: bigint } = {},
): Buffer {
  const bytes = Buffer.from(payload);
  const said = length ?? BigInt(bytes.length);
  const size = said < 126n ? Buffer.alloc(2) : said < 65_536n ? Buffer.alloc(4) : Buffer.alloc(10);
  size[0] = (fin ? 0x80 : 0) | (reserved << 4) | opcode;
  size[1] = (masked ? 0x80 : 0) | (size.length === 2 ? Number(said) : size.length === 4 ? 126 : 127);
  if (size.length === 4) size.writeUInt16BE(Number(said), 2);
  if (size.length === 10) size.writeBigUInt64BE(said, 2);
  // A mask of zeros leaves the payload as it is.
  return Buffer.concat([size, Buffer.alloc(masked ? 4 : 0), bytes]);
}

/** A stream whose frames are written by hand. */
async function enter(fields = ''): Promise<ReturnType<typeof open>> {
  const opened = open(target.port);
  opened.socket.write(
    `GET /ws?api_key=${key} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: MDEyMzQ1Njc4OTAxMjM0NQ==\r\n${fields}\r\n`,
  );
  while (!opened.received().includes('"type":"connected"')) await once(opened.socket, 'data');
  return opened;
}

/** The code of the close frame that ended a stream; undefined where it was cut. */
function closeCode(received: string): number | undefined {
  const bytes = Buffer.from(received, 'latin1');
  for (let at = bytes.indexOf('\r\n\r\n') + 4; at < bytes.length;) {
    const size = bytes[at + 1]!;
    const [head, length] =
      size < 126
        ? [2, size]
        : size === 126
          ? [4, bytes.readUInt16BE(at + 2)]
          : [10, Number(bytes.readBigUInt64BE(at + 2))];
    if (bytes[at] === 0x88) return bytes.readUInt16BE(at + head);
    at += head + length;
  }
  return undefined;
}

/** The streams are part of what is open: all but the steady one must be gone. */
async function expectUnharmed(): Promise<void> {
  await target.expectUnharmed();
  expect((await steady.ask({ type: 'subscriptions', id: `${Math.random()}` })).type).toBe('subscriptions');
  expect(steady.of('error')).toEqual([]);
}

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

describe('an invalid frame', () => {
  test.each<[string, Buffer, number]>([
    ['one without a mask', frame('{}', { masked: false }), 1002],
    ['one with a reserved bit', frame('{}', { reserved: 1 }), 1002],
    ['one that says it is compressed', frame(deflateRawSync(Buffer.alloc(10_000_000, 32)), { reserved: 4 }), 1002],
    ['one of a kind that there is not', frame('{}', { opcode: 3 }), 1002],
    ['a continuation without a first frame', frame('{}', { opcode: 0 }), 1002],
    ['one that begins within another', Buffer.concat([frame('{', { fin: false }), frame('}')]), 1002],
    ['a ping that is too long', frame('x'.repeat(126), { opcode: 9 }), 1002],
    ['a ping in pieces', frame('x', { opcode: 9, fin: false }), 1002],
    ['a close with half a code', frame('x', { opcode: 8 }), 1002],
    ['a close with an invalid code', frame(Buffer.from([0, 1]), { opcode: 8 }), 1002],
    ['one that says it is 4 exabytes', frame('', { length: 2n ** 62n }), 1009],
    ['one that says it is a gigabyte', frame('{', { length: 2n ** 30n }), 1009],
    ['one of 64 kB and a byte', frame('x'.repeat(65_537)), 1009],
    [
      'pieces that come to more than 64 kB',
      Buffer.concat([frame('x'.repeat(40_000), { fin: false }), frame('x'.repeat(40_000), { opcode: 0 })]),
      1009,
    ],
    ['text with invalid UTF-8', frame(Buffer.from([0x22, 0xc0, 0xaf, 0x22])), 1007],
    ['bytes', frame('{}', { opcode: 2 }), 1003],
  ])('%s ends its connection', async (_name, bytes, code) => {
    const { socket, received, closed } = await enter();
    socket.write(bytes);
    await closed;
    expect(closeCode(received())).toBe(code);
    target.expectDiscreet(received());
  });

  test('does not affect other connections', expectUnharmed);
});

test('does not negotiate compression', async () => {
  const { socket, received } = await enter(
    'Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits=15, x-unknown; a="b"\r\n',
  );
  expect(received().split('\r\n\r\n', 1)[0]).not.toMatch(/sec-websocket-extensions/i);
  socket.destroy();
});

test('random frames and bytes close the connection or get a response', async () => {
  const anyFrame = fc
    .record({
      payload: fc.oneof(
        fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
        fc.json().map((text) => Buffer.from(text)),
      ),
      opcode: fc.oneof({ weight: 3, arbitrary: fc.constantFrom(0, 1, 9, 10) }, { weight: 1, arbitrary: fc.nat(15) }),
      fin: fc.oneof({ weight: 4, arbitrary: fc.constant(true) }, { weight: 1, arbitrary: fc.constant(false) }),
      reserved: fc.oneof({ weight: 9, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat(7) }),
    })
    .map(({ payload, ...how }) => frame(payload, how));
  const bytes = fc.uint8Array({ minLength: 1, maxLength: 2_000 }).map((each) => Buffer.from(each));
  const sent = fc.sample(
    fc.oneof(
      bytes,
      fc.array(anyFrame, { minLength: 1, maxLength: 20 }).map((frames) => Buffer.concat(frames)),
    ),
    { numRuns: rounds(200), seed: 5 },
  );
  let ended = 0;
  for (let at = 0; at < sent.length; at += 10) {
    await Promise.all(
      sent.slice(at, at + 10).map(async (each) => {
        const { socket, received, closed } = await enter();
        socket.end(each);
        await closed;
        if (closeCode(received()) !== undefined) ended += 1;
        expect(received()).not.toContain('"status":500');
        target.expectDiscreet(received());
      }),
    );
  }
  expect(ended).toBeGreaterThan(rounds(50));
  await expectUnharmed();
});

test.each<[string, string]>([
  ['lists in lists', nested(32_000)],
  ['lists without an end', '['.repeat(65_000)],
  ['a channel of lists', `{"type":"subscribe","id":"1","channel":${nested(30_000)},"params":{}}`],
  [
    'parameters of lists',
    `{"type":"subscribe","id":"1","channel":"user:tweets","params":{"user_id":${nested(30_000)}}}`,
  ],
  ['a channel that makes texts fail', '{"type":"subscribe","id":"1","channel":{"toString":1},"params":{}}'],
  ['a channel of every object', '{"type":"subscribe","id":"1","channel":"constructor","params":{}}'],
  [
    'a parameter called __proto__',
    '{"type":"subscribe","id":"1","channel":"user:tweets","params":{"__proto__":{"user_id":"1"}}}',
  ],
  ['a command of a prototype', '{"__proto__":{"type":"ping"}}'],
  ['a type of 60 kB', JSON.stringify({ type: 'x'.repeat(60_000) })],
  ['ten thousand members', `{"type":"ping",${Array.from({ length: 5_000 }, (_, at) => `"m${at}":1`).join()}}`],
])('reports JSON that is %s with a short error, and keeps the connection', async (_name, text) => {
  const each = await listener(target.server.url, key);
  each.send(text);
  const { status, error } = await each.first('error');
  expect(status).toBe(400);
  expect(error.length).toBeLessThan(1_000);
  expect(await each.ask({ type: 'ping', id: 'after' })).toMatchObject({ type: 'pong', id: 'after' });
  each.socket.terminate();
});

describe('a flood closes its connection:', () => {
  const many = (count: number, each: Buffer): Buffer => Buffer.concat(Array.from({ length: count }, () => each));

  test.each<[string, Buffer, number]>([
    ['commands', many(1_000, frame('{"type":"ping"}')), 4129],
    ['messages that are none', many(1_000, frame('x')), 4000],
  ])('%s', async (_name, bytes, code) => {
    const { socket, received, closed } = await enter();
    socket.write(bytes);
    await closed;
    expect(closeCode(received())).toBe(code);
  });
  test('endless fragments', async () => {
    const { socket, received, closed } = await enter();
    socket.write(Buffer.concat([frame('{', { fin: false }), many(40_000, frame('', { opcode: 0, fin: false }))]));
    await closed;
    // Cut while it still sends, it may not hear why.
    expect([1008, undefined]).toContain(closeCode(received()));
  });
  test('pings with unread pongs', async () => {
    const { socket, closed } = await enter();
    const pings = many(5_000, frame('x'.repeat(125), { opcode: 9 }));
    socket.pause();
    const more = (): void => void (socket.writable ? socket.write(pings, () => setImmediate(more)) : socket.destroy());
    more();
    await closed;
  });
  test('without effect on other connections', expectUnharmed);
});
