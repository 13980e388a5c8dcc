/** Measures the client package: its size, its import and the CPU time of a call, compared with fetch, openapi-fetch and two SDKs. */
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { buildScripts } from '../../client/build.ts';
import { startProcess } from './calls.ts';
import type { Caller } from './client/caller.ts';
import { clients, requests } from './client/callers.ts';
import type { Command } from './options.ts';
import { importPeer } from './peer-packages.ts';
import type { Outcome, Row } from './result.ts';
import { startServer } from './service.ts';

const here = new URL('./', import.meta.url);

/** The kilobytes that a browser loads first: minified by esbuild, and compressed. */
async function sizeOf(app: string): Promise<number> {
  const { outputFiles } = await build({
    stdin: { contents: app, resolveDir: here.pathname },
    ...{ bundle: true, minify: true, format: 'esm', splitting: true, platform: 'browser', target: 'es2022' },
    ...{ write: false, outdir: '/out', logLevel: 'silent' },
  });
  const [first] = outputFiles;
  if (first === undefined) throw new Error('the bundle is empty');
  return gzipSync(first.contents, { level: 9 }).length / 1000;
}

/** Measures a client in a process of its own. Calls `onValue` with each figure. */
async function measureClient(
  name: string,
  url: string,
  calls: number,
  onValue: (metric: string, unit: string, value: number) => void,
): Promise<void> {
  const caller = startProcess<Caller>('./client/caller.ts', { args: [name] });
  try {
    onValue('import', 'ms', await caller.call('importMs'));
    for (const request of Object.keys(requests))
      for (const atOnce of [1, 16]) {
        const micros = await caller.call('measure', { url, request, calls, atOnce });
        onValue(`${request}, ${atOnce} at once`, 'µs CPU', micros);
      }
  } finally {
    await caller.end();
  }
}

export async function benchClient(command: Command): Promise<Outcome> {
  // Before anything is measured.
  await importPeer('@octokit/core');
  await buildScripts(new URL('../../client/dist', here).pathname);
  const [rounds, calls] = [command.number('rounds'), command.values.quick ? 40 : 3_000];
  const server = await startServer(['scripts/bench/client/server.ts'], {});
  const rows = new Map<string, Row & { readonly values: number[] }>();
  const add = (subject: string, metric: string, unit: string, value: number): void => {
    const row = rows.get(`${metric} ${subject}`) ?? { metric, subject, unit, better: 'lower', values: [] };
    row.values.push(value);
    rows.set(`${metric} ${subject}`, row);
  };
  try {
    for (const [name, { app }] of Object.entries(clients))
      add(name, 'size in a browser, gzipped', 'kB', await sizeOf(app));
    for (let round = 1; round <= rounds; round++) {
      console.error(`client: round ${round} of ${rounds}`);
      // The order is random in each round, so that other load of the machine affects all clients alike.
      for (const name of Object.keys(clients).toSorted(() => Math.random() - 0.5))
        await measureClient(name, server.url, calls, (metric, unit, value) => add(name, metric, unit, value));
    }
    const order = Object.keys(clients);
    const sorted = [...rows.values()].toSorted((a, b) => order.indexOf(a.subject) - order.indexOf(b.subject));
    return { rows: sorted };
  } finally {
    await server.stop();
  }
}
