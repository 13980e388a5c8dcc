/** Turns the lines of an export into a table, in memory of bounded size: CSV, or Parquet by hyparquet-writer. */
import { StringDecoder } from 'node:string_decoder';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { ArchiveRecord } from '../../domain/records.ts';
import { csvOf, type CsvOptions } from '../../text/csv.ts';
import { csvValue, type ColumnType, type Table } from './table-columns.ts';

/** The rows of a chunk of CSV. */
const csvRows = 500;
/** The rows of a row group of Parquet, and the UTF-16 code units of its texts from which on it is written. */
const groupRows = 20_000;
const groupLength = 32_000_000;

type Chunks = AsyncIterable<string | Buffer>;

/** The lines of chunks, which need not end at line breaks. */
async function* linesOf(chunks: Chunks): AsyncGenerator<readonly string[], void> {
  const decoder = new StringDecoder('utf8');
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + (typeof chunk === 'string' ? chunk : decoder.write(chunk))).split('\n');
    rest = lines.pop() ?? '';
    yield lines;
  }
  if (rest !== '') yield [rest];
}

async function* rowsOf(
  chunks: Chunks,
  { lineStart, rowOf }: Table,
): AsyncGenerator<readonly (readonly unknown[])[], void> {
  for await (const lines of linesOf(chunks)) {
    const found = lines.filter((line) => line.startsWith(lineStart));
    yield found.flatMap((line) => {
      const row = rowOf(JSON.parse(line) as ArchiveRecord);
      return row === undefined ? [] : [row];
    });
  }
}

/** CSV (RFC 4180) in UTF-8 with a line of names. `chunks`: the lines of an export. `onRows`: takes the number of rows of each chunk. */
export async function* csvTable(
  chunks: Chunks,
  table: Table,
  options: CsvOptions & { readonly onRows?: (rows: number) => void } = {},
): AsyncGenerator<string, void> {
  const { columns } = table;
  yield csvOf([columns.map(({ name }) => name)], options);
  for await (const rows of rowsOf(chunks, table)) {
    options.onRows?.(rows.length);
    for (let from = 0; from < rows.length; from += csvRows)
      yield csvOf(
        rows.slice(from, from + csvRows).map((row) => row.map((value, index) => csvValue(value, columns[index]!.type))),
        options,
      );
  }
}

/** Gives away what was written after each row group. */
class ChunkWriter extends ByteWriter {
  #chunks: Buffer[] = [];

  flush(): void {
    this.#chunks.push(Buffer.from(this.getBytes()));
    this.index = 0;
  }

  override finish(): void {
    this.flush();
  }

  take(): readonly Buffer[] {
    const chunks = this.#chunks;
    this.#chunks = [];
    return chunks;
  }
}

type SchemaElement = ConstructorParameters<typeof ParquetWriter>[0]['schema'][number];

const schemaTypes: Readonly<Record<ColumnType, Omit<SchemaElement, 'name'>>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  // Readers do not agree on the type JSON: some return bytes for it.
  json: { type: 'BYTE_ARRAY', converted_type: 'UTF8', logical_type: { type: 'STRING' } },
  time: {
    type: 'INT64',
    converted_type: 'TIMESTAMP_MILLIS',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  },
  integer: { type: 'INT64' },
  number: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
};

function parquetValue(value: unknown, type: ColumnType): unknown {
  if (value === undefined || value === null) return null;
  if (type === 'json') return JSON.stringify(value);
  if (type === 'time' || type === 'integer') return BigInt(value as number);
  return value;
}

const lengthOf = (row: readonly unknown[]): number =>
  row.reduce<number>((sum, value) => sum + (typeof value === 'string' ? value.length : 0), 0);

/** As `csvTable`: a file of Parquet, compressed with Snappy, in row groups of bounded size. */
export async function* parquetTable(
  chunks: Chunks,
  table: Table,
  { onRows = () => {} }: { readonly onRows?: (rows: number) => void } = {},
): AsyncGenerator<Buffer, void> {
  const { columns } = table;
  const schema: SchemaElement[] = [
    { name: 'root', num_children: columns.length },
    ...columns.map(({ name, type }) => ({ name, repetition_type: 'OPTIONAL' as const, ...schemaTypes[type] })),
  ];
  const bytes = new ChunkWriter();
  const writer = new ParquetWriter({ writer: bytes, schema, createdBy: 'social-data' });
  let group: (readonly unknown[])[] = [];
  let length = 0;
  const writeGroup = async (): Promise<void> => {
    const columnData = columns.map(({ name }, index) => ({ name, data: group.map((row) => row[index]) }));
    await writer.write({ columnData, rowGroupSize: groupRows });
    group = [];
    length = 0;
  };
  for await (const rows of rowsOf(chunks, table)) {
    onRows(rows.length);
    for (const row of rows) {
      const values = row.map((value, index) => parquetValue(value, columns[index]!.type));
      group.push(values);
      length += lengthOf(values);
      if (group.length < groupRows && length < groupLength) continue;
      await writeGroup();
      yield* bytes.take();
    }
  }
  if (group.length > 0) await writeGroup();
  await writer.finish();
  yield* bytes.take();
}
