/** `npm run import -- FILE|FOLDER|- …`: imports data into the archive, with or without a running server. */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { SingleBar } from 'cli-progress';
import { readConfig, type Config } from '../../server/config/config.ts';
import { connectControl } from '../../server/admin/control-client.ts';
import { openControlSink } from '../../server/import/control-sink.ts';
import { readElsewhere } from '../../server/import/shared-sink.ts';
import { importInput, type ImportReport } from '../../server/import/import.ts';
import { openInputs } from '../../server/import/input.ts';
import { mediaFolder } from '../../server/storage/media-files.ts';
import { InputError, type Input, type LeftOut } from '../../server/import/input-file.ts';
import type { ImportSink } from '../../server/ports/import-sink.ts';
import { takeStopRequests } from '../../server/process/stop-signals.ts';
import { lowerProcessPriority } from '../../server/process/thread-priority.ts';
import { fail } from './failure.ts';
import { checkReportFile } from './report-file.ts';

const usage = `Usage: npm run import -- [--restore] [--report FILE] INPUT …

Takes tweets, users and what belongs to them into the archive of DATA_DIR (./data). An INPUT is a file, plain or gzip, a personal
archive (the zip file of X, or its folder), or - for standard input. The content determines the format:

  native JSON Lines (spec/archive.yaml) · X API v2 answers · Twitter v1.1 statuses · a personal X archive, also until 2019
  answers of the web pages of X (GraphQL), alone, in HAR files, or as twscrape, gallery-dl and twitter-web-exporter save them
  stored streams and compliance results of X: tweets and accounts that they name as deleted go
  answers of the API of Bluesky · a repository that Bluesky exports (.car) · an export of Mastodon (zip, folder, outbox.json)

Of a personal archive it takes tweets (long ones with their whole text), likes, followed accounts, followers and the profile, and
names the other files. Likes become likes of the service's own account. Pictures and videos of tweets are stored in DATA_DIR/media,
also those of an export of Mastodon, of which only public posts are taken.

  --restore      brings back tweets and accounts of the inputs that were deleted or withdrawn before
  --report FILE  writes the whole report as JSON, with the line of everything that was skipped
  --help         shows this

It works while the server runs, changes nothing when the same data comes again, and goes on where it was when it was killed.
Ctrl-C stops after the batch under way; pressed again, at once.
Exit code: 0 when every input was read and recognised, 1 when one was not, 2 for a wrong call.`;

/** The maximum number of reasons, and of line numbers for each, in the printed report. */
const maxPrinted = 20;

type OpenSink = { sink: ImportSink; close(): Promise<void> | void };

/** Opens the archive to import into: through the running server, or from the data directory if no server runs. */
async function openSink(config: Config): Promise<OpenSink> {
  const control = await connectControl(config.dataDir);
  // Beside a server, loading these modules would only take time from requests.
  if (control === undefined) {
    const { openStoredArchive } = await import('../../server/engines/open-archive.ts');
    return openStoredArchive(config, ({ reason }) => console.error(`a record cannot be applied: ${reason}`));
  }
  lowerProcessPriority();
  const maxValues = config.databaseUrl === undefined ? readElsewhere : undefined;
  return { sink: openControlSink(control, maxValues), close: () => control.close() };
}

/** Shows the progress on standard error: a bar on a terminal, otherwise a line every 5 seconds. */
function showProgress(input: Input): { update(values: number, bytes: number): void; stop(): void } {
  const startedAt = Date.now();
  const rate = (values: number): number => Math.round(values / Math.max(0.001, (Date.now() - startedAt) / 1000));
  if (process.stderr.isTTY && input.bytes > 0) {
    const bar = new SingleBar({
      format: '{bar} {percentage}% | {records} records | {rate}/s | {input}',
      hideCursor: true,
    });
    bar.start(input.bytes, 0, { records: 0, rate: 0, input: input.name });
    return {
      update: (values, bytes) => bar.update(bytes, { records: values, rate: rate(values) }),
      stop: () => bar.stop(),
    };
  }
  let last = startedAt;
  return {
    update(values, bytes) {
      if (Date.now() - last < 5000) return;
      last = Date.now();
      const share = input.bytes > 0 ? `, ${Math.floor((100 * bytes) / input.bytes)} %` : '';
      console.error(`${input.name}: ${values} records, ${rate(values)}/s${share}`);
    },
    stop() {},
  };
}

const outcomes = ['taken', 'updated', 'unchanged', 'skipped', 'resumed'] as const;
type Counts = Readonly<Record<(typeof outcomes)[number], number>>;

const valuesOf = (counts: Counts): number => outcomes.reduce((sum, name) => sum + counts[name], 0);

function describeCounts({ taken, updated, unchanged, skipped, resumed }: Counts): string {
  const earlier = resumed > 0 ? ` · taken by an earlier run ${resumed}` : '';
  return `  taken ${taken} · updated ${updated} · unchanged ${unchanged} · skipped ${skipped}${earlier}`;
}

/** The maximum number of names of files that are left out. */
const maxNames = 100;

function describeLeftOut(leftOut: readonly LeftOut[]): string {
  const names = leftOut
    .slice(0, maxNames)
    .map(({ name, reason }) => (reason === undefined ? name : `${name} (${reason})`));
  const more = leftOut.length - names.length;
  return `  left out: ${names.join(', ')}${more > 0 ? `, and ${more} more` : ''}`;
}

function describeSpeed(values: number, seconds: number): string {
  const rate = Math.round(values / Math.max(seconds, 0.001));
  const records = values === 1 ? 'record' : 'records';
  return `${values.toLocaleString('en')} ${records} in ${seconds.toFixed(1)} s (${rate.toLocaleString('en')}/s)`;
}

function describe(report: ImportReport, seconds: number): string {
  const values = valuesOf(report);
  const lines = [`${report.input}: ${describeSpeed(values, seconds)}`, describeCounts(report)];
  const added = Object.entries(report.added).map(([kind, count]) => `${kind} ${count}`);
  if (added.length > 0) lines.push(`  added: ${added.join(' · ')}`);
  const counted = Array.from(report.reasons, ([reason, at]) => ({
    reason,
    at,
    count: at.length + (report.unlisted.get(reason) ?? 0),
  }));
  const reasons = counted.toSorted((a, b) => b.count - a.count);
  for (const { reason, at, count } of reasons.slice(0, maxPrinted)) {
    // A document can have all its values on one line.
    const named = [...new Set(at)];
    const first = named.slice(0, maxPrinted).join(', ');
    const isWhole = named.length <= maxPrinted && at.length === count;
    lines.push(`  skipped ${count}: ${reason} (line ${first}${isWhole ? '' : ', …'})`);
  }
  const more = reasons.length - maxPrinted;
  if (more > 0) lines.push(`  and ${more} more reasons; --report FILE writes all of them`);
  if (report.leftOut !== undefined && report.leftOut.length > 0) lines.push(describeLeftOut(report.leftOut));
  if (report.fault !== undefined) lines.push(`  ${report.fault}${values > 0 ? '; what came before is taken in' : ''}`);
  else if (!report.complete) lines.push('  not read to its end');
  return lines.join('\n');
}

/** The totals of several reports, in the format of one report. */
function describeAll(reports: ImportReport[], seconds: number): string {
  const sum = (name: keyof Counts): number => reports.reduce((all, report) => all + report[name], 0);
  const sums = Object.fromEntries(outcomes.map((name) => [name, sum(name)])) as Counts;
  return `${reports.length} inputs: ${describeSpeed(valuesOf(sums), seconds)}\n${describeCounts(sums)}`;
}

const stop = new AbortController();

/** Imports all inputs. Returns the reports, and the errors of inputs that it could not read. */
async function importAll(
  paths: readonly string[],
  sink: ImportSink,
  restore: boolean,
  folder: string,
): Promise<{ reports: ImportReport[]; faults: string[] }> {
  const reports: ImportReport[] = [];
  const faults: string[] = [];
  for (const path of paths) {
    try {
      for (const input of await openInputs(path, { mediaFolder: folder, signal: stop.signal })) {
        if (stop.signal.aborted) return { reports, faults };
        const startedAt = Date.now();
        const progress = showProgress(input);
        const options = { onProgress: progress.update, signal: stop.signal, restore };
        const report = await importInput(input, sink, options).finally(progress.stop);
        reports.push(report);
        console.log(describe(report, (Date.now() - startedAt) / 1000));
        if (report.fault !== undefined) faults.push(`${input.name}: ${report.fault}`);
        else if (report.complete && report.skipped > 0 && report.skipped === valuesOf(report)) {
          faults.push(`${input.name}: nothing in it was recognised`);
        }
      }
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      faults.push(error.message.startsWith(path) ? error.message : `${path}: ${error.message}`);
    }
  }
  return { reports, faults };
}

function readArguments(): { inputs: string[]; reportFile: string | undefined; restore: boolean } {
  try {
    const options = {
      report: { type: 'string' },
      restore: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h' },
    } as const;
    const { values, positionals } = parseArgs({ allowPositionals: true, options });
    if (values.help) {
      console.log(usage);
      process.exit(0);
    }
    if (positionals.length > 0) return { inputs: positionals, reportFile: values.report, restore: values.restore };
  } catch (error) {
    console.error((error as Error).message);
  }
  console.error(usage);
  process.exit(2);
}

/** Imports into the data directory, or into the server that runs on it. */
async function importIntoDataDir(inputs: readonly string[], restore: boolean): ReturnType<typeof importAll> {
  const config = readConfig(process.env);
  const { sink, close } = await openSink(config);
  try {
    return await importAll(inputs, sink, restore, mediaFolder(config.dataDir));
  } finally {
    await close();
  }
}

const { inputs, reportFile, restore } = readArguments();
// A second signal ends the process at once; acknowledged records are durable.
takeStopRequests(() => stop.abort(), { onRepeat: () => process.exit(1) });
try {
  await checkReportFile(reportFile);
  const startedAt = Date.now();
  const { reports, faults } = await importIntoDataDir(inputs, restore);
  if (reports.length > 1) console.log(describeAll(reports, (Date.now() - startedAt) / 1000));
  if (reportFile !== undefined) {
    const whole = reports.map((report) => ({
      ...report,
      reasons: Object.fromEntries(report.reasons),
      unlisted: Object.fromEntries(report.unlisted),
    }));
    await writeFile(reportFile, `${JSON.stringify(whole, null, 2)}\n`);
  }
  for (const fault of faults) console.error(fault);
  if (stop.signal.aborted) console.error('stopped before the end; the same command goes on from there');
  process.exitCode = faults.length > 0 || stop.signal.aborted ? 1 : 0;
} catch (error) {
  fail(error, 'import');
}
