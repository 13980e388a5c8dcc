/**
 * `npm run judge`: asks the local assistant the questions of the judged set, and prints how many answers are useful and how many
 * are untrue. Ends with 1 if an answer is untrue, or if fewer are useful than the goal.
 */
import { parseArgs } from 'node:util';
import { fail } from '../cli/failure.ts';
import { judgedCases, splits } from './cases/index.ts';
import type { JudgedCase, Judgement } from './rubric.ts';
import { isPresent, JudgedWorld } from './world.ts';

/** The part of the answers that must be useful. */
const goal = 0.8;

const help = `Usage: npm run judge [-- --verbose | --failed]

Asks the local assistant the questions of scripts/judge/cases, and prints the score.
Cases over real data run only where ../shared/data exists.

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
    const judged: Judgement[] = [];
    for (const each of cases) judged.push(await world.judge(each));
    console.log(`${set}: ${score(judged)}`);
    done.push(...judged);
  }
  return done;
}

function score(judged: readonly Judgement[]): string {
  const useful = judged.filter(isUseful).length;
  const untrue = judged.filter(({ untruths }) => untruths.length > 0).length;
  return `${judged.length} answers, ${((100 * useful) / judged.length).toFixed(1)} % useful, ${untrue} untrue`;
}

const isUseful = ({ weaknesses, untruths }: Judgement): boolean => weaknesses.length === 0 && untruths.length === 0;

function print({ case: { set, tweet, prompts }, answer, weaknesses, untruths }: Judgement): void {
  console.log(`\n${set} ${tweet}: ${prompts.map((prompt) => prompt ?? '(explain)').join(' → ')}`);
  for (const untruth of untruths) console.log(`  untrue: ${untruth}`);
  for (const weakness of weaknesses) console.log(`  weak: ${weakness}`);
  console.log(`  ${answer.replaceAll('\n', '\n  ')}`);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { help: { type: 'boolean' }, verbose: { type: 'boolean' }, failed: { type: 'boolean' } },
  });
  if (values.help === true) return void process.stdout.write(help);
  const judged = await judgements();
  for (const each of judged) if (values.verbose === true || (values.failed === true && !isUseful(each))) print(each);
  for (const { name, cases } of splits) {
    const members = new Set<JudgedCase>(cases);
    console.log(`${name}: ${score(judged.filter((each) => members.has(each.case)))}`);
  }
  console.log(`all: ${score(judged)}`);
  const useful = judged.filter(isUseful).length;
  if (judged.some(({ untruths }) => untruths.length > 0) || useful < goal * judged.length) process.exitCode = 1;
}

main().catch((error: unknown) => fail(error, 'judge'));
