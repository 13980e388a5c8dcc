/** Programs that npm started, when only npm gets the signal, as with pm2, a container or a CI job. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { has } from '../support/programs.ts';
import { inTurn, isTurnOf, variants } from '../support/rounds.ts';
import { startLocalServer, temporaryFolder } from '../support/local-server.ts';
import { nightlyTest } from '../support/nightly.ts';

const root = new URL('../../', import.meta.url).pathname;
/** One that npm passes on to the program, which it waits for; and one that ends npm alone. */
const signals = ['SIGTERM', 'SIGKILL', 'SIGINT', 'SIGHUP'] as const;
/** npm passes these on, and waits for the program. */
const passedOn: readonly string[] = ['SIGTERM', 'SIGINT'];
const describeNpm = has('npm') ? describe : describe.skip;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let running: ChildProcess | undefined;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(async () => {
  running?.kill('SIGKILL');
  await folder.dispose();
});

interface Script {
  readonly npm: ChildProcess;
  /** All that npm and the program wrote. */
  output(): string;
  /** Resolves when the output has this. */
  said(text: RegExp): Promise<void>;
  /** How npm ended. */
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
  /** Resolves when npm and all that it started are gone: nobody holds their outputs any more. */
  readonly allGone: Promise<unknown>;
}

/** Runs a script of package.json by the npm of PATH. */
function runScript(args: readonly string[]): Script {
  const npm = spawn('npm', args, {
    cwd: root,
    env: {
      ...process.env,
      DATA_DIR: join(folder.path, 'data'),
      PORT: '0',
      LOG_LEVEL: 'info',
      TOKEN_RESOLVER: 'off',
      DEMO: '0',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running = npm;
  let text = '';
  for (const stream of [npm.stdout, npm.stderr])
    stream.setEncoding('utf8').on('data', (more: string) => (text += more));
  const allGone = once(npm, 'close');
  let isOver = false;
  void allGone.then(() => (isOver = true));
  return {
    npm,
    output: () => text,
    async said(wanted) {
      while (!wanted.test(text)) {
        if (isOver) throw new Error(`it ended: ${text}`);
        await Promise.race([allGone, ...[npm.stdout, npm.stderr].map((stream) => once(stream, 'data'))]);
      }
    },
    ended: once(npm, 'exit').then(([code, signal]) => ({ code, signal })),
    allGone,
  };
}

const isThere = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describeNpm('a signal to npm alone', () => {
  test.each(inTurn(signals, 1))('%s stops `npm start` normally', async (signal) => {
    const dataDir = join(folder.path, 'data');
    const script = runScript(['start']);
    await script.said(/^listening on /m);
    const pid = Number(await readFile(join(dataDir, 'lock'), 'utf8'));
    expect(isThere(pid)).toBe(true);
    script.npm.kill(signal);
    const ended = await script.ended;
    if (passedOn.includes(signal)) {
      expect(ended).toEqual({ code: 0, signal: null });
      // npm has waited for it: whoever restarts it at once finds the lock free.
      expect(isThere(pid)).toBe(false);
    }
    // Nothing is asked about the pid here: who inherits the process may leave it as a zombie.
    await script.allGone;
    expect(script.output()).toContain('"msg":"stopping"');
    expect(existsSync(join(dataDir, 'control.sock'))).toBe(false);
    // It left the data directory, which another server can open.
    await (await startLocalServer(dataDir, { DEMO: '0' })).end();
  });

  nightlyTest.each(variants(['SIGKILL', 'SIGTERM'] as const, 1))('%s stops `npm run mock`', async (signal) => {
    const script = runScript(['run', 'mock']);
    await script.said(/^mock listening on /m);
    const url = /^mock listening on (\S+)$/m.exec(script.output())![1]!;
    script.npm.kill(signal);
    if (signal === 'SIGTERM') expect(await script.ended).toEqual({ code: 0, signal: null });
    await script.allGone;
    await expect(fetch(`${url}/healthz`)).rejects.toThrow();
  });

  // It checks the types of the whole project, 20 s of CPU time.
  (isTurnOf(3, 5) ? test : test.skip).each(variants(['SIGKILL', 'SIGTERM'] as const, 1))(
    '%s stops `npm run dev`, and the server that it runs',
    async (signal) => {
      const script = runScript(['run', 'dev']);
      await script.said(/^listening on /m);
      const pid = Number(await readFile(join(folder.path, 'data', 'lock'), 'utf8'));
      script.npm.kill(signal);
      if (signal === 'SIGTERM') expect(await script.ended).toEqual({ code: 0, signal: null });
      await script.allGone;
      // The process that inherits it may take a moment to collect it.
      while (isThere(pid)) await new Promise((resolve) => setTimeout(resolve, 20));
    },
  );

  nightlyTest('SIGTERM stops `npm run import` after the current batch; the same command resumes', async () => {
    const file = join(folder.path, 'tweets.jsonl');
    const tweet = (n: number): string =>
      JSON.stringify({
        kind: 'tweet',
        tweet: { id: String(1000 + n), text: `tweet ${n}`, created_at: '2026-01-01T00:00:00Z', author_id: '1' },
      });
    const count = 20_000;
    await writeFile(file, Array.from({ length: count }, (_, n) => tweet(n)).join('\n'));
    const script = runScript(['run', 'import', '--', file]);
    const catalogue = join(folder.path, 'data', 'archive', 'catalogue.json');
    while (!existsSync(catalogue)) await new Promise((resolve) => setTimeout(resolve, 5));
    script.npm.kill('SIGTERM');
    const { code } = await script.ended;
    await script.allGone;
    // A machine may be done before the signal arrives.
    expect(code === 0 || script.output().includes('stopped before the end')).toBe(true);
    const again = runScript(['run', 'import', '--', file]);
    expect(await again.ended).toEqual({ code: 0, signal: null });
  });
});

test('every script of package.json is the process that npm runs, not a child of a shell', async () => {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const inShell = Object.entries(scripts).filter(([, line]) => !line.includes('&&') && !/^(\w+=\S+ )*exec /.test(line));
  expect(inShell).toEqual([]);
});
