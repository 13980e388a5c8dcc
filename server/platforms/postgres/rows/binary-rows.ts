/** Rows of tweets in the binary format of COPY. PostgreSQL reads a tsvector of this format twice as fast as one in text form. */
import type { Statement } from '../../../storage/postgres/database.ts';
import type { Lexemes } from './lexemes.ts';
import type { Row } from './search-rows.ts';

type ColumnType = 'bigint' | 'float8' | 'boolean' | 'text';
/** The columns of `tweet` but its words, with their types. */
const columns: Readonly<Record<string, ColumnType>> = {
  id: 'bigint',
  created_at: 'bigint',
  author_id: 'bigint',
  place_id: 'text',
  longitude: 'float8',
  latitude: 'float8',
  is_long: 'boolean',
  has_media: 'boolean',
  in_reply_to_id: 'bigint',
  quoted_id: 'bigint',
  retweeted_id: 'bigint',
  community_id: 'bigint',
  reply_to: 'text',
  document: 'text',
};
const columnTypes = Object.entries(columns);
const signature = Buffer.from('PGCOPY\n\xff\r\n\0', 'latin1');
const missing = -1;
/** The number of fields that ends the rows. */
const end = -1;

/** Bytes that grow. Numbers have the order of the network. */
class Bytes {
  #buffer = Buffer.allocUnsafe(1 << 21);
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

  int64(value: string | number): void {
    this.#length = this.#buffer.writeBigInt64BE(BigInt(value), this.#length);
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

  /** Writes bytes with their number before them. */
  sized(write: () => void): void {
    this.reserve(4);
    const start = this.#length;
    this.#length += 4;
    write();
    this.#buffer.writeInt32BE(this.#length - start - 4, start);
  }

  end(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }
}

/** Tweets to add, with `arrived_in` 0. */
export class TweetCopy {
  readonly #bytes = new Bytes();

  constructor() {
    this.#bytes.add(signature);
    // No flags, and no more of a header.
    this.#bytes.int32(0);
    this.#bytes.int32(0);
  }

  add(tweet: Row, words: Lexemes): void {
    const bytes = this.#bytes;
    bytes.reserve(1024);
    bytes.int16(columnTypes.length + 1);
    for (const [name, type] of columnTypes) addField(bytes, type, tweet[name] ?? null);
    bytes.sized(() => addVector(bytes, words));
  }

  /** The statement that adds them, with an option of COPY. No further tweet can be added. */
  end(option: string): Statement {
    this.#bytes.reserve(2);
    this.#bytes.int16(end);
    const names = columnTypes.map(([name]) => name).join(', ');
    return {
      text: `COPY social_data.tweet (${names}, words) FROM STDIN (FORMAT binary, ${option})`,
      copied: this.#bytes.end(),
    };
  }
}

function addField(bytes: Bytes, type: ColumnType, value: Row[string]): void {
  bytes.reserve(12);
  if (value === null) return bytes.int32(missing);
  if (type === 'text') return bytes.sized(() => bytes.text(String(value)));
  bytes.int32(type === 'boolean' ? 1 : 8);
  if (type === 'boolean') bytes.byte(value === true ? 1 : 0);
  else if (type === 'float8') bytes.float64(Number(value));
  else bytes.int64(value as string | number);
}

/** A tsvector: the number of lexemes, then each with a zero and the number of its positions. PostgreSQL puts them in order. */
function addVector(bytes: Bytes, { tokens, others }: Lexemes): void {
  bytes.reserve(4);
  bytes.int32(tokens.size + others.size);
  for (const [lexeme, positions] of tokens) {
    bytes.word(lexeme);
    bytes.reserve(3 + 2 * positions.length);
    bytes.byte(0);
    bytes.int16(positions.length);
    for (const position of positions) bytes.int16(position);
  }
  for (const lexeme of others) {
    bytes.word(lexeme);
    bytes.reserve(3);
    bytes.byte(0);
    bytes.int16(0);
  }
}
