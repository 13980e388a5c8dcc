/**
 * `npm run bench`: measures, prints tables, and writes and compares results. Absolute times depend on the machine; compare the
 * ratios to the peers of the same run.
 */
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { messageOf } from '../../server/text/error-text.ts';
import { GitError, NoGitError } from '../contract-tools/git.ts';
import { compareWithBase } from './base.ts';
import { benches, type Bench } from './benches.ts';
import { compareFiles, describeComparison } from './compare.ts';
import { headOf } from './machine.ts';
import { CallError, Command, optionsUsage } from './options.ts';
import { MissingPackagesError } from './peer-packages.ts';
import { describeResult, readResult, ResultError, resultText, tableOf, type BenchResult } from './result.ts';
import { runBench } from './run-bench.ts';

const root = new URL('../../', import.meta.url).pathname;

const usage = `Usage: npm run bench -- [BENCHMARK …] [options]
       npm run bench -- --all [BENCHMARK …] [--json [FILE]] [--quick]
       npm run bench -- compare BEFORE.json AFTER.json
       npm run bench -- compare --base REVISION [BENCHMARK …]
       npm run bench -- show FILE.json

${Object.entries(benches)
  .map(([name, { text }]) => `${name.padEnd(11)} ${text}`)
  .join('\n')}

compare          exit code 1: something is worse. --base alternates the rounds of this project and of the revision
show             prints a file of results as Markdown
${optionsUsage}

Needs the libraries of scripts/bench: npm install --prefix scripts/bench`;

const progress = (text: string): void => console.error(`bench: ${text}`);

/** The named benchmarks, or the others. Throws CallError. */
function chosen(names: readonly string[], areAll = false): [name: string, bench: Bench][] {
  for (const name of names) if (!(name in benches)) throw new CallError(`unknown benchmark ${name}`);
  return Object.entries(benches).filter(([name, { isNamedOnly }]) =>
    names.length === 0 ? areAll || !isNamedOnly : names.includes(name),
  );
}

/** Runs a benchmark in this process, and prints its table. */
async function runHere(name: string, bench: Bench, command: Command): Promise<BenchResult> {
  const startedAt = performance.now();
  const { rows, notes = [] } = await bench.run(command);
  const table = tableOf(rows);
  console.log(`\n## ${name}\n\n${[table, ...notes].filter((part) => part !== '').join('\n\n')}\n`);
  return { bench: name, rows, notes, seconds: (performance.now() - startedAt) / 1000 };
}

/** Runs benchmarks one after the other, and writes the results after each: what a long run has measured stays. */
async function measure(command: Command, signal: AbortSignal): Promise<boolean> {
  const { all: areAll, json, quick: isQuick } = command.values;
  if (isQuick && json === '') throw new CallError('--quick is no measurement: name a file, --json FILE');
  const named = chosen(command.positionals, areAll);
  const head = await headOf(root, isQuick);
  const file = json === '' ? join(root, 'scripts/bench/results', `${head.version}.json`) : json;
  if (file !== undefined) await mkdir(dirname(file), { recursive: true });
  const results: BenchResult[] = [];
  for (const [name, bench] of named) {
    progress(name);
    const { limitMinutes } = bench;
    const result = areAll
      ? await runBench({ folder: root, bench: name, parameters: command.given, limitMinutes, signal })
      : await runHere(name, bench, command);
    results.push(result);
    if (result.problem !== undefined) progress(`${name}: ${result.problem}`);
    if (file !== undefined) await writeFile(file, resultText({ ...head, benches: results }));
  }
  return results.every(({ problem }) => problem === undefined);
}

/** Compares two files, or this project with a revision. Resolves with whether nothing is worse. */
async function compare({ positionals, values, given }: Command, signal: AbortSignal): Promise<boolean> {
  const names = positionals.slice(1);
  const [before, after, ...more] = names;
  if (values.base === undefined && (before === undefined || after === undefined || more.length > 0))
    throw new CallError('compare: two files of results, or --base REVISION');
  const ofOneRound = [...given.filter((each) => !each.startsWith('--rounds')), '--rounds=1'];
  const comparison =
    values.base === undefined
      ? compareFiles(await readResult(before ?? ''), await readResult(after ?? ''))
      : await compareWithBase({
          ...{ folder: root, revision: values.base, rounds: Number(values.rounds ?? 8), progress, signal },
          benches: chosen(names).map(([bench, { limitMinutes }]) => ({ bench, limitMinutes, parameters: ofOneRound })),
        });
  console.log(describeComparison(comparison));
  return comparison.changes.every(({ verdict }) => verdict !== 'worse');
}

async function run(command: Command, signal: AbortSignal): Promise<boolean> {
  const [first, file, ...more] = command.positionals;
  if (command.values.help) console.log(usage);
  else if (first === 'compare') return compare(command, signal);
  else if (first !== 'show') return measure(command, signal);
  else if (file === undefined || more.length > 0) throw new CallError('show: one file of results');
  else console.log(describeResult(await readResult(file)));
  return true;
}

const interrupted = new AbortController();
try {
  const parameters = process.argv.slice(2);
  // A benchmark in this process ends at once; commands that start processes remove what they have made.
  if (parameters.includes('--all') || parameters[0] === 'compare')
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => interrupted.abort(new Error(`interrupted by ${signal}`)));
  if (!(await run(new Command(parameters), interrupted.signal))) process.exitCode = 1;
} catch (error) {
  const isKnown = [CallError, ResultError, MissingPackagesError, GitError, NoGitError].some(
    (kind) => error instanceof kind,
  );
  if (!isKnown && !interrupted.signal.aborted) throw error;
  console.error(`bench: ${messageOf(error)}${error instanceof CallError ? `\n\n${usage}` : ''}`);
  process.exitCode = error instanceof CallError ? 2 : 1;
}
