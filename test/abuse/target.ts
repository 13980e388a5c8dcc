/** The real server as the target of an attack: bytes on its sockets, and whether it is unharmed. */
import { connect, type Socket } from 'node:net';
import { expect } from '@jest/globals';
import { readExposition } from '../support/exposition.ts';
import { startServer, temporaryFolder, type RunningServer } from '../support/server.ts';

export const key = 'sd_hostile1_S2VlcFRoaXNPdXRPZkFuc3dlcnM';
const root = new URL('../../', import.meta.url).pathname;

export interface Target {
  readonly server: RunningServer;
  readonly port: number;
  /**
   * Fails unless the server is as it was: it answers, had no fault, and holds nothing of what was sent: no memory, and no
   * socket after 30 seconds.
   */
  expectUnharmed(): Promise<void>;
  /** Fails if a response leaks internal information. */
  expectDiscreet(answer: string): void;
  end(): Promise<void>;
}

/** What an attack may leave in memory, in bytes: the heap grows when there is much to do, and gives back when it likes. */
const mostLeft = 300 * 1024 * 1024;

/** Starts the server with the bundled sample; `extra` adds variables. */
export async function startTarget(extra: Record<string, string> = {}): Promise<Target> {
  const folder = await temporaryFolder();
  const server = await startServer(folder.path, {
    API_KEYS: key,
    RATE_LIMIT: 'off',
    FAILED_KEYS: 'off',
    ...extra,
  });
  const port = Number(new URL(server.url).port);

  async function figure(name: string): Promise<number> {
    const { series } = readExposition(await (await fetch(`${server.url}/metrics`)).text());
    const found = series.filter((each) => each.name === name);
    expect(found.length).toBeGreaterThan(0);
    return found.reduce((sum, { value }) => sum + value, 0);
  }
  /** How many files and sockets the server has open. Only Linux reports it; elsewhere it counts as 0. */
  const openFiles = async (): Promise<number> => (process.platform === 'linux' ? figure('process_open_fds') : 0);
  async function faults(): Promise<unknown[]> {
    const { series } = readExposition(await (await fetch(`${server.url}/metrics`)).text());
    return series.filter(
      ({ name, labels, value }) =>
        name === 'http_requests_total' && labels.status?.startsWith('5') === true && value > 0,
    );
  }
  // The first requests of the process compile things, and open the connection of these questions; threads that open
  // the archive start after that.
  for (let last = -1, equal = 0; equal < 8; await new Promise((resolve) => setTimeout(resolve, 250))) {
    const now = await openFiles();
    equal = now === last ? equal + 1 : 0;
    last = now;
  }
  const before = { files: await openFiles(), memory: await figure('process_resident_memory_bytes') };

  return {
    server,
    port,

    async expectUnharmed() {
      const health = await fetch(`${server.url}/healthz`);
      expect([health.status, await health.json()]).toEqual([200, { status: 'ok' }]);
      expect(server.child.exitCode).toBeNull();
      expect(await faults()).toEqual([]);
      expect(faultsIn(server.errors())).toEqual([]);
      // What was refused may linger for a second.
      for (const end = Date.now() + 30_000; Date.now() < end && (await openFiles()) > before.files + 5;) {
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      expect(await openFiles()).toBeLessThanOrEqual(before.files + 5);
      expect(await figure('process_resident_memory_bytes')).toBeLessThan(before.memory + mostLeft);
    },

    expectDiscreet(answer) {
      expect(answer).not.toContain(key);
      expect(answer).not.toContain(root);
      expect(answer).not.toContain(folder.path);
      expect(answer).not.toMatch(/node_modules|node:internal|\.[jt]s:\d+|\n\s+at /);
    },

    async end() {
      expect(await server.end()).toBe(0);
      await folder.dispose();
    },
  };
}

/** The lines of a log with errors, and lines that are not log lines. */
function faultsIn(log: string): string[] {
  return log
    .split('\n')
    .filter((line) => line !== '' && !(line.startsWith('{') && (JSON.parse(line) as { level: number }).level < 50));
}

/** Opens a connection that reports no errors; what comes is read and kept. */
export function open(port: number): { socket: Socket; received: () => string; closed: Promise<unknown> } {
  const socket = connect(port, '127.0.0.1');
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', () => {});
  return {
    socket,
    received: () => Buffer.concat(chunks).toString('latin1'),
    closed: new Promise((resolve) => socket.once('close', resolve)),
  };
}

/** Sends the bytes and returns the response of the server until it closes. `ends` half-closes the connection. */
export async function exchange(port: number, bytes: Buffer | string, { ends = false } = {}): Promise<string> {
  const { socket, received, closed } = open(port);
  socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  if (ends) socket.end();
  await closed;
  return received();
}

/** The statuses of the answers in what a server said, in order. */
export const statusesIn = (said: string): number[] =>
  Array.from(said.matchAll(/HTTP\/1\.1 (\d{3}) [A-Z]/g), ([, status]) => Number(status));
