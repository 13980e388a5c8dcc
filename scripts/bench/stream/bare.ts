/** The peer: `ws` alone, which sends a prepared frame to everyone, or to those of a topic, one after the other. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type WebSocket } from 'ws';
import { answerCalls, cpuTime, memory } from './calls.ts';
import { pace, timeMark, timeText, type Telling } from './workload.ts';

const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
await once(server, 'listening');
let listeners: WebSocket[] = [];
let frame = Buffer.alloc(0);
server.on('connection', (ws) => {
  listeners.push(ws);
  ws.on('error', () => {});
  ws.on('close', () => (listeners = listeners.filter((other) => other !== ws)));
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
    const began = await pace({ ...telling, batch: 1 }, async (number, _upTo, timeOf) => {
      const sent = Buffer.from(frame);
      sent.write(timeText(timeOf(number)), timeAt, 'latin1');
      for (let listener = number % telling.topics; listener < listeners.length; listener += telling.topics) listeners[listener]!.send(sent, { binary: false });
      do await turn();
      while (listeners.some(({ bufferedAmount }) => bufferedAmount > bufferedBytes));
    });
    return { began };
  },
};
export type Bare = typeof handlers;
answerCalls(handlers);
