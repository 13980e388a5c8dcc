// Tests server/process/file-fault.ts.
/**
 * What the operator sees when the data directory, its socket or the address cannot be used: one line that says what
 * to mend.
 */
import { existsSync } from 'node:fs';
import { chmod, mkdir, readdir, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { startControl } from '../../server/admin/control-server.ts';
import { controlSocket } from '../../server/admin/control-socket.ts';
import { runsAll, variants } from '../support/rounds.ts';
import { run, startServer, temporaryFolder } from '../support/server.ts';
import { testUnprivileged, unprivileged, unprivilegedEnv } from '../support/unprivileged.ts';
import { nightlyTest } from '../support/nightly.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let dataDir: string;
beforeEach(async () => {
  folder = await temporaryFolder();
  await chmod(folder.path, 0o755);
  dataDir = join(folder.path, 'data');
  await writeFile(join(folder.path, 'tweets.jsonl'), '{"kind":"like","tweet_id":"1"}\n');
});
afterEach(async () => {
  if (existsSync(dataDir)) await chmod(dataDir, 0o700);
  await folder.dispose();
});

const owner = new RegExp(
  `belongs to .*\\b${process.getuid?.()}\\b.*, mode \\d{4}, and this process runs as .*\\b${unprivileged.uid ?? process.getuid?.()}\\b`,
);

type Command = readonly [name: string, script: string, args: () => string[]];
const start: Command = ['start', 'server/main.ts', () => []];
const backup: Command = ['backup', 'scripts/cli/backup.ts', () => [join(folder.path, 'copy')]];
/** Those that ask a running server, where there is one. They connect in the same way, so `npm test` tries one of them. */
const asking = variants<Command>(
  [
    ['import', 'scripts/cli/import.ts', () => [join(folder.path, 'tweets.jsonl')]],
    ['keys', 'scripts/cli/keys.ts', () => ['list']],
    ['accounts', 'scripts/cli/accounts.ts', () => ['list']],
  ],
  1,
);

/** In `npm test` a start alone: the others open the directory in the same way. */
const openers = runsAll ? [start, backup, ...asking] : [start];

/** Standard output without the first line of a start. */
const withoutStart = (stdout: string): string => stdout.replace(/^starting Social Data .*\n/, '');

/** Runs a command that must fail, without the rights of root; what it said. */
async function refusal([, script, args]: Command): Promise<string> {
  const { code, stdout, stderr } = await run(
    script,
    args(),
    { DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn', ...unprivilegedEnv },
    unprivileged,
  );
  expect([code, withoutStart(stdout)]).toEqual([1, '']);
  const lines = stderr.trim().split('\n');
  expect(lines).toHaveLength(1);
  return lines[0] ?? '';
}

describe('names an inaccessible control socket with its owner:', () => {
  for (const command of asking) {
    testUnprivileged(command[0], async () => {
      await mkdir(dataDir, { mode: 0o755 });
      const control = await startControl(dataDir, {});
      await chmod(controlSocket(dataDir), 0);
      const delivered = await refusal(command);
      expect(delivered).toContain(`the control socket ${controlSocket(dataDir)} cannot be opened: connect EACCES`);
      expect(delivered).toMatch(owner);
      expect(delivered).not.toContain('before it responded');
      await control.close();
    });
  }
});

describe('names an inaccessible data directory with its owner:', () => {
  for (const command of openers) {
    testUnprivileged(command[0], async () => {
      await mkdir(dataDir, { mode: 0 });
      const delivered = await refusal(command);
      expect(delivered).toContain(dataDir);
      expect(delivered).toContain('EACCES');
      expect(delivered).toContain(`${dataDir} belongs to`);
      expect(delivered).toMatch(owner);
    });
    (runsAll ? testUnprivileged : test.skip)(`${command[0]}, in an inaccessible folder`, async () => {
      await mkdir(dataDir, { mode: 0 });
      const within = { ...unprivilegedEnv, DATA_DIR: join(dataDir, 'inner'), PORT: '0' };
      const { code, stdout, stderr } = await run(command[1], command[2](), within, unprivileged);
      expect([code, withoutStart(stdout)]).toEqual([1, '']);
      expect(stderr.trim().split('\n')).toEqual([expect.stringMatching(owner)]);
      expect(stderr).toContain(`EACCES`);
    });
  }
});

(runsAll ? testUnprivileged : test.skip)('names a parent folder without write permission, with its owner', async () => {
  await mkdir(dataDir, { mode: 0o555 });
  const { code, stderr } = await run(
    'server/main.ts',
    [],
    { DATA_DIR: join(dataDir, 'new'), PORT: '0', ...unprivilegedEnv },
    unprivileged,
  );
  expect(code).toBe(1);
  expect(stderr.trim().split('\n')).toEqual([expect.stringContaining(`${dataDir} belongs to`)]);
});

testUnprivileged('names an unreadable file of the data directory, with its owner', async () => {
  await mkdir(dataDir);
  await chmod(dataDir, 0o777);
  await writeFile(join(dataDir, 'keys.json'), '{}', { mode: 0 });
  const delivered = await refusal(start);
  expect(delivered).toContain(`${join(dataDir, 'keys.json')} cannot be read: EACCES`);
  expect(delivered).toContain(`${join(dataDir, 'keys.json')} belongs to`);
});

describe('reports a data directory that is a file:', () => {
  test.each(openers)('%s', async (...command) => {
    await writeFile(dataDir, '');
    await chmod(dataDir, 0o700);
    const { code, stdout, stderr } = await run(command[1], command[2](), { DATA_DIR: dataDir, PORT: '0' });
    expect([code, withoutStart(stdout)]).toEqual([1, '']);
    expect(stderr.trim().split('\n')).toEqual([expect.stringContaining(`${dataDir} is not a folder`)]);
    const within = await run(command[1], command[2](), { DATA_DIR: join(dataDir, 'inner'), PORT: '0' });
    expect(within.stderr.trim().split('\n')).toEqual([expect.stringContaining(`${dataDir} is not a folder`)]);
  });
});

nightlyTest('starts and serves commands with long paths of the data and temporary folders', async () => {
  const long = join(folder.path, 'x'.repeat(120));
  await mkdir(long);
  const env = { TMPDIR: long };
  const server = await startServer(join(long, 'data'), { ...env, DEMO: '0' });
  const made = await run('scripts/cli/keys.ts', ['create', '--name', 'a'], { ...env, DATA_DIR: join(long, 'data') });
  expect(made).toMatchObject({ code: 0, stderr: '' });
  expect(await server.end()).toBe(0);
});

nightlyTest('reports a too long data directory name in one line', async () => {
  const { code, stdout, stderr } = await run('server/main.ts', [], {
    DATA_DIR: join(folder.path, 'x'.repeat(300)),
    PORT: '0',
  });
  expect([code, withoutStart(stdout)]).toEqual([1, '']);
  expect(stderr.trim().split('\n')).toEqual([expect.stringMatching(/^data directory .* cannot be used: ENAMETOOLONG/)]);
});

describe('reports an unusable address before it creates anything:', () => {
  test('a port that is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const { code, stdout, stderr } = await run('server/main.ts', [], { DATA_DIR: dataDir, PORT: String(port) });
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr.trim().split('\n')).toEqual([`port ${port} of 127.0.0.1 is in use: choose another PORT`]);
    expect(existsSync(dataDir)).toBe(false);

    // The first start that gets its port shows the key, and it is the only one.
    other.close();
    await once(other, 'close');
    const server = await startServer(dataDir, { DEMO: '0' });
    expect(server.output()).toMatch(/^ {2}API key +sd_\S+ {2}\(shown only once: store it\)$/m);
    expect(await server.end()).toBe(0);
  });

  test('an address of another machine', async () => {
    const { code, stdout, stderr } = await run('server/main.ts', [], {
      DATA_DIR: dataDir,
      HOST: '192.0.2.1',
      PORT: '0',
    });
    expect([code, stdout, stderr.trim()]).toEqual([
      1,
      '',
      '192.0.2.1 is not an address of this machine: choose another HOST',
    ]);
    expect(await readdir(folder.path)).toEqual(['tweets.jsonl']);
  });
});
