/** `npm run export -- [OPTIONS] [FILE|-]`: writes the archive as native JSON Lines or a table, with or without a running server. */
import { parseArgs } from 'node:util';
import { connectControl } from '../../server/admin/control-client.ts';
import { readConfig, type Config } from '../../server/config/config.ts';
import type { ExportCounts } from '../../server/maintenance/export/export.ts';
import type { ExportRequest } from '../../server/maintenance/export/selected-content.ts';
import type { ExportEnd, ExportHead } from '../../server/maintenance/export/export-routes.ts';
import { writeOutput } from '../../server/maintenance/export/output-file.ts';
import { readPointInTime } from '../../server/maintenance/point-in-time.ts';
import { takeStopRequests } from '../../server/process/stop-signals.ts';
import { faultText } from '../../server/process/file-fault.ts';
import { lowerProcessPriority } from '../../server/process/thread-priority.ts';
import { requireDataDirectory } from '../../server/maintenance/data-directory.ts';
import { isTableName, tables, type TableName } from '../../server/maintenance/export/table-columns.ts';
import { ProgressBar } from './progress-bar.ts';

const usage = `Usage: npm run export -- [OPTIONS] [FILE|-]

Writes the archive of DATA_DIR (./data) to FILE, or to standard output, as native JSON Lines (spec/archive.yaml), or a
table of it as CSV or Parquet. FILE is compressed where its name ends in .gz. It appears when it is whole, and only its
user can read it. An import of the whole JSON Lines into an empty DATA_DIR gives the same answers.

  --user NAME|ID   only this user: the profile, the tweets and the relations
  --query QUERY    only tweets that match the query (the language of /docs/search)
  --since TIME     only tweets from this time on: 90d (m, h, d or w ago), 2026-01-31, or 2026-01-31T18:00:00Z
  --until TIME     only tweets before this time
  --format FORMAT  jsonl (native JSON Lines), csv or parquet; without it, what the name of FILE says, otherwise jsonl
  --table NAME     the table of csv or parquet: tweets (without it) or users
  --raw            csv: texts as they are; otherwise an apostrophe is put before those that a spreadsheet would run
                   as formulas (=, +, -, @), also before the @ of a reply
  --force          replaces FILE
  --help           shows this

Several options narrow the export down. JSON Lines hold with the tweets what they need: authors, mentioned users, quoted and
retweeted tweets, retweets and likes of them, their communities and places. The table tweets has only the tweets that the
options select, the table users all users of the JSON Lines. /docs/operations#tables has the columns.

Examples:
  npm run export -- archive.jsonl.gz
  npm run export -- --user mira_codes mira.jsonl
  npm run export -- tweets.parquet
  npm run export -- --table users --format csv users.csv.gz
  npm run --silent export -- --query 'coffee -decaf' --since 30d - | jq .tweet.text

Works with and without a running server. Exit code: 0 when all was written, 1 when not, 2 for a wrong call.`;

type Format = 'jsonl' | 'csv' | 'parquet';

interface Call {
  readonly request: ExportRequest;
  readonly format: Format;
  readonly table: TableName;
  /** Whether texts of CSV are left as they are. */
  readonly raw: boolean;
  /** `-` is standard output. */
  readonly file: string;
  readonly force: boolean;
}

function readArguments(): Call {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        user: { type: 'string' },
        query: { type: 'string' },
        since: { type: 'string' },
        until: { type: 'string' },
        format: { type: 'string' },
        table: { type: 'string' },
        raw: { type: 'boolean', default: false },
        force: { type: 'boolean', default: false },
        help: { type: 'boolean', short: 'h', default: false },
      },
    });
    if (values.help) {
      console.log(usage);
      process.exit(0);
    }
    if (positionals.length > 1) throw new Error(`expected one FILE, got ${positionals.length}`);
    const { user, query, force, raw } = values;
    const file = positionals[0] ?? '-';
    const format = formatOf(values.format, file);
    const table = tableOf(values.table, format);
    if (raw && format !== 'csv') throw new Error('--raw is for --format csv');
    const now = Date.now();
    const time = (text: string | undefined): number | undefined =>
      text === undefined ? undefined : readPointInTime(text, now);
    const [since, until] = [time(values.since), time(values.until)];
    const request = {
      ...(user === undefined ? {} : { user }),
      ...(query === undefined ? {} : { query }),
      ...(since === undefined ? {} : { since }),
      ...(until === undefined ? {} : { until }),
      ...(format === 'jsonl' ? {} : { table }),
    };
    return { request, format, table, raw, file, force };
  } catch (error) {
    console.error(`${(error as Error).message}\nnpm run export -- --help shows the options`);
    process.exit(2);
  }
}

/** The format that a call names, or the name of its file. */
function formatOf(named: string | undefined, file: string): Format {
  if (named !== undefined && named !== 'jsonl' && named !== 'csv' && named !== 'parquet')
    throw new Error(`'${named}' is no format: write jsonl, csv or parquet`);
  const format = named ?? (/\.(csv|parquet)(?:\.gz)?$/.exec(file)?.[1] as Format | undefined) ?? 'jsonl';
  if (format === 'parquet' && file.endsWith('.gz')) throw new Error('Parquet is compressed: leave .gz out');
  return format;
}

function tableOf(named: string | undefined, format: Format): TableName {
  if (named === undefined) return 'tweets';
  if (format === 'jsonl') throw new Error('--table is for --format csv and parquet');
  if (!isTableName(named)) throw new Error(`'${named}' is no table: write tweets or users`);
  return named;
}

/** An export in progress, here or in the server. */
interface OpenExport {
  readonly total: number | undefined;
  readonly chunks: AsyncIterable<string | Buffer>;
  counts(): ExportCounts;
  close(): Promise<void> | void;
}

/** A command that only reads must not create an archive. Rejects with StoreError. */
async function requireArchive({ dataDir, databaseUrl }: Config): Promise<void> {
  if (databaseUrl === undefined) return requireDataDirectory(dataDir);
  const { openExistingTables } = await import('../../server/engines/postgres/open-tables.ts');
  await (await openExistingTables(databaseUrl)).close();
}

async function open(config: Config, request: ExportRequest): Promise<OpenExport> {
  const control = await connectControl(config.dataDir);
  if (control !== undefined) {
    lowerProcessPriority();
    const stream = await control.stream('export', request).catch((error: unknown) => {
      control.close();
      throw error;
    });
    const { total } = stream.head as ExportHead;
    const counts = (): ExportCounts => (stream.end() as ExportEnd).counts;
    return { total, chunks: stream.chunks, counts, close: () => control.close() };
  }
  await requireArchive(config);
  // Beside a server, loading these modules would only take time from requests.
  const { openStoredArchive } = await import('../../server/engines/open-archive.ts');
  const { openExport } = await import('../../server/maintenance/export/export.ts');
  const archive = await openStoredArchive(config);
  try {
    const { total, chunks, counts, close } = await openExport(archive.engine, request);
    const closeBoth = async (): Promise<void> => {
      await close();
      await archive.close();
    };
    return { total, chunks, counts: () => counts, close: closeBoth };
  } catch (error) {
    await archive.close();
    throw error;
  }
}

/** Passes the chunks on and shows the number of lines. */
async function* withProgress(
  chunks: AsyncIterable<string | Buffer>,
  total: number | undefined,
): AsyncGenerator<string | Buffer, void> {
  const bar = new ProgressBar('records', total);
  let lines = 0;
  try {
    for await (const chunk of chunks) {
      for (let at = chunk.indexOf('\n'); at !== -1; at = chunk.indexOf('\n', at + 1)) lines++;
      bar.update(lines);
      yield chunk;
    }
  } finally {
    bar.stop();
  }
}

/** Writes the chunks to standard output at the rate of its reader. Returns the number of bytes. */
async function writeToStandardOutput(chunks: AsyncIterable<string | Buffer>, signal: AbortSignal): Promise<number> {
  let bytes = 0;
  for await (const chunk of chunks) {
    signal.throwIfAborted();
    bytes += Buffer.byteLength(chunk);
    await new Promise<void>((resolve, reject) => {
      process.stdout.write(chunk, (error) => (error ? reject(error) : resolve()));
    });
  }
  return bytes;
}

/** The file of a format, from the lines of an export. `onRows`: takes the number of rows of each chunk of a table. */
async function fileOf(
  lines: AsyncIterable<string | Buffer>,
  { format, table, raw }: Call,
  onRows: (rows: number) => void,
): Promise<AsyncIterable<string | Buffer>> {
  if (format === 'jsonl') return lines;
  // Other exports do not load the writers of tables.
  const { csvTable, parquetTable } = await import('../../server/maintenance/export/table-files.ts');
  return format === 'csv'
    ? csvTable(lines, tables[table], { isGuarded: !raw, onRows })
    : parquetTable(lines, tables[table], { onRows });
}

function describe(counts: ExportCounts, bytes: number, file: string, seconds: number): string {
  const records = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const kinds = Object.entries(counts).map(([kind, count]) => `${kind} ${count.toLocaleString('en')}`);
  const to = file === '-' ? 'standard output' : file;
  const size = `${(bytes / 1e6).toFixed(1)} MB in ${seconds.toFixed(1)} s`;
  return `${to}: ${records.toLocaleString('en')} records (${kinds.join(', ') || 'none'}), ${size}`;
}

async function run(call: Call, signal: AbortSignal): Promise<void> {
  const { request, file, force, format, table } = call;
  const startedAt = performance.now();
  const { total, chunks, counts, close } = await open(readConfig(process.env), request);
  try {
    let rows = 0;
    const shown = await fileOf(withProgress(chunks, total), call, (more) => void (rows += more));
    const bytes =
      file === '-' ? await writeToStandardOutput(shown, signal) : await writeOutput(file, shown, { force, signal });
    const written = format === 'jsonl' ? counts() : { [table]: rows };
    const summary = describe(written, bytes, file, (performance.now() - startedAt) / 1000);
    if (file === '-') console.error(summary);
    else console.log(summary);
  } finally {
    await close();
  }
}

/** The message of an error in one line. */
function messageOf(error: unknown, signal: AbortSignal): string {
  if (signal.aborted) return 'stopped before the end: nothing is left behind';
  if ((error as NodeJS.ErrnoException).code === 'EPIPE') return 'standard output was closed before the end';
  return faultText(error);
}

const call = readArguments();
const stop = new AbortController();
takeStopRequests(() => stop.abort(), { onRepeat: () => process.exit(1) });
// The rejected write reports a reader that went away.
process.stdout.on('error', () => {});
try {
  await run(call, stop.signal);
} catch (error) {
  console.error(messageOf(error, stop.signal));
  process.exitCode = 1;
}
