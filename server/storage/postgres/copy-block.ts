/**
 * The format of a local copy. A file is a sequence of blocks, and a block ends a commit. It has a line of JSON about it, and
 * then a line for each record; `+N` stands for N numbers without a record.
 */
import { crc32 } from 'node:zlib';

interface BlockHead {
  /** The numbers of the first and of the last row, and the chain of the last one in hex. */
  readonly first: number;
  readonly last: number;
  readonly chain: string;
  /** The size of the lines, and their CRC-32. */
  readonly bytes: number;
  readonly crc: number;
}

export interface Block extends BlockHead {
  readonly lines: Buffer;
  /** The offset behind the block. */
  readonly end: number;
}

const newline = 0x0a;
const gapMarker = 0x2b;

/** The lines of rows in order; `first` is the number of the first row, which may have no record. */
export class BlockLines {
  readonly #lines: string[] = [];
  #first: number;
  #last: number;
  #gap = 0;
  length = 0;

  constructor(first: number) {
    this.#first = first;
    this.#last = first - 1;
  }

  get last(): number {
    return this.#last;
  }

  /** Adds a row; null: without a record. Numbers between the last row and this one have no record. */
  add(seq: number, record: string | null): void {
    this.#gap += seq - this.#last - (record === null ? 0 : 1);
    this.#last = seq;
    if (record === null) return;
    this.#endGap();
    this.#lines.push(record);
    this.length += record.length + 1;
  }

  #endGap(): void {
    if (this.#gap > 0) this.#lines.push(`+${this.#gap}`);
    this.#gap = 0;
  }

  /** The block up to here. `chain`: of the last row, in hex. */
  format(chain: string): Buffer {
    this.#endGap();
    const lines = Buffer.from(`${this.#lines.join('\n')}\n`);
    const head: BlockHead = { first: this.#first, last: this.#last, chain, bytes: lines.length, crc: crc32(lines) };
    return Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), lines]);
  }
}

/** The intact blocks at the beginning of a file. */
export function* blocksOf(file: Buffer): Generator<Block, void> {
  for (let offset = 0; offset < file.length;) {
    const block = readBlock(file, offset);
    if (block === undefined) return;
    yield block;
    offset = block.end;
  }
}

function readBlock(file: Buffer, offset: number): Block | undefined {
  const headEnd = file.indexOf(newline, offset);
  const head = headEnd === -1 ? undefined : readHead(file.toString('utf8', offset, headEnd));
  if (head === undefined) return undefined;
  const lines = file.subarray(headEnd + 1, headEnd + 1 + head.bytes);
  const isIntact = lines.length === head.bytes && lines.at(-1) === newline && crc32(lines) === head.crc;
  return isIntact ? { ...head, lines, end: headEnd + 1 + head.bytes } : undefined;
}

function readHead(text: string): BlockHead | undefined {
  try {
    const head = JSON.parse(text) as Partial<BlockHead> | null;
    const { first, last, chain, bytes, crc } = head ?? {};
    const isHead = [first, last, bytes, crc].every(Number.isSafeInteger) && typeof chain === 'string';
    return isHead ? (head as BlockHead) : undefined;
  } catch {
    return undefined;
  }
}

/** Calls `apply` with each record of a block. The buffer is valid only during the call. */
export function readLines({ first, lines }: Block, apply: (json: Buffer, seq: number) => void): void {
  let seq = first;
  for (let from = 0; from < lines.length;) {
    const end = lines.indexOf(newline, from);
    if (lines[from] === gapMarker) seq += Number(lines.toString('latin1', from + 1, end));
    else apply(lines.subarray(from, end), seq++);
    from = end + 1;
  }
}
