/**
 * `npm run evals`: asks the local assistant the questions of the cases, and prints for each type of question how many answers are
 * useful, restate, are not sure, find nothing, or are untrue. Ends with 1 if the goals are missed.
 */
import { parseArgs } from 'node:util';
import { fail } from '../cli/failure.ts';
import { evalCases, splits } from './cases/index.ts';
import { fitted, foundIn } from './fit.ts';
import { verdicts, type EvalCase, type EvalResult } from './rubric.ts';
import { isPresent, EvalArchive } from './eval-archive.ts';

/** The least part of the answers that must be useful, and the largest part that may wrongly find nothing. */
const leastUseful = 0.75;
const mostWrongNothing = 0.05;

const help = `Usage: npm run evals [-- --verbose | --failed | --fit]

Asks the local assistant the questions of scripts/evals/cases, and prints the score.
Cases over real data run only where ../shared/data exists. The held-out cases are only counted. The
paraphrased ones share hardly a word with their answers: no answer may be untrue, and they have no other goal.

  --failed    prints the answers that are not useful or untrue
  --verbose   prints every answer
  --fit       prints the weights of server/assistant/providers/local/ranking.ts that fit the cases that are not held out
`;

/** What something returns for each of the cases whose data is here. */
async function eachOf<Value>(
  all: readonly EvalCase[],
  run: (archive: EvalArchive, each: EvalCase) => Promise<Value>,
): Promise<Value[]> {
  const done: Value[] = [];
  for (const [set, cases] of Map.groupBy(all, (each) => each.set)) {
    if (!isPresent(set)) {
      console.log(`${set}: skipped, the data is not here`);
      continue;
    }
    const archive = await EvalArchive.open(set);
    for (const each of cases) done.push(await run(archive, each));
    await archive.close();
  }
  return done;
}

/** Prints the weights that fit the cases that are not held out. */
async function fit(): Promise<void> {
  const heldOut = new Set<EvalCase>(splits[1].cases);
  const developed = evalCases.filter((each) => !heldOut.has(each));
  const all = await eachOf(developed, (archive, each) => archive.example(each));
  const examples = all.filter((each) => each !== undefined).filter(({ sources }) => sources.size > 0);
  const weights = fitted(examples);
  const found = [1, 3].map(
    (count) => `${(100 * foundIn(examples, weights, count)).toFixed(1)} % among the first ${count}`,
  );
  console.log(`${examples.length} questions, a source is ${found.join(', ')}\n${JSON.stringify(weights, null, 2)}`);
}

/** What finds rightly nothing answers the question. */
const isGood = ({ verdict }: EvalResult): boolean => verdict === 'useful' || verdict === 'nothing, rightly';
const isUntrue = ({ verdict }: EvalResult): boolean => verdict === 'untrue';
const part = (results: readonly EvalResult[], test: (each: EvalResult) => boolean): number =>
  results.filter(test).length / Math.max(1, results.length);

function score(results: readonly EvalResult[]): string {
  const counts = verdicts.map((verdict) => `${verdict} ${results.filter((each) => each.verdict === verdict).length}`);
  return `${String(results.length).padStart(3)}: ${counts.join(' · ')} (${(100 * part(results, isGood)).toFixed(1)} % answered)`;
}

function print({ case: { set, tweet, type, prompts }, answer, verdict, reasons }: EvalResult): void {
  console.log(`\n${set} ${tweet} [${type}] ${prompts.map((prompt) => prompt ?? '(explain)').join(' → ')}: ${verdict}`);
  for (const reason of reasons) console.log(`  ${reason}`);
  console.log(`  | ${answer.replaceAll('\n', '\n  | ')}`);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      ...{ help: { type: 'boolean' }, verbose: { type: 'boolean' }, failed: { type: 'boolean' } },
      fit: { type: 'boolean' },
    },
  });
  if (values.help === true) return void process.stdout.write(help);
  if (values.fit === true) return fit();
  const results = await eachOf(evalCases, (archive, each) => archive.run(each));
  const isParaphrased = ({ case: { set } }: EvalResult): boolean => set === 'paraphrased';
  const judged = results.filter((each) => !isParaphrased(each));
  const heldOut = new Set<EvalCase>(splits[1].cases);
  for (const each of results.filter((one) => !heldOut.has(one.case)))
    if (values.verbose === true || (values.failed === true && !isGood(each))) print(each);
  for (const [type, each] of Map.groupBy(judged, (one) => one.case.type))
    console.log(`${type.padEnd(10)} ${score(each)}`);
  for (const { name, cases } of splits) {
    const members = new Set<EvalCase>(cases);
    console.log(`${name.padEnd(10)} ${score(results.filter((each) => members.has(each.case)))}`);
  }
  console.log(`${'all'.padEnd(10)} ${score(judged)}`);
  console.log(`paraphrased ${score(results.filter(isParaphrased))}`);
  const wrongNothing = part(judged, ({ verdict }) => verdict === 'nothing, wrongly');
  if (results.some(isUntrue) || part(judged, isGood) < leastUseful || wrongNothing > mostWrongNothing)
    process.exitCode = 1;
}

main().catch((error: unknown) => fail(error, 'evals'));
