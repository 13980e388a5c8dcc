import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { startLocalServer, temporaryFolder } from './local-server.ts';

const figures = async (url: string): Promise<string[]> =>
  (await (await fetch(`${url}/metrics`)).text()).match(/^(archive_objects|event_log_head|archive_revision)\b.*$/gm) ??
  [];

test('a new data directory gets what a first start would fill it with, and DEMO=0 leaves it empty', async () => {
  const folder = await temporaryFolder();
  const start = async (name: string, env: Record<string, string>): Promise<[figures: string[], firstKey: boolean]> => {
    const server = await startLocalServer(join(folder.path, name), env);
    try {
      return [await figures(server.url), server.firstKey !== undefined];
    } finally {
      await server.end();
    }
  };
  try {
    const filled = await start('filled', { DEMO: '1' });
    expect(filled[0].length).toBeGreaterThan(3);
    expect(await start('copied', {})).toEqual(filled);
    // A directory with data stays as it is.
    expect(await start('copied', {})).toEqual([filled[0], false]);
    expect((await start('empty', { DEMO: '0' }))[0]).not.toEqual(filled[0]);
    expect(await readdir(process.env.TEST_RUN_FOLDER!)).toContain('sample');
  } finally {
    await folder.dispose();
  }
});
