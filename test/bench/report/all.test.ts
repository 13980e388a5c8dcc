/** All benchmarks with a small load, one after the other: some minutes, so only in the nightly run. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { benches } from '../../../scripts/bench/benches.ts';
import { Command } from '../../../scripts/bench/cli-options.ts';
import { allCommand } from '../../../scripts/bench/report/commands.ts';
import { ourselves, parseResult } from '../../../scripts/bench/report/result.ts';
import { temporaryFolder } from '../../support/folder.ts';

const isNightly = Number(process.env['TEST_ROUNDS'] ?? 0) >= 1;
/** Reads what Chromium and a second PostgreSQL have; another test covers the commands themselves. */
const mayHaveNoRows = new Set(['pages', 'cluster']);

(isNightly ? test : test.skip)(
  'each benchmark gives rows of the service',
  async () => {
    const folder = await temporaryFolder();
    try {
      const file = join(folder.path, 'all.json');
      const { text } = await allCommand(
        new Command(['--all', '--quick', '--json', file]),
        new AbortController().signal,
      );
      const results = parseResult(await readFile(file, 'utf8'), file).benches;
      expect(results.map(({ bench }) => bench)).toEqual(Object.keys(benches));
      const without = results.filter(({ rows }) => !rows.some(({ subject }) => subject === ourselves));
      expect([without.map(({ bench }) => bench).filter((bench) => !mayHaveNoRows.has(bench)), text]).toEqual([
        [],
        text,
      ]);
    } finally {
      await folder.dispose();
    }
  },
  3_600_000,
);
