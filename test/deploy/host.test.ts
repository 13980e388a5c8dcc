/** What an operator without containers has: the systemd unit, the file of variables, the health check. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readConfig, settings } from '../../server/config/config.ts';
import { readiness, writability } from '../../server/frame/readiness.ts';
import { bundledProgram } from '../support/bundled-service.ts';
import { runProgram, testWith } from '../support/programs.ts';
import { inTurn } from '../support/rounds.ts';
import { run, startServer, temporaryFolder } from '../support/server.ts';

const root = new URL('../../', import.meta.url).pathname;
const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8');

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder.dispose());

describe('the systemd unit', () => {
  /** As it is when it is installed, but where the repository is on this machine. */
  async function installed(): Promise<string> {
    const unit = join(folder.path, 'social-data.service');
    await writeFile(unit, (await read('server/deploy/social-data.service')).replaceAll('/opt/social-data/', root));
    await chmod(unit, 0o644);
    return unit;
  }

  testWith(['systemd-analyze'], 'has nothing that systemd does not understand', async () => {
    const { code, output } = await runProgram('systemd-analyze', ['verify', '--man=no', await installed()]);
    expect([code, output.split('\n').filter((line) => line.includes('social-data'))]).toEqual([0, []]);
  });

  testWith(['systemd-analyze'], 'leaves the process little to do harm with', async () => {
    const { output } = await runProgram('systemd-analyze', [
      'security',
      '--offline=true',
      '--no-pager',
      await installed(),
    ]);
    expect(Number(/Overall exposure level for \S+: ([\d.]+)/.exec(output)![1])).toBeLessThan(2);
  });

  test('has a stop timeout longer than the shutdown, and a start timeout longer than its health check', async () => {
    const text = await read('server/deploy/social-data.service');
    const seconds = (name: string): number => Number(new RegExp(`^${name}=(\\d+)$`, 'm').exec(text)![1]);
    expect(seconds('TimeoutStopSec')).toBeGreaterThan(10);
    expect(seconds('TimeoutStartSec')).toBeGreaterThan(Number(/--wait (\d+)/.exec(text)![1]));
  });
});

describe('the variables', () => {
  const row = /^\| `([A-Z_]+)` \| (.*?) ?\| (.*) \|$/gm;

  test('README.md and the help have the same descriptions', async () => {
    const rows = [...(await read('README.md')).matchAll(row)];
    expect(rows.length).toBeGreaterThanOrEqual(8);
    for (const [, name, defaultText = '', description] of rows) {
      const setting = settings.find((each) => each.name === name);
      expect([name, description]).toEqual([setting?.name, setting?.description]);
      expect(defaultText.replaceAll('`', '')).toBe(setting?.defaultText);
    }
  });

  test.each(settings.map((setting) => [setting.name, setting] as const))(
    'the environment file and the help describe %s equally',
    async (name, { description, defaultText }) => {
      const [, comment, value] =
        new RegExp(`^# (.*)\\n(?:# )?${name}=(.*)$`, 'm').exec(await read('server/deploy/social-data.env')) ?? [];
      const text = description.replaceAll('`', '');
      expect(comment).toContain(`${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`);
      if (name !== 'DEMO') expect(value).toBe(defaultText);
    },
  );

  test('the environment file lists all variables with valid values', async () => {
    const text = await read('server/deploy/social-data.env');
    const lines = [...text.matchAll(/^(?:# )?([A-Z_]+)=(.*)$/gm)].map(([, name, value]) => [name!, value!] as const);
    expect(lines.map(([name]) => name)).toEqual(settings.map(({ name }) => name));
    expect(readConfig(Object.fromEntries(lines))).toMatchObject({ demo: false, port: 3000 });
  });
});

test('no core dump holds keys and texts: under systemd and in containers', async () => {
  expect(await read('server/deploy/social-data.service')).toMatch(/^LimitCORE=0$/m);
  for (const file of ['compose.yaml', 'compose.cluster.yaml'])
    expect(await read(`server/deploy/${file}`)).toMatch(/ulimits:\n(?: +.*\n)*? +core: 0$/m);
});

describe('the health check', () => {
  const health = (args: string[], env: Record<string, string> = {}): ReturnType<typeof run> =>
    run('server/deploy/health.ts', args, env);

  test('requests the server of HOST and PORT, and reports why it is not ready', async () => {
    let status = 503;
    const server = createServer(
      (_request, response) =>
        void response.writeHead(status).end('{"error":"the server is not ready: it is stopping"}'),
    ).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const env = { HOST: '0.0.0.0', PORT: String((server.address() as AddressInfo).port) };
    expect(await health([], env)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^not ready: http:\/\/127\.0\.0\.1:\d+\/readyz: 503 .*it is stopping/),
    });
    const waiting = health(['--wait', '60'], env);
    status = 200;
    expect(await waiting).toMatchObject({ code: 0, stdout: 'ready\n' });
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
    expect(await health([], env)).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/no response: .*ECONNREFUSED/),
    });
  });

  test('does not wait for an ended process', async () => {
    const child = spawn(process.execPath, ['-e', '0']);
    await once(child, 'close');
    // It may wait for far longer than this test may take.
    expect(await health(['--wait', '600', '--pid', String(child.pid), 'http://127.0.0.1:9/readyz'])).toMatchObject({
      code: 1,
    });
  });

  const wrong: readonly (readonly [args: string[], words: string])[] = [
    [['--wait', 'x'], '--wait x: expected a whole number of seconds'],
    [['--pid', '0'], '--pid 0: expected the id of a process'],
    [['here'], 'here: expected one URL'],
    [['--wiat', '1'], "Unknown option '--wiat'"],
  ];
  test.each(inTurn(wrong, 1))('rejects %j with a message', async (args, words) => {
    const { code, stderr } = await health(args);
    expect([code, stderr]).toEqual([1, expect.stringContaining(words)]);
    expect(stderr).not.toMatch(/^ +at /m);
  });
});

describe('readiness', () => {
  const journal = (failed?: Error) => ({ failed }) as never;

  test('describes the reason without file names', () => {
    const all = new Map([
      ['archive', journal()],
      ['events', journal()],
    ]);
    expect(readiness({ stopping: false })).toBe(true);
    expect(readiness({ stopping: true })).toBe('it is shutting down');
    expect(writability({ journals: all })).toBe(true);
    const failed = new Map([
      ...all,
      ['archive', journal(new Error('/srv/data is full'))],
      ['pool', journal(new Error('/srv/data is full'))],
    ] as const);
    expect(writability({ journals: failed })).toBe(
      "it cannot write 'archive' and 'pool': see the log; writes resume when the cause is fixed",
    );
    expect(writability({ journals: all, database: { writeFault: 'read_only' } })).toBe(
      'a change could not be stored: the database is read-only, as a standby is',
    );
    expect(writability({ journals: all, writes: { current: 'lock' } })).toMatch(/other writers/);
  });
});

test('SIGTERM ends a start that is still reading its archive', async () => {
  const dataDir = join(folder.path, 'reading');
  await mkdir(dataDir);
  const program = (await bundledProgram('server/main.ts', '')) ?? 'server/main.ts';
  const child = spawn(process.execPath, [program], {
    cwd: root,
    env: { ...process.env, DATA_DIR: dataDir, PORT: '0', TOKEN_RESOLVER: 'off' },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = once(child, 'close') as Promise<[number | null, string | null]>;
  // The key is printed long before the sample is read.
  await once(child.stdout, 'data');
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  // Nothing is broken: the next start goes on.
  const server = await startServer(dataDir, { DEMO: '1' });
  expect((await fetch(`${server.url}/readyz`)).status).toBe(200);
  expect(await server.end()).toBe(0);
});
