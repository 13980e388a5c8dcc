/** The peer: a `ws` server that sends a prepared frame to all listeners, or to those of a topic. */
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';
import { answerCalls, cpuTime, memory } from './calls.ts';
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

const handlers = {
  port: () => (server.address() as AddressInfo).port,
  cpuTime,
  memory,
  prepare: (text: string): void => void (frame = Buffer.from(text)),
  async publish(publication: Publication): Promise<{ startedAt: number }> {
    const timeAt = frame.indexOf(timeMark) + timeMark.length;
    const startedAt = await pace(publication, async (from, upTo, timeOf) => {
      if (publication.corked) for (const { socket } of listeners) socket.cork();
      for (let number = from; number < upTo; number++) {
        const sent = Buffer.from(frame);
        sent.write(timeText(timeOf(number)), timeAt, 'latin1');
        for (let index = number % publication.topics; index < listeners.length; index += publication.topics)
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
