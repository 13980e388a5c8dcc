/**
 * `npm run bench`: measures, prints tables, and writes and compares results. Absolute times depend on the machine; compare the
 * ratios to the peers of the same run.
 */
import { writeFile } from 'node:fs/promises';
import { messageOf } from '../../server/text/error-text.ts';
import { GitError, NoGitError } from '../spec/git.ts';
import { benches } from './benches.ts';
import { CallError, Command, usage } from './cli-options.ts';
import { allCommand, compareCommand, pageCommand, type Report } from './report/commands.ts';
import { calibrate, commitOf, machine, versionOf } from './report/machine.ts';
import { ResultError, type BenchResult, type ResultFile } from './report/result.ts';

const root = new URL('../../', import.meta.url).pathname;

/** Runs benchmarks in this process, one after the other, and writes their results to the file of `--json`. */
async function runHere(command: Command): Promise<void> {
  const usual = Object.keys(benches).filter((name) => benches[name]?.isNamedOnly === undefined);
  const names = command.positionals.length === 0 ? usual : command.positionals;
  for (const name of names) if (!(name in benches)) throw new CallError(`unknown benchmark ${name}`);
  const { json, quick: isQuick } = command.values;
  if (json === '') throw new CallError('--json: name a file');
  const at = new Date().toISOString();
  const results: BenchResult[] = [];
  for (const name of names) {
    const bench = benches[name];
    if (bench === undefined) continue;
    const [calibration, startedAt] = [calibrate(), performance.now()];
    const { rows, details } = await bench.run(command);
    results.push({ bench: name, rows, seconds: (performance.now() - startedAt) / 1000, calibration, details });
  }
  if (json === undefined) return;
  const head = { format: 1 as const, version: await versionOf(root), ...(await commitOf(root)), at, isQuick };
  const result: ResultFile = { ...head, machine: machine(), benches: results };
  await writeFile(json, `${JSON.stringify(result, null, 1)}\n`);
}

async function report(command: Command, signal: AbortSignal): Promise<Report | undefined> {
  const [first] = command.positionals;
  if (command.values.help) return { text: usage, isGood: true };
  if (command.values.all) return allCommand(command, signal);
  if (first === 'compare') return compareCommand(command, signal);
  if (first === 'page') return pageCommand();
  await runHere(command);
  return undefined;
}

const interrupted = new AbortController();
try {
  const parameters = process.argv.slice(2);
  // A benchmark in this process ends at once; commands that start processes remove what they have made.
  if (parameters.includes('--all') || parameters[0] === 'compare')
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => interrupted.abort(new Error(`interrupted by ${signal}`)));
  const { text, isGood } = (await report(new Command(parameters), interrupted.signal)) ?? { text: '', isGood: true };
  if (text !== '') console.log(text);
  if (!isGood) process.exitCode = 1;
} catch (error) {
  const isKnown = error instanceof CallError || error instanceof ResultError;
  const isForUser = isKnown || error instanceof GitError || error instanceof NoGitError || interrupted.signal.aborted;
  if (!isForUser) throw error;
  console.error(`bench: ${messageOf(error)}${error instanceof CallError ? `\n\n${usage}` : ''}`);
  process.exitCode = error instanceof CallError ? 2 : 1;
}
