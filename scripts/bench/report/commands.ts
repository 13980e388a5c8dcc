/** The commands about results: `--all`, `compare` and `page`. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import semver from 'semver';
import { messageOf } from '../../../server/text/error-text.ts';
import { benches, type Bench } from '../benches.ts';
import { CallError, type Command } from '../cli-options.ts';
import { runAll } from './all.ts';
import { compareWithBase } from './base.ts';
import { compareFiles, describeComparison, type Comparison } from './compare.ts';
import { versionOf } from './machine.ts';
import { pageOf } from './page.ts';
import { parseResult, ResultError, type ResultFile } from './result.ts';
import { tablesOf } from './tables.ts';

const root = new URL('../../../', import.meta.url).pathname;
/** The results of the releases, and their page. */
const resultsFolder = join(root, 'scripts/bench/results');

const progress = (text: string): void => console.error(`bench: ${text}`);

function chosen(names: readonly string[], otherwise: readonly string[]): [name: string, bench: Bench][] {
  return (names.length === 0 ? otherwise : names).map((name) => {
    const bench = benches[name];
    if (bench === undefined) throw new CallError(`unknown benchmark ${name}`);
    return [name, bench];
  });
}

/** Reads a file of results. Rejects with ResultError. */
async function readResult(file: string): Promise<ResultFile> {
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new ResultError(`${file} cannot be read: ${messageOf(error)}`);
  });
  return parseResult(text, file);
}

/** The results of the releases, oldest version first. Rejects with ResultError. */
export async function releaseResults(): Promise<ResultFile[]> {
  const names = (await readdir(resultsFolder)).filter((name) => name.endsWith('.json'));
  const results = await Promise.all(names.map((name) => readResult(join(resultsFolder, name))));
  return results.toSorted((a, b) => semver.compare(a.version, b.version) || a.at.localeCompare(b.at));
}

/** Writes the page and the tables of the results of the releases. Resolves with the path of the page. */
async function writePage(): Promise<string> {
  const results = await releaseResults();
  const file = join(resultsFolder, 'index.html');
  await writeFile(file, pageOf(results));
  await writeFile(join(resultsFolder, 'README.md'), tablesOf(results));
  return file;
}

/** Writes the page of a result that is outside the folder of the releases, where other files may be of other programs. */
async function writePageBeside(file: string, result: ResultFile): Promise<string> {
  const page = `${file.replace(/\.json$/, '')}.html`;
  await writeFile(page, pageOf([result]));
  return page;
}

/** What a command prints, and whether its exit code is 0. */
export interface Report {
  readonly text: string;
  readonly isGood: boolean;
}

/** Runs all or the named benchmarks, and writes their results and the page beside them. */
export async function allCommand({ positionals, values, given }: Command, signal: AbortSignal): Promise<Report> {
  const runs = chosen(positionals, Object.keys(benches)).map(([bench, { runs: times, limitMinutes }]) => ({
    ...{ bench, parameters: given, limitMinutes, runs: values.quick ? 1 : times },
  }));
  if (values.quick && values.json === '') throw new CallError('--quick is no measurement: name a file, --json FILE');
  if (values.resume && values.json === undefined)
    throw new CallError('--resume: needs the file of results, --json [FILE]');
  const file = values.json === '' ? join(resultsFolder, `${await versionOf(root)}.json`) : values.json;
  const write = async (result: ResultFile): Promise<readonly string[]> => {
    if (file === undefined) return [];
    await writeFile(file, `${JSON.stringify(result, null, 1)}\n`);
    const isRelease = resolve(dirname(file)) === resultsFolder;
    return [`results: ${file}`, `page: ${isRelease ? await writePage() : await writePageBeside(file, result)}`];
  };
  if (file !== undefined) await mkdir(dirname(file), { recursive: true });
  const earlier = values.resume && file !== undefined ? await readResult(file) : undefined;
  let written: readonly string[] = [];
  const onResult = async (soFar: ResultFile): Promise<void> => void (written = await write(soFar));
  const result = await runAll({
    ...{ folder: root, benches: runs, isQuick: values.quick, earlier, progress, onResult, signal },
  });
  const lines = result.benches.flatMap(({ bench, problem }) => (problem === undefined ? [] : [`${bench}: ${problem}`]));
  const isGood = lines.length === 0;
  return { text: [...lines, ...written].join('\n'), isGood };
}

async function comparisonOf(command: Command, signal: AbortSignal): Promise<Comparison> {
  const { positionals, values, given } = command;
  const names = positionals.slice(1);
  if (values.base === undefined) {
    const [before, after, ...more] = names;
    if (before === undefined || after === undefined || more.length > 0)
      throw new CallError('compare: two files of results, or --base REVISION');
    const [first, second] = await Promise.all([readResult(before), readResult(after)]);
    return compareFiles(first, second);
  }
  const usual = Object.keys(benches).filter((name) => benches[name]?.isNamedOnly === undefined);
  const runs = chosen(names, usual).map(([bench, { limitMinutes }]) => ({
    // A round of the comparison is a run of the benchmark with one round.
    ...{ bench, limitMinutes, parameters: [...given.filter((each) => !each.startsWith('--rounds')), '--rounds=1'] },
  }));
  const rounds = values.rounds === undefined ? 8 : command.number('rounds');
  return compareWithBase({ ...{ folder: root, revision: values.base, benches: runs, rounds, progress, signal } });
}

/** Compares two files, or this project with a revision. A loss is not good. */
export async function compareCommand(command: Command, signal: AbortSignal): Promise<Report> {
  const comparison = await comparisonOf(command, signal);
  const { json, verbose } = command.values;
  if (json !== undefined && json !== '') await writeFile(json, `${JSON.stringify(comparison, null, 1)}\n`);
  return {
    text: describeComparison(comparison, verbose),
    isGood: comparison.changes.every(({ verdict }) => verdict !== 'worse'),
  };
}

/** Writes the page of the results again. */
export async function pageCommand(): Promise<Report> {
  return { text: `page: ${await writePage()}`, isGood: true };
}
