/** The memory that garbage has in a process that holds no archive. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';

const root = new URL('../../', import.meta.url).pathname;
const starts = ['package.json', 'server/deploy/Dockerfile', 'server/deploy/social-data.service'];

test('each way to start the service gives new objects the same memory, in which garbage of tables stays bounded', async () => {
  const flags = new Set<string | undefined>();
  for (const file of starts) {
    const text = await readFile(join(root, file), 'utf8');
    flags.add(/node"?,? "?(--\S+?)"?,? "?server\/main\.ts/.exec(text)?.[1]);
  }
  expect([...flags]).toEqual([expect.stringMatching(/^--max-semi-space-size=\d+$/)]);
  const largest = async (...args: string[]): Promise<number> => {
    const child = new URL('heap-bounds.child.ts', import.meta.url).pathname;
    const { stdout } = await promisify(execFile)(process.execPath, [...args.slice(1), child, args[0] ?? '']);
    return Number(stdout);
  };
  // 40 MB of values, a half more of garbage, and the new objects; without the bounds, more than 180 MB.
  expect(await largest('bounded', ...[...flags].map(String))).toBeLessThan(150);
});
