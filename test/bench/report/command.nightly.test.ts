/** The commands about results, on the cheapest benchmark with a small load. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { CallError, Command } from '../../../scripts/bench/cli-options.ts';
import { allCommand, compareCommand, type Report } from '../../../scripts/bench/report/commands.ts';
import { runAll } from '../../../scripts/bench/report/all.ts';
import { commitOf, machine } from '../../../scripts/bench/report/machine.ts';
import { ourselves, parseResult, ResultError, type ResultFile } from '../../../scripts/bench/report/result.ts';
import { joined, runBench } from '../../../scripts/bench/report/run-bench.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { inTurn } from '../../support/rounds.ts';

const root = new URL('../../../', import.meta.url).pathname;
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => void (folder = await temporaryFolder()));
afterAll(() => folder.dispose());

const bench = (...parameters: string[]) =>
  spawnSync(process.execPath, ['scripts/bench/main.ts', ...parameters], { cwd: root, encoding: 'utf8' });

const ends = inTurn(['with the end', 'with an interruption'], 1);
/** Each of both starts processes that take seconds. */
const testOf = (end: string) => (ends.includes(end) ? test : test.skip);

testOf('with the end')('--all writes one file of results and the page beside it, and compare reads it', async () => {
  const file = join(folder.path, '1.json');
  // A file that is no result, as package.json beside results in the folder of the project.
  await writeFile(join(folder.path, 'package.json'), '{}');
  const run = bench('--all', 'matcher', '--quick', '--rounds=3', '--json', file);
  expect([run.status, run.stderr]).toEqual([0, expect.stringContaining('bench: matcher: run 1 of 1')]);
  const { version, benches, isQuick } = parseResult(await readFile(file, 'utf8'), file);
  expect(version).toMatch(/^\d+\.\d+\.\d+$/);
  expect(isQuick).toBe(true);
  expect(benches.map((each) => each.bench)).toEqual(['matcher']);
  expect(benches[0]?.rows.map(({ metric, subject, values }) => [metric, subject, values.length])).toEqual([
    ['matching 100 queries', 'this service', 3],
    ['matching 100 queries', 'each query in turn', 3],
    ['matching 100 queries, with the creation of the document', 'this service', 3],
  ]);
  expect(benches[0]?.calibration.length).toBeGreaterThan(0);
  expect(await readFile(join(folder.path, '1.html'), 'utf8')).toContain('<h2 id="matcher">matcher</h2>');

  const same = await compare(file, file);
  expect(same).toEqual({ isGood: true, text: expect.stringContaining('0 worse, 0 better, 2 within the noise') });
});

testOf('with an interruption')('--all has written the results before an interruption', async () => {
  const file = join(folder.path, 'interrupted', '1.json');
  const args = ['scripts/bench/main.ts', '--all', 'matcher', 'archive', '--quick', '--rounds=2', '--json', file];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] });
  const ended = once(child, 'exit');
  for await (const line of createInterface({ input: child.stderr }))
    if (line.includes('archive: run 1')) child.kill('SIGINT');
  const [code, signalName] = await ended;
  expect([code, signalName]).not.toEqual([0, null]);
  const { benches } = parseResult(await readFile(file, 'utf8'), file);
  expect(benches.map((each) => each.bench)).toEqual(['matcher']);
});

/** A project with one commit, in which no benchmark runs. */
async function projectWithCommit(name: string): Promise<string> {
  const project = join(folder.path, name);
  await mkdir(project);
  await writeFile(join(project, 'package.json'), '{"version":"1.2.3"}');
  const git = (...parameters: string[]): void => {
    const identity = ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false'];
    expect(spawnSync('git', [...identity, ...parameters], { cwd: project }).status).toBe(0);
  };
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'first');
  return project;
}

test('--resume runs only the benchmarks that the file does not have, or that failed', async () => {
  const project = await projectWithCommit('resumed');
  const row = { metric: 'matching', subject: ourselves, unit: 'ms', better: 'lower' as const, values: [1, 2, 3] };
  const measured = { bench: 'matcher', rows: [row], seconds: 1, calibration: [20] };
  const head = {
    format: 1 as const,
    version: '1.2.3',
    ...(await commitOf(project)),
    isQuick: true,
    machine: machine(),
  };
  const earlier: ResultFile = { ...head, at: '2026-11-01T00:00:00Z', benches: [measured] };
  const lines: string[] = [];
  const resume = (from: ResultFile): Promise<ResultFile> =>
    runAll({
      ...{ folder: project, isQuick: true, signal, earlier: from, progress: (line) => lines.push(line) },
      ...{ onResult: () => Promise.resolve() },
      benches: ['matcher', 'http'].map((name) => ({ bench: name, parameters: [], limitMinutes: 1, runs: 1 })),
    });
  const { at, benches } = await resume(earlier);
  expect(at).toBe(earlier.at);
  expect(benches).toEqual([measured, expect.objectContaining({ bench: 'http', problem: 'it ended with exit code 1' })]);
  expect(lines).toContain('matcher: already measured');
  const again = await resume({ ...earlier, benches: [{ ...measured, problem: 'it failed' }] });
  expect(again.benches.map(({ bench: name, rows }) => [name, rows.length])).toEqual([
    ['matcher', 0],
    ['http', 0],
  ]);

  await expect(resume({ ...earlier, commit: '0'.repeat(40) })).rejects.toThrow('of another commit or machine');
  await expect(resume({ ...earlier, machine: { ...machine(), cores: 999 } })).rejects.toThrow(ResultError);
  await expect(resume({ ...earlier, isChanged: true })).rejects.toThrow('--resume: needs results of a commit');
  await writeFile(join(project, 'package.json'), '{"version":"1.2.3","private":true}');
  await expect(resume(earlier)).rejects.toThrow('a work tree without changes');
  await expect(allCommand(command('--all', '--resume'), signal)).rejects.toThrow('--resume: needs the file of results');
});

const command = (...parameters: string[]): Command => new Command(parameters);
const { signal } = new AbortController();
const compare = (...files: string[]): Promise<Report> => compareCommand(command('compare', ...files), signal);

test('compare finds a loss, and writes what it found', async () => {
  const fileWith = async (name: string, own: readonly number[]): Promise<string> => {
    const row = { metric: 'page', unit: 'requests/s', better: 'higher' as const };
    const rows = [
      { ...row, subject: ourselves, values: own },
      { ...row, subject: 'bare', values: [100, 101, 99] },
    ];
    const machine = { cpu: 'x', cores: 2, memory: 1, platform: 'linux x64', node: 'v24.0.0' };
    const benches = [{ bench: 'http', rows, seconds: 1, calibration: [20, 20, 20] }];
    const result: ResultFile = {
      format: 1,
      version: name,
      at: '2026-11-01T00:00:00Z',
      isQuick: false,
      machine,
      benches,
    };
    const file = join(folder.path, name);
    await writeFile(file, JSON.stringify(result));
    return file;
  };
  const [before, after] = [
    await fileWith('before.json', [20, 20.1, 19.9]),
    await fileWith('after.json', [10, 10.1, 9.9]),
  ];
  const found = join(folder.path, 'found.json');
  expect(await compare(before, after, '--json', found)).toEqual({
    isGood: false,
    text: expect.stringContaining('−50.0 %'),
  });
  expect(JSON.parse(await readFile(found, 'utf8'))).toMatchObject({ changes: [{ metric: 'page', verdict: 'worse' }] });
  expect(await compare(after, before)).toEqual({ isGood: true, text: expect.stringContaining('1 better') });
});

test('a wrong call is refused before anything runs', async () => {
  expect(() => command('matcher', '--rounds', 'x')).toThrow('--rounds x: expected positive integers');
  expect(() => command('matcher', '--rounds', '1.5')).toThrow('expected positive integers');
  expect(() => command('http', '--seconds=-1')).toThrow('expected positive numbers');
  expect(() => command('search', '--engines', 'none')).toThrow('unknown engine none');
  expect(() => command('--nothing')).toThrow(CallError);
  expect(() => command('http', '--platform', 'memory')).toThrow('--platform memory: expected sqlite or postgres');
  await expect(compare('one.json')).rejects.toThrow('two files of results, or --base REVISION');
  await expect(allCommand(command('--all', 'nothing'), signal)).rejects.toThrow('unknown benchmark nothing');
  await expect(allCommand(command('--all', 'matcher', '--quick', '--json'), signal)).rejects.toThrow('name a file');
  await expect(compareCommand(command('compare', '--base', 'HEAD', 'nothing'), signal)).rejects.toThrow(CallError);
  const run = bench('nothing');
  expect([run.status, run.stderr]).toEqual([2, expect.stringMatching(/^bench: unknown benchmark nothing\n\nUsage: /)]);
});

test('a file that is no result, and an unknown revision, are refused', async () => {
  const file = join(folder.path, 'other.json');
  await writeFile(file, '{}');
  await expect(compare(file, file)).rejects.toThrow(ResultError);
  const missing = join(folder.path, 'missing.json');
  await expect(compare(missing, missing)).rejects.toThrow(ResultError);
  await expect(allCommand(command('--all', '--resume', '--json', missing), signal)).rejects.toThrow(ResultError);
  const unknown = command('compare', '--base', 'no-such-revision', 'matcher');
  await expect(compareCommand(unknown, signal)).rejects.toThrow('--base no-such-revision: git knows');
});

test('a benchmark that takes too long is ended, and its failure is in the result', async () => {
  const late = await runBench({ folder: root, bench: 'matcher', parameters: [], limitMinutes: 0.001 });
  expect(late).toMatchObject({ bench: 'matcher', rows: [], problem: 'it took longer than 0.001 minutes' });
  const unknown = await runBench({ folder: root, bench: 'nothing', parameters: [], limitMinutes: 1 });
  expect(unknown).toMatchObject({ rows: [], problem: 'it ended with exit code 2' });
});

test('the values of several runs are joined; a row that a run does not have is left out', () => {
  const row = { subject: 'this service', unit: 'ms', better: 'lower' as const };
  const first = { bench: 'archive', seconds: 1, calibration: [1] };
  const runs = [
    {
      ...first,
      rows: [
        { ...row, metric: 'start', values: [1] },
        { ...row, metric: 'size', values: [7], exact: true as const },
      ],
    },
    {
      ...first,
      rows: [
        { ...row, metric: 'start', values: [2] },
        { ...row, metric: 'size', values: [7], exact: true as const },
      ],
    },
  ];
  expect(joined(runs)).toEqual({
    ...{ bench: 'archive', seconds: 2, calibration: [1, 1] },
    rows: [
      { ...row, metric: 'start', values: [1, 2] },
      { ...row, metric: 'size', values: [7], exact: true },
    ],
  });
  const failed = { ...first, rows: [], problem: 'it failed' };
  expect(joined([...runs, failed])).toMatchObject({
    problem: 'it failed',
    rows: [{ values: [1, 2] }, { values: [7] }],
  });
  expect(
    joined([...runs, { ...first, rows: [] as (typeof runs)[0]['rows'] }, { ...first, rows: runs[0]!.rows.slice(1) }])
      .rows,
  ).toHaveLength(1);
});
