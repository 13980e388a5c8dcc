/**
 * `npm run judge`: asks the local assistant the questions of the judged set, and prints for each type of question how many answers are
 * useful, restate, find nothing, or are untrue. Ends with 1 if the goals are missed.
 */
import { parseArgs } from 'node:util';
import { fail } from '../cli/failure.ts';
import { judgedCases, splits } from './cases/index.ts';
import type { JudgedCase, Judgement, Verdict } from './rubric.ts';
import { isPresent, JudgedWorld } from './world.ts';

/** The least part of the answers that must be useful, and the largest part that may wrongly find nothing. */
const leastUseful = 0.75;
const mostWrongNothing = 0.05;
const verdicts: readonly Verdict[] = ['useful', 'restating', 'nothing, rightly', 'nothing, wrongly', 'untrue'];

const help = `Usage: npm run judge [-- --verbose | --failed]

Asks the local assistant the questions of scripts/judge/cases, and prints the score.
Cases over real data run only where ../shared/data exists. The held-out cases are only counted.

  --failed    prints the answers that are not useful or untrue
  --verbose   prints every answer
`;

async function judgements(): Promise<Judgement[]> {
  const done: Judgement[] = [];
  for (const [set, cases] of Map.groupBy(judgedCases, (each) => each.set)) {
    if (!isPresent(set)) {
      console.log(`${set}: skipped, the data is not here`);
      continue;
    }
    const world = await JudgedWorld.open(set);
    for (const each of cases) done.push(await world.judge(each));
    await world.close();
  }
  return done;
}

/** What finds rightly nothing answers the question. */
const isGood = ({ verdict }: Judgement): boolean => verdict === 'useful' || verdict === 'nothing, rightly';
const isUntrue = ({ verdict }: Judgement): boolean => verdict === 'untrue';
const part = (judged: readonly Judgement[], test: (each: Judgement) => boolean): number =>
  judged.filter(test).length / Math.max(1, judged.length);

function score(judged: readonly Judgement[]): string {
  const counts = verdicts.map((verdict) => `${verdict} ${judged.filter((each) => each.verdict === verdict).length}`);
  return `${String(judged.length).padStart(3)}: ${counts.join(' · ')} (${(100 * part(judged, isGood)).toFixed(1)} % answered)`;
}

function print({ case: { set, tweet, type, prompts }, answer, verdict, reasons }: Judgement): void {
  console.log(`\n${set} ${tweet} [${type}] ${prompts.map((prompt) => prompt ?? '(explain)').join(' → ')}: ${verdict}`);
  for (const reason of reasons) console.log(`  ${reason}`);
  console.log(`  | ${answer.replaceAll('\n', '\n  | ')}`);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { help: { type: 'boolean' }, verbose: { type: 'boolean' }, failed: { type: 'boolean' } },
  });
  if (values.help === true) return void process.stdout.write(help);
  const judged = await judgements();
  const developed = new Set<JudgedCase>(splits[0].cases);
  for (const each of judged.filter((one) => developed.has(one.case)))
    if (values.verbose === true || (values.failed === true && !isGood(each))) print(each);
  for (const [type, each] of Map.groupBy(judged, (one) => one.case.type))
    console.log(`${type.padEnd(10)} ${score(each)}`);
  for (const { name, cases } of splits) {
    const members = new Set<JudgedCase>(cases);
    console.log(`${name.padEnd(10)} ${score(judged.filter((each) => members.has(each.case)))}`);
  }
  console.log(`${'all'.padEnd(10)} ${score(judged)}`);
  const wrongNothing = part(judged, ({ verdict }) => verdict === 'nothing, wrongly');
  if (judged.some(isUntrue) || part(judged, isGood) < leastUseful || wrongNothing > mostWrongNothing)
    process.exitCode = 1;
}

main().catch((error: unknown) => fail(error, 'judge'));
