import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { bundledProgram } from './bundled-service.ts';
import { inTurn, isFull } from './rounds.ts';
import { run, startServer, temporaryFolder } from './server.ts';
import { nightlyTest } from './nightly.ts';

const root = new URL('../../', import.meta.url).pathname;
const program = (args: readonly string[]): string => args.find((arg) => /main\.[jt]s$/.test(arg)) ?? '';

test('a process of the service runs the bundle of its sources except in a full run, and says the same as the sources', async () => {
  const bundled = join(process.env.TEST_RUN_FOLDER!, 'service', 'main.js');
  const folder = await temporaryFolder();
  try {
    const server = await startServer(join(folder.path, 'data'), { DEMO: '0' });
    expect(program(server.child.spawnargs)).toBe(isFull ? 'server/main.ts' : bundled);
    expect((await fetch(`${server.url}/docs/operations`)).status).toBe(200);
    // Packages find the files beside them.
    expect((await fetch(`${server.url}/docs/try`)).status).toBe(200);
    expect([await server.end(), server.errors()]).toEqual([0, '']);
  } finally {
    await folder.dispose();
  }
  const { stdout } = spawnSync(process.execPath, ['server/main.ts', '--help'], { cwd: root, encoding: 'utf8' });
  expect(await run('server/main.ts', ['--help'], {})).toEqual({ code: 0, stdout, stderr: '' });
});

// Other commands import modules of the last one.
nightlyTest.each(inTurn(['cli/keys', 'spec/generate'], 1))(
  '%s runs the bundle, and says the same as the sources',
  async (name) => {
    const script = `scripts/${name}.ts`;
    const bundled = join(process.env.TEST_RUN_FOLDER!, 'service', `scripts/${name}.js`);
    expect(await bundledProgram(script, '')).toBe(isFull ? undefined : bundled);
    for (const args of [['--help'], ['--unknown']]) {
      const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
        cwd: root,
        encoding: 'utf8',
      });
      expect(await run(script, args, {})).toEqual({ code: status, stdout, stderr });
    }
  },
);

nightlyTest('a test that looks at the modules of the service gets the sources', async () => {
  const folder = await temporaryFolder();
  const env = {
    DEMO: '0',
    NODE_OPTIONS: `--import ${new URL('../e2e/preload/loaded.ts', import.meta.url).href}`,
    LOADED_FILE: join(folder.path, 'loaded.json'),
  };
  try {
    const server = await startServer(join(folder.path, 'data'), env);
    expect(program(server.child.spawnargs)).toBe('server/main.ts');
    expect(await server.end()).toBe(0);
  } finally {
    await folder.dispose();
  }
});
