/** `npm run erase -- --tweet ID… | --user NAME|ID | --before TIME | --query QUERY`: erases tweets and accounts. */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { readConfig } from '../../server/config/config.ts';
import type { EraseReport, OpenEraser } from '../../server/maintenance/erase/eraser.ts';
import type { EraseCounts, EraseRequest } from '../../server/maintenance/erase/erasure.ts';
import { openEraser } from './open-eraser.ts';
import { readPointInTime } from '../../server/maintenance/point-in-time.ts';
import { confirm } from './confirm.ts';
import { fail } from './failure.ts';
import { ProgressBar } from './progress-bar.ts';
import { checkReportFile } from './report-file.ts';

const usage = `Usage: npm run erase -- SELECTION [OPTIONS]

Permanently erases tweets or an account from the archive of DATA_DIR (./data): from every response and event at once, from
the disk within PURGE_WITHIN. The command first prints the counts and asks for confirmation. A later import does not bring
the data back.

SELECTION is one of:
  --tweet ID       a tweet; can be repeated
  --user NAME|ID   an account with its profile, tweets, relations, lists and spaces
  --before TIME    all tweets before this time: 365d (m, h, d or w ago), 2026-01-31, or 2026-01-31T18:00:00Z
  --query QUERY    all tweets that match the query (the language of /docs/search)

OPTIONS:
  --dry-run        print the counts and erase nothing
  --yes            skip the confirmation; required if standard input is not a terminal
  --report FILE    write the report as JSON: kind, counts and times, without texts, names and ids
  --help           print this help

Examples:
  npm run erase -- --tweet 1890000000000000001
  npm run erase -- --user mira_codes --dry-run
  npm run erase -- --user mira_codes --yes --report erased.json

The command works with and without a running server. To complete an interrupted run, repeat the command. Older backups
still contain the texts: /docs/operations explains what to do.
Exit code: 0 for success, 1 for a failure, 2 for invalid arguments or without the confirmation.`;

interface Call {
  readonly request: EraseRequest;
  readonly dryRun: boolean;
  readonly yes: boolean;
  readonly report: string | undefined;
}

interface SelectionOptions {
  readonly tweet?: readonly string[] | undefined;
  readonly user?: string | undefined;
  readonly before?: string | undefined;
  readonly query?: string | undefined;
}

/** The one selection of the call. Throws an Error where there is none, or more than one. */
function readSelection({ tweet, user, before, query }: SelectionOptions): EraseRequest {
  const selections: EraseRequest[] = [];
  if (tweet !== undefined) {
    const wrong = tweet.find((id) => !/^\d{1,19}$/.test(id));
    if (wrong !== undefined) throw new Error(`'${wrong}' is no id of a tweet: write its digits`);
    selections.push({ kind: 'tweets', ids: tweet });
  }
  if (user !== undefined) selections.push({ kind: 'user', user });
  if (before !== undefined) selections.push({ kind: 'before', time: readPointInTime(before, Date.now()) });
  if (query !== undefined) selections.push({ kind: 'query', query });
  const [selection, ...others] = selections;
  if (selection === undefined || others.length > 0)
    throw new Error('expected one of --tweet, --user, --before and --query');
  return selection;
}

function readArguments(): Call {
  try {
    const { values } = parseArgs({
      options: {
        tweet: { type: 'string', multiple: true },
        user: { type: 'string' },
        before: { type: 'string' },
        query: { type: 'string' },
        'dry-run': { type: 'boolean', default: false },
        yes: { type: 'boolean', default: false },
        report: { type: 'string' },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (values.help) {
      console.log(usage);
      process.exit(0);
    }
    const { 'dry-run': dryRun, yes, report } = values;
    const request = readSelection(values);
    if (!dryRun && !yes && !process.stdin.isTTY)
      throw new Error('standard input is not a terminal, so the command cannot ask: add --yes or --dry-run');
    return { request, dryRun, yes, report };
  } catch (error) {
    console.error(`${(error as Error).message}\nnpm run erase -- --help shows the options`);
    process.exit(2);
  }
}

const number = (count: number): string => count.toLocaleString('en');

const counted = (count: number, noun: string): string => `${number(count)} ${noun}${count === 1 ? '' : 's'}`;

const describeCounts = ({ tweets, users, relations, conversations }: EraseCounts): string =>
  [
    counted(tweets, 'tweet'),
    counted(users, 'user'),
    counted(relations, 'relation'),
    counted(conversations, 'conversation'),
  ].join(', ');

async function erase(eraser: OpenEraser, request: EraseRequest): Promise<EraseReport> {
  let bar: ProgressBar | undefined;
  try {
    return await eraser.erase(request, (done, of) => (bar ??= new ProgressBar('removals', of)).update(done));
  } finally {
    bar?.stop();
  }
}

function describeReport({ erased, ids_sha256, started_at, finished_at, off_disk_by, remaining }: EraseReport): string {
  return [
    `erased: ${describeCounts(erased)}`,
    `  from ${started_at} to ${finished_at}`,
    `  texts removed from the disk by ${off_disk_by}`,
    `  SHA-256 of the ids: ${ids_sha256}`,
    ...remaining.map((place) => `  not reached: ${place}`),
  ].join('\n');
}

/** Returns the exit code. */
async function run(eraser: OpenEraser, { request, dryRun, yes, report }: Call): Promise<number> {
  const counts = await eraser.preview(request);
  const isEmpty = Object.values(counts).every((count) => count === 0);
  console.log(`${dryRun || isEmpty ? '' : 'permanently erases: '}${describeCounts(counts)}`);
  if (dryRun) return 0;
  if (!yes && !isEmpty && !(await confirm('erase', process.stdin, process.stderr))) {
    console.error('nothing is erased');
    return 2;
  }
  const made = await erase(eraser, request);
  console.log(describeReport(made));
  if (report !== undefined) await writeFile(report, `${JSON.stringify(made, null, 2)}\n`, { mode: 0o600 });
  return 0;
}

const call = readArguments();
try {
  await checkReportFile(call.report);
  const eraser = await openEraser(readConfig(process.env));
  try {
    process.exitCode = await run(eraser, call);
  } finally {
    await eraser.close();
  }
} catch (error) {
  fail(error, 'erase');
}
