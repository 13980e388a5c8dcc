/** Rows of tweets, their counts and mentions in the binary format of COPY. PostgreSQL reads a tsvector of this format twice as fast as one in text form. */
import { counts } from '../../../domain/records.ts';
import type { Statement } from '../store/statement.ts';
import { letterOfPair, maxPositions, wideOfPair, type Lexemes } from './lexemes.ts';
import type { Row } from '../../../archive/sql.ts';

type ColumnType = 'bigint' | 'integer' | 'float8' | 'boolean' | 'text';
type Columns = readonly (readonly [name: string, type: ColumnType])[];
/** The columns of the tables, with their types; those of `tweet` without its words. */
const columns = {
  tweet: [
    ['id', 'bigint'],
    ['created_at', 'bigint'],
    ['author_id', 'bigint'],
    ['place_id', 'text'],
    ['longitude', 'float8'],
    ['latitude', 'float8'],
    ['is_long', 'boolean'],
    ['has_media', 'boolean'],
    ['in_reply_to_id', 'bigint'],
    ['quoted_id', 'bigint'],
    ['retweeted_id', 'bigint'],
    ['community_id', 'bigint'],
    ['reply_to', 'text'],
    ['document', 'text'],
  ],
  tweet_count: [
    ['id', 'bigint'],
    ...counts.map((name) => [name, 'bigint'] as const),
    ['known', 'integer'],
    ['engagement', 'bigint'],
    ['observed_at', 'bigint'],
    ['community_id', 'bigint'],
    ['rank', 'bigint'],
  ],
  mention: [
    ['tweet_id', 'bigint'],
    ['place', 'integer'],
    ['created_at', 'bigint'],
    ['username', 'text'],
    ['user_id', 'bigint'],
  ],
} as const satisfies Readonly<Record<string, Columns>>;
const signature = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1');
const missing = -1;
/** The number of fields that ends the rows. */
const end = -1;

/** Bytes that grow. Numbers have the order of the network. */
class Bytes {
  #buffer = Buffer.allocUnsafe(1 << 18);
  #length = 0;

  /** Makes room for a number of bytes. */
  reserve(size: number): void {
    if (this.#length + size <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(2 * this.#buffer.length + size);
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }

  add(bytes: Uint8Array): void {
    this.reserve(bytes.length);
    this.#buffer.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  int16(value: number): void {
    this.#buffer[this.#length++] = value >> 8;
    this.#buffer[this.#length++] = value;
  }

  int32(value: number): void {
    this.#length = this.#buffer.writeInt32BE(value, this.#length);
  }

  /** A whole number. A text can have more digits than a number. */
  int64(value: string | number): void {
    if (typeof value === 'string') {
      this.#length = this.#buffer.writeBigInt64BE(BigInt(value), this.#length);
    } else {
      this.int32(Math.floor(value / 2 ** 32));
      this.#length = this.#buffer.writeUInt32BE(value >>> 0, this.#length);
    }
  }

  float64(value: number): void {
    this.#length = this.#buffer.writeDoubleBE(value, this.#length);
  }

  byte(value: number): void {
    this.#buffer[this.#length++] = value;
  }

  /** A text in UTF-8. */
  text(value: string): void {
    this.reserve(3 * value.length);
    this.#length += this.#buffer.write(value, this.#length);
  }

  /** A short text in UTF-8: mostly ASCII, for which a loop is faster than a call of the library. */
  word(value: string): void {
    this.reserve(3 * value.length + 3);
    const start = this.#length;
    for (let index = 0; index < value.length; index++) {
      const code = value.charCodeAt(index);
      if (code < 0x80) this.#buffer[this.#length++] = code;
      else if (code < 0x800) {
        this.#buffer[this.#length++] = 0xc0 | (code >> 6);
        this.#buffer[this.#length++] = 0x80 | (code & 0x3f);
      } else {
        this.#length = start;
        return this.text(value);
      }
    }
  }

  /** Begins bytes that have their number before them. Returns what `endSized` needs. */
  beginSized(): number {
    this.reserve(4);
    this.#length += 4;
    return this.#length;
  }

  endSized(start: number): void {
    this.#buffer.writeInt32BE(this.#length - start, start - 4);
  }

  end(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }
}

/** Rows to add to a table that has no rows with their keys. */
export class BinaryRows {
  readonly #columns: Columns;
  #bytes = new Bytes();
  #rows = 0;

  constructor(table: keyof typeof columns) {
    this.#columns = columns[table];
    this.#bytes.add(signature);
    // No flags, and no more of a header.
    this.#bytes.int32(0);
    this.#bytes.int32(0);
  }

  /** The number of rows. */
  get length(): number {
    return this.#rows;
  }

  /** Adds a row. `words`: the column `words` of a tweet. A tweet has 0 as `arrived_in`. */
  add(row: Row, words?: Lexemes): void {
    this.#rows++;
    const bytes = this.#bytes;
    bytes.reserve(2);
    bytes.int16(this.#columns.length + (words === undefined ? 0 : 1));
    for (const [name, type] of this.#columns) addField(bytes, type, row[name] ?? null);
    if (words === undefined) return;
    const start = bytes.beginSized();
    addVector(bytes, words);
    bytes.endSized(start);
  }

  /** The bytes that were added since the last call. */
  take(): Uint8Array {
    const taken = this.#bytes.end();
    this.#bytes = new Bytes();
    return taken;
  }

  /** As `take`, with the end of the rows. No further row can be added. */
  end(): Uint8Array {
    this.#bytes.reserve(2);
    this.#bytes.int16(end);
    return this.take();
  }
}

/** The statement that adds rows to a table. */
export function copyBinary(table: keyof typeof columns, copied: NonNullable<Statement['copied']>): Statement {
  const names = columns[table].map(([name]): string => name);
  if (table === 'tweet') names.push('words');
  return { text: `COPY social_data.${table} (${names.join(', ')}) FROM STDIN (FORMAT binary)`, copied };
}

function addField(bytes: Bytes, type: ColumnType, value: Row[string]): void {
  bytes.reserve(12);
  if (value === null) return bytes.int32(missing);
  if (type === 'text') return addText(bytes, String(value));
  bytes.int32(type === 'boolean' ? 1 : type === 'integer' ? 4 : 8);
  if (type === 'boolean') bytes.byte(value === true ? 1 : 0);
  else if (type === 'float8') bytes.float64(Number(value));
  else if (type === 'integer') bytes.int32(Number(value));
  else bytes.int64(value as string | number);
}

function addText(bytes: Bytes, text: string): void {
  const start = bytes.beginSized();
  bytes.text(text);
  bytes.endSized(start);
}

/** A tsvector: the number of lexemes, then each with a zero and the number of its positions. PostgreSQL puts them in order. */
function addVector(bytes: Bytes, { tokens, others, pairs }: Lexemes): void {
  bytes.reserve(4);
  bytes.int32(tokens.size + others.size + pairs.length);
  for (const [lexeme, positions] of tokens) {
    bytes.word(lexeme);
    bytes.reserve(3 + 2 * maxPositions);
    bytes.byte(0);
    if (typeof positions === 'number') {
      bytes.int16(1);
      bytes.int16(positions);
    } else {
      bytes.int16(positions.length);
      for (const position of positions) bytes.int16(position);
    }
  }
  for (const lexeme of others) {
    bytes.word(lexeme);
    bytes.reserve(3);
    bytes.byte(0);
    bytes.int16(0);
  }
  bytes.reserve(6 * pairs.length);
  for (const pair of pairs) {
    const wide = wideOfPair(pair);
    bytes.byte(letterOfPair(pair));
    bytes.byte(0xc0 | (wide >> 6));
    bytes.byte(0x80 | (wide & 0x3f));
    bytes.byte(0);
    bytes.int16(0);
  }
}
