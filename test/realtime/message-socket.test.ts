/** How frames reach a socket: those of a turn together, and none after a close frame. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import type { WebSocket } from 'ws';
import { createWriteBatcher } from '../../server/realtime/frame.ts';
import { MessageSocket } from '../../server/realtime/message-socket.ts';

const [open, closing] = [1, 2];
/** The calls on the socket and on the WebSocket, in order. */
let calls: string[];
let socket: Socket;
let ws: { OPEN: number; readyState: number; close(code: number, text: string): void; terminate(): void; ping(): void };
let counted: string[];
let faults: unknown[];
/** What `close` was called with. */
let closes: [code: number, text: string][];
let messages: MessageSocket;
let end: () => void;

beforeEach(async () => {
  [calls, counted, faults, closes] = [[], [], [], []];
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const peer = connect(typeof address === 'object' && address !== null ? address.port : 0, '127.0.0.1').resume();
  [socket] = (await once(server, 'connection')) as [Socket];
  end = () => [peer, socket, server].forEach((each) => ('destroy' in each ? each.destroy() : each.close()));
  const { cork, write } = socket;
  socket.cork = () => (calls.push('cork'), cork.call(socket));
  socket.write = (frame: Uint8Array | string) => (calls.push(`write ${frame.toString()}`), write.call(socket, frame));
  ws = {
    ...{ OPEN: open, readyState: open, terminate: () => calls.push('terminate'), ping: () => calls.push('ping') },
    close: (...reason) => void (calls.push('close'), closes.push(reason)),
  };
  messages = new MessageSocket({
    ...{ ws: ws as unknown as WebSocket, socket, bufferedBytes: 0, batchWrites: createWriteBatcher() },
    reportFault: (...fault) => void faults.push(fault),
    countMessage: (direction, type) => void counted.push(`${direction} ${type}`),
  });
});
afterEach(() => {
  jest.useRealTimers();
  end();
});

const turn = (): Promise<void> => new Promise(setImmediate);
const write = (text: string): void => messages.write(Buffer.from(text), 'event');

test('one frame of a turn is written without corking the socket, several as one write, in order', async () => {
  write('a');
  await turn();
  write('b');
  write('c');
  write('d');
  await turn();
  expect(calls).toEqual(['write a', 'cork', 'write b', 'write c', 'write d']);
});

test('the frames of a turn count as buffered until they are written', async () => {
  const length = socket.writableHighWaterMark;
  write('x'.repeat(length));
  expect([messages.buffered, messages.isFull]).toEqual([length, false]);
  write('y');
  expect([messages.buffered, messages.isFull, calls]).toEqual([length + 1, true, []]);
  await turn();
  expect(calls.map((call) => call.slice(0, 7))).toEqual(['cork', 'write x', 'write y']);
});

test('the frames of a turn are written before a close frame, and none after one', async () => {
  write('a');
  messages.close('restart');
  expect(calls).toEqual(['write a', 'close']);
  ws.readyState = closing;
  write('b');
  await turn();
  expect(calls).toHaveLength(2);
});

test('the frames of a turn in which ws answers the close frame of the peer are dropped', async () => {
  write('a');
  ws.readyState = closing;
  await turn();
  expect([calls, messages.buffered]).toEqual([[], 0]);
});

test('the frames of a turn leave the socket, and the next turn begins anew', async () => {
  for (const text of ['a', 'b']) write(text);
  await turn();
  expect([socket.writableCorked, messages.buffered, messages.acceptedBytes]).toEqual([0, 0, 2]);
  write('c');
  await turn();
  expect(calls.slice(-1)).toEqual(['write c']);
  messages.flush(0);
  expect([calls.length, messages.acceptedBytes]).toEqual([4, 3]);
});

test('the time of the last frame is that of its turn', async () => {
  const before = messages.lastSent;
  expect(Math.abs(performance.now() - before)).toBeLessThan(60_000);
  write('a');
  messages.flush(before + 5);
  expect(messages.lastSent).toBe(before + 5);
});

test('a message is sent as a frame with its JSON, and counted', async () => {
  messages.send({ type: 'cancelled', id: 'a' });
  await turn();
  expect([calls.length, calls[0]?.endsWith('{"type":"cancelled","id":"a"}')]).toEqual([1, true]);
  expect([counted, faults]).toEqual([['out cancelled'], []]);
});

test.each([
  [{ type: 'answer', id: 'a', n: -1, delta: 'secret' }, ',"id":"a"'],
  [{ type: 'pong', timestamp: 'secret' }, ''],
  [{ type: 'lagging', behind: -1, oldest_cursor: 'secret' }, ''],
] as const)('a message that violates the contract is reported without its texts: %j', async (message, id) => {
  messages.send(message);
  await turn();
  expect(faults).toEqual([['a message violates the contract', { type: message.type }]]);
  const error = `{"type":"error","error":"internal error","status":500,"code":"internal"${id}}`;
  expect([calls[0]?.endsWith(error), counted]).toEqual([true, ['out error']]);
});

test('a message to a client that reads no answers closes the connection', () => {
  const most = 4 * socket.writableHighWaterMark;
  write('x'.repeat(most));
  messages.send({ type: 'cancelled', id: 'a' });
  expect([messages.isClosing, counted]).toEqual([false, ['out event', 'out cancelled']]);
  messages.send({ type: 'cancelled', id: 'b' });
  expect([closes, counted.length]).toEqual([[[4108, 'too slow: connect again and resume by cursor']], 2]);
});

test('a connection that is closing sends no message', () => {
  ws.readyState = closing;
  messages.send({ type: 'cancelled', id: 'a' });
  write('a');
  expect([counted, messages.buffered]).toEqual([[], 0]);
});

test('a ping goes to the peer', () => {
  expect([messages.ping(), calls]).toEqual([true, ['ping']]);
});

test('is closed once, with the first reason, and ends a second later where the peer does not answer', () => {
  jest.useFakeTimers();
  expect([messages.isClosing, messages.closeCode]).toEqual([false, undefined]);
  messages.close('restart');
  messages.close('slow');
  expect([messages.isClosing, messages.closeCode, closes]).toEqual([true, 4200, [[4200, 'the server restarts']]]);
  jest.advanceTimersByTime(999);
  expect(calls).toEqual(['close']);
  jest.advanceTimersByTime(1);
  expect(calls).toEqual(['close', 'terminate']);
});

test('is closed by the peer without a code of this server', () => {
  messages.markClosed();
  messages.close('restart');
  expect([messages.isClosing, messages.closeCode, closes]).toEqual([true, undefined, []]);
});
