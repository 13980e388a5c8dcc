import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { connectControl, type Control } from '../../server/admin/control-client.ts';
import { startControl, type Routes } from '../../server/admin/control-server.ts';
import { controlSocket } from '../../server/admin/control-socket.ts';
import { importRoutes, openControlSink } from '../../server/import/control-sink.ts';
import { importInput } from '../../server/import/import.ts';
import { openInputs } from '../../server/import/input.ts';
import { memorySink } from '../ports/reference/import-sink.ts';
import { openInFolder } from '../support/open-in-folder.ts';

const { folder, opened } = openInFolder();

async function serve(routes: Routes, directory = folder.path): Promise<Control> {
  opened.push(await startControl(directory, routes));
  const control = await connectControl(directory);
  opened.push(control!);
  return control!;
}

describe('the control socket', () => {
  test('carries JSON values in both directions for each command', async () => {
    const control = await serve({ echo: async (value) => value, nothing: async () => undefined });
    const value = { text: 'ü\u2028"\n', list: [1, null, { deep: true }] };
    expect(await control.call('echo', value)).toEqual(value);
    expect(await control.call('nothing', 1)).toBeNull();
    expect(await Promise.all([1, 2, 3].map((n) => control.call('echo', n)))).toEqual([1, 2, 3]);
  });

  test('returns the error of a command, and serves the next one', async () => {
    const control = await serve({
      echo: async (value) => value,
      fail: async () => {
        throw new Error('the disk is full');
      },
    });
    await expect(control.call('fail', null)).rejects.toThrow('the disk is full');
    await expect(control.call('nobody', null)).rejects.toThrow('has no command nobody');
    await expect(control.call('__proto__', null)).rejects.toThrow('has no command');
    expect(await control.call('echo', 1)).toBe(1);
  });

  test('says what to do when the server has ended after the connection', async () => {
    const server = await startControl(folder.path, { echo: async (value) => value });
    const control = (await connectControl(folder.path))!;
    opened.push(control);
    await server.close();
    for (const call of ['call', 'stream'] as const)
      await expect(control[call]('echo', 1)).rejects.toThrow(
        'the server ended before it responded: start it and repeat the command',
      );
    expect(await connectControl(folder.path)).toBeUndefined();
  });

  test('rejects invalid bodies and oversized requests', async () => {
    const control = await serve({ echo: async () => null });
    const raw = (body: string, type = 'application/json'): Promise<number> =>
      new Promise((resolve, reject) => {
        const headers = { 'content-type': type };
        request({ socketPath: controlSocket(folder.path), path: '/echo', method: 'POST', headers }, (response) =>
          resolve(response.resume().statusCode!),
        )
          .on('error', reject)
          .end(body);
      });
    expect(await raw('{')).toBe(500);
    expect(await raw('{', 'application/octet-stream')).toBe(500);
    await expect(control.call('echo', 'x'.repeat(129 * 1024 * 1024))).rejects.toThrow('the request is too large');
    expect(await control.call('echo', 1)).toBeNull();
  });

  test('can be opened only by its own user', async () => {
    await serve({});
    expect((await stat(controlSocket(folder.path))).mode & 0o777).toBe(0o600);
  });

  test('is removed after the running commands have finished', async () => {
    const begun = Promise.withResolvers<void>();
    const finished = Promise.withResolvers<string>();
    const server = await startControl(folder.path, {
      slow() {
        begun.resolve();
        return finished.promise;
      },
    });
    const control = (await connectControl(folder.path))!;
    const answer = control.call('slow', null);
    await begun.promise;
    const closed = server.close();
    finished.resolve('done');
    expect(await answer).toBe('done');
    control.close();
    await closed;
    expect(existsSync(controlSocket(folder.path))).toBe(false);
    expect(await connectControl(folder.path)).toBeUndefined();
  });

  test('reports no server after a stop, before a first start and after a kill; the next start works', async () => {
    expect(await connectControl(folder.path)).toBeUndefined();
    expect(await connectControl(join(folder.path, 'nothing'))).toBeUndefined();
    const path = controlSocket(folder.path);
    const killed = spawn(
      process.execPath,
      ['-e', `require('net').createServer().listen(${JSON.stringify(path)}, () => console.log('up'))`],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    await once(killed.stdout, 'data');
    killed.kill('SIGKILL');
    await once(killed, 'close');
    expect(existsSync(path)).toBe(true);
    expect(await connectControl(folder.path)).toBeUndefined();
    const control = await serve({ echo: async (value) => value });
    expect(await control.call('echo', 1)).toBe(1);
  });

  test('uses another location if the path of the folder is too long', async () => {
    const long = join(folder.path, 'x'.repeat(100));
    await mkdir(long);
    const control = await serve({ echo: async (value) => value }, long);
    expect(controlSocket(long)).toMatch(/social-data-[0-9a-f]{16}\.sock$/);
    expect(await control.call('echo', 1)).toBe(1);
  });
});

test('an import through the socket has the same result as a direct one, and resumes', async () => {
  const path = join(folder.path, 'tweets.jsonl');
  const line = (n: number): string =>
    JSON.stringify({
      kind: 'tweet',
      tweet: { id: String(n), text: `#t${n}`, created_at: '2026-01-01T00:00:00Z', author_id: '1' },
    });
  await writeFile(path, Array.from({ length: 2300 }, (_, n) => line(n + 1)).join('\n'));
  const [input] = await openInputs(path);
  const near = memorySink();
  const direct = await importInput(input!, near);
  const far = memorySink();
  const sink = openControlSink(await serve(importRoutes(far)));
  expect(await importInput(input!, sink)).toEqual(direct);
  expect([...far.records]).toEqual([...near.records]);
  // The server answers requests between two calls.
  expect(Math.max(...far.batches)).toBe(200);
  expect(await sink.resume(input!.fingerprint!)).toEqual({ values: 2300, done: true });
  expect(await sink.resume('unknown')).toBeUndefined();
  await rm(path);
});

test('an import reports that the server has ended', async () => {
  const server = await startControl(folder.path, importRoutes(memorySink()));
  const control = (await connectControl(folder.path))!;
  opened.push(control);
  const sink = openControlSink(control);
  await server.close();
  await expect(sink.apply('f', { values: 1, done: false }, [])).rejects.toThrow();
});
