/** The platform of the benchmark in a separate process: a stream of frames, and an AppView with a profile for each account. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';
import { answerCalls } from '../stream/calls.ts';
import { dids, frames, postFrame } from './workload.ts';

let prepared: Buffer[] = [];
const http = createServer((request, response) => {
  const url = new URL(request.url ?? '/', 'http://host');
  const profiles = url.searchParams.getAll('actors').map((did) => ({ did, handle: `${did.slice(-12)}.example.com` }));
  // One answer for all queries: the account exists, and has no history.
  const answer = { did: dids[0], profiles, posts: [], feed: [], subject: {}, follows: [] };
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
});
http.listen(0, '127.0.0.1');
await once(http, 'listening');
const sockets = new WebSocketServer({ server: http, perMessageDeflate: false });
let subscribers = 0;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
const bufferedBytes = 1024 * 1024;

/** Sends all frames after the first frame of the client, as fast as the client reads. */
async function stream(socket: WebSocket): Promise<void> {
  for (const [index, frame] of prepared.entries()) {
    socket.send(frame, { binary: false });
    if (index % 64 === 0) while (socket.bufferedAmount > bufferedBytes) await turn();
    if (socket.readyState !== socket.OPEN) return;
  }
}
sockets.on('connection', (socket) => {
  socket.on('error', () => {});
  socket.once('message', () => {
    subscribers++;
    void stream(socket);
  });
});

const handlers = {
  port: () => (http.address() as AddressInfo).port,
  /** Prepares frames; returns the time of the last one in microseconds. */
  prepare({ count, from }: { readonly count: number; readonly from: number }): number {
    prepared = Array.from(frames(count, from), (frame) => Buffer.from(frame));
    return (from + count - 1) * 1000;
  },
  /** The number of clients that asked for events so far. */
  subscribers: () => subscribers,
  /** Sends a post with this text to all clients, as it happens. */
  post(text: string): void {
    const frame = postFrame(text, Date.now());
    for (const socket of sockets.clients) socket.send(frame);
  },
};
export type Platform = typeof handlers;
answerCalls(handlers);
