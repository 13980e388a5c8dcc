/** The process of one peer. */
import { answerCalls } from '../stream/calls.ts';
import { openBare } from './peers/bare.ts';
import { openExpress } from './peers/express.ts';
import { openFastify } from './peers/fastify.ts';
import { openHono } from './peers/hono.ts';
import { openParts } from './peers/parts.ts';

const open = {
  express: async () => openExpress(await openParts(), false),
  validator: async () => openExpress(await openParts(), true),
  fastify: async () => openFastify(await openParts(), false),
  complete: async () => openFastify(await openParts(), true),
  hono: async () => openHono(await openParts()),
};
export type PeerName = keyof typeof open;

const handlers = {
  /** Starts the peer. Resolves with its port, or with the error message when its packages are not installed. */
  async open(name: PeerName): Promise<{ port: number } | { missing: string }> {
    try {
      return { port: await open[name]() };
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
      return { missing: (error as Error).message };
    }
  },
  openBare,
};
export type Contestant = typeof handlers;
answerCalls(handlers);
