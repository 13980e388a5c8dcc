/** The peer: a `ws` server that sends a prepared frame to all listeners, or to those of a topic. On request, it stores each batch first. */
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdtemp, open } from 'node:fs/promises';
import type { AddressInfo, Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { WebSocketServer, type WebSocket } from 'ws';
import { answerCalls, cpuTime } from '../calls.ts';
import { pace, timeMark, timeText, type Publication } from './workload.ts';

const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
await once(server, 'listening');
let listeners: { ws: WebSocket; socket: Socket }[] = [];
let frame = Buffer.alloc(0);
server.on('connection', (ws, { socket }) => {
  listeners.push({ ws, socket });
  ws.on('error', () => {});
  ws.on('close', () => (listeners = listeners.filter((other) => other.ws !== ws)));
});

/** The maximum of unsent bytes per socket, as in the service. */
const bufferedBytes = 256 * 1024;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const directory = await mkdtemp(join(tmpdir(), 'bench-stream-bare-'));
process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
const journal = await open(join(directory, 'journal'), 'a');

/** Appends frames to a file. Resolves when they are durable. */
async function store(frames: readonly Buffer[]): Promise<void> {
  await journal.appendFile(Buffer.concat(frames));
  await journal.datasync();
}

const handlers = {
  port: () => (server.address() as AddressInfo).port,
  cpuTime,
  prepare: (text: string): void => void (frame = Buffer.from(text)),
  async publish(publication: Publication): Promise<{ startedAt: number }> {
    const timeAt = frame.indexOf(timeMark) + timeMark.length;
    const startedAt = await pace(publication, async (from, upTo, timeOf) => {
      const frames = Array.from({ length: upTo - from }, (_, index) => {
        const sent = Buffer.from(frame);
        sent.write(timeText(timeOf(from + index)), timeAt, 'latin1');
        return sent;
      });
      if (publication.durable) await store(frames);
      if (publication.corked) for (const { socket } of listeners) socket.cork();
      for (const [offset, sent] of frames.entries()) {
        const topic = (from + offset) % publication.topics;
        for (let index = topic; index < listeners.length; index += publication.topics)
          listeners[index]?.ws.send(sent, { binary: false });
      }
      if (publication.corked) for (const { socket } of listeners) socket.uncork();
      do await turn();
      while (listeners.some(({ ws }) => ws.bufferedAmount > bufferedBytes));
    });
    return { startedAt };
  },
};
export type Bare = typeof handlers;
answerCalls(handlers);
