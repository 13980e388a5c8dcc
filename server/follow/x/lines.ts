/** Splits a body into lines of a bounded length. Bytes, so that a character may be in two chunks. */

const lineFeed = 10;

export class LineSplitter {
  readonly #maxBytes: number;
  readonly #onTooLong: () => void;
  #parts: Buffer[] = [];
  #bytes = 0;
  #isSkipping = false;

  /** `onTooLong` is called once for each line of more than `maxBytes`; the line is left out. */
  constructor(maxBytes: number, onTooLong: () => void) {
    this.#maxBytes = maxBytes;
    this.#onTooLong = onTooLong;
  }

  /** The lines that a chunk ends, without white space around them: an empty one is a heartbeat. */
  add(chunk: Buffer): string[] {
    const lines: string[] = [];
    let from = 0;
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, from)) {
      this.#hold(chunk.subarray(from, end));
      const line = this.end();
      if (line !== undefined) lines.push(line);
      from = end + 1;
    }
    this.#hold(chunk.subarray(from));
    return lines;
  }

  /** Ends the last line; undefined where it was too long. */
  end(): string | undefined {
    const line = this.#isSkipping ? undefined : Buffer.concat(this.#parts).toString().trim();
    this.#parts = [];
    this.#bytes = 0;
    this.#isSkipping = false;
    return line;
  }

  #hold(part: Buffer): void {
    if (this.#isSkipping || part.length === 0) return;
    this.#bytes += part.length;
    this.#parts.push(part);
    if (this.#bytes <= this.#maxBytes) return;
    this.#isSkipping = true;
    this.#parts = [];
    this.#onTooLong();
  }
}
