/** The peer: `ws` alone, which sends a prepared frame to everyone, or to those of a topic, one after the other. */
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';
import { answerCalls, cpuTime, memory } from './calls.ts';
import { pace, timeMark, timeText, type Telling } from './workload.ts';

const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
await once(server, 'listening');
let listeners: { ws: WebSocket; socket: Socket }[] = [];
let frame = Buffer.alloc(0);
server.on('connection', (ws, { socket }) => {
  listeners.push({ ws, socket });
  ws.on('error', () => {});
  ws.on('close', () => (listeners = listeners.filter((other) => other.ws !== ws)));
});

/** What may wait for a socket, as in the service. */
const bufferedBytes = 256 * 1024;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

const handlers = {
  port: () => (server.address() as AddressInfo).port,
  cpuTime,
  memory,
  prepare: (text: string): void => void (frame = Buffer.from(text)),
  async tell(telling: Telling): Promise<{ began: number }> {
    const timeAt = frame.indexOf(timeMark) + timeMark.length;
    const began = await pace(telling, async (from, upTo, timeOf) => {
      if (telling.corked) for (const { socket } of listeners) socket.cork();
      for (let number = from; number < upTo; number++) {
        const sent = Buffer.from(frame);
        sent.write(timeText(timeOf(number)), timeAt, 'latin1');
        for (let place = number % telling.topics; place < listeners.length; place += telling.topics)
          listeners[place]!.ws.send(sent, { binary: false });
      }
      if (telling.corked) for (const { socket } of listeners) socket.uncork();
      do await turn();
      while (listeners.some(({ ws }) => ws.bufferedAmount > bufferedBytes));
    });
    return { began };
  },
};
export type Bare = typeof handlers;
answerCalls(handlers);
