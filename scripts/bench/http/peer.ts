/** The process of one peer: `peer.ts NAME RESPONSES.json`. */
import { readFile } from 'node:fs/promises';
import { openBare, type PreparedResponse } from './peers/bare.ts';
import { openFastify } from './peers/fastify.ts';
import { openHono } from './peers/hono.ts';
import { openParts } from './peers/parts.ts';
import { openStored } from './peers/stored.ts';

const [name = '', file = ''] = process.argv.slice(2);

const open = {
  bare: async () => openBare(JSON.parse(await readFile(file, 'utf8')) as Record<string, PreparedResponse>),
  fastify: async () => openFastify(await openParts(), { complete: false }),
  complete: async () => openFastify(await openParts(), { complete: true }),
  stored: async () => {
    const parts = await openParts();
    return openFastify(parts, { complete: true, answers: await openStored(parts) });
  },
  hono: async () => openHono(await openParts()),
};
export type PeerName = keyof typeof open;

process.once('SIGTERM', () => process.exit());
console.log(`listening on http://127.0.0.1:${await open[name as PeerName]()}`);
