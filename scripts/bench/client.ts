/** The client package: what it weighs, how long it takes to import, and what a call costs beside bare fetch, bare openapi-fetch and two SDKs. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { build } from 'esbuild';
import { buildScripts } from '../../client/build.ts';
import { contenders } from './client/callers.ts';
import { markdownTable, median, milliseconds } from './table.ts';

export interface ClientBench {
  /** Measurements of each, of which the median counts. */
  readonly rounds: number;
  /** Calls in a measurement. */
  readonly calls: number;
  /** Calls under way at once. */
  readonly atOnce: readonly number[];
}

const here = new URL('./', import.meta.url);
const baseline = 'bare openapi-fetch';

/** Runs one measurement in a process of its own. */
async function measure<Result>(name: string, ...parameters: string[]): Promise<Result> {
  const { stdout } = await promisify(execFile)(process.execPath, [
    new URL('client/caller.ts', here).pathname,
    name,
    ...parameters,
  ]);
  return JSON.parse(stdout) as Result;
}

/** Bytes of what a browser loads first: minified, and gzipped. */
async function weigh(app: string): Promise<{ minified: number; gzipped: number }> {
  const { outputFiles } = await build({
    stdin: { contents: app, resolveDir: here.pathname },
    bundle: true,
    minify: true,
    format: 'esm',
    splitting: true,
    platform: 'browser',
    target: 'es2022',
    write: false,
    outdir: '/out',
    logLevel: 'silent',
  });
  const { contents } = outputFiles[0]!;
  return { minified: contents.length, gzipped: gzipSync(contents, { level: 9 }).length };
}

interface Cost {
  readonly cpuMicros: number;
  readonly perSecond: number;
}

/** The names of the contenders that are installed. */
async function installed(): Promise<string[]> {
  const found = await Promise.all(
    Object.keys(contenders).map(async (name) =>
      (await measure(name, 'import').catch(() => undefined)) === undefined ? [] : [name],
    ),
  );
  return found.flat();
}

/** Measures and prints tables; `json`: a file for all the figures. */
export async function benchClient({ rounds, calls, atOnce }: ClientBench, json?: string): Promise<void> {
  await buildScripts(new URL('../../client/dist', here).pathname);
  const names = await installed();
  const missing = Object.keys(contenders).filter((name) => !names.includes(name));
  const server = spawn(process.execPath, [new URL('client/answering.ts', here).pathname], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [line] = (await once(createInterface(server.stdout), 'line')) as [string];
    const { url, bytes } = JSON.parse(line) as { url: string; bytes: number };
    const imports = new Map<string, number[]>(names.map((name) => [name, []]));
    const costs = new Map<string, Cost[]>(names.flatMap((name) => atOnce.map((count) => [`${name} ${count}`, []])));
    for (let round = 1; round <= rounds; round++) {
      console.error(`client: round ${round} of ${rounds}`);
      // Each round has all of them in another order, so that what else the machine does hits none of them more.
      for (const name of names.toSorted(() => Math.random() - 0.5)) {
        imports.get(name)!.push((await measure<{ importMs: number }>(name, 'import')).importMs);
        for (const count of atOnce)
          costs.get(`${name} ${count}`)!.push(await measure<Cost>(name, url, String(calls), String(count)));
      }
    }
    const sizes = new Map(
      await Promise.all(names.map(async (name) => [name, await weigh(contenders[name]!.app)] as const)),
    );
    const ratioOf = (name: string, count: number): number =>
      median(
        costs
          .get(`${name} ${count}`)!
          .map(({ cpuMicros }, round) => cpuMicros / costs.get(`${baseline} ${count}`)![round]!.cpuMicros),
      );
    console.log(
      `\nThe client: medians of ${rounds} rounds of ${calls} calls that answer ${bytes} bytes; sizes as minified by esbuild for a browser`,
    );
    console.log(
      markdownTable(
        names.map((name) => ({
          client: name,
          'kB minified': (sizes.get(name)!.minified / 1000).toFixed(1),
          'kB gzipped': (sizes.get(name)!.gzipped / 1000).toFixed(2),
          'import, ms': milliseconds(median(imports.get(name)!)),
          ...Object.fromEntries(
            atOnce.flatMap((count) => [
              [
                `CPU µs a call, ${count} at once`,
                median(costs.get(`${name} ${count}`)!.map(({ cpuMicros }) => cpuMicros)).toFixed(0),
              ],
              [`× openapi-fetch, ${count}`, ratioOf(name, count).toFixed(2)],
            ]),
          ),
        })),
      ),
    );
    if (missing.length > 0) console.log(`not installed: ${missing.join(', ')} (npm install --prefix scripts/bench)`);
    if (json !== undefined)
      await writeFile(
        json,
        `${JSON.stringify({ rounds, calls, bytes, sizes: Object.fromEntries(sizes), imports: Object.fromEntries(imports), costs: Object.fromEntries(costs) }, null, 2)}\n`,
      );
  } finally {
    server.kill();
  }
}
