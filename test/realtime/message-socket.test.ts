/** How frames reach a socket: those of a turn together, and none after a close frame. */
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { WebSocket } from 'ws';
import { createWriteBatcher } from '../../server/realtime/frame.ts';
import { MessageSocket } from '../../server/realtime/message-socket.ts';

const [open, closing] = [1, 2];
/** The calls on the socket and on the WebSocket, in order. */
let calls: string[];
let socket: Socket;
let ws: { OPEN: number; readyState: number; close(): void; terminate(): void };
let messages: MessageSocket;
let end: () => void;

beforeEach(async () => {
  calls = [];
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const peer = connect(typeof address === 'object' && address !== null ? address.port : 0, '127.0.0.1').resume();
  [socket] = (await once(server, 'connection')) as [Socket];
  end = () => [peer, socket, server].forEach((each) => ('destroy' in each ? each.destroy() : each.close()));
  const { cork, write } = socket;
  socket.cork = () => (calls.push('cork'), cork.call(socket));
  socket.write = (frame: Uint8Array | string) => (calls.push(`write ${frame.toString()}`), write.call(socket, frame));
  ws = { OPEN: open, readyState: open, close: () => calls.push('close'), terminate: () => {} };
  messages = new MessageSocket({
    ...{ ws: ws as unknown as WebSocket, socket, bufferedBytes: 0, batchWrites: createWriteBatcher() },
    ...{ reportFault: () => {}, countMessage: () => {} },
  });
});
afterEach(() => end());

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
