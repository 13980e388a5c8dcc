/** What the command-line client needs of its process, so that tests run it without one. */
export interface Io {
  /** Writes to standard output. */
  write(content: string | Uint8Array): void;
  /** Writes a line to standard error. */
  warn(line: string): void;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Whether standard output is a terminal. */
  readonly isTerminal: boolean;
  /** The width of the terminal. */
  readonly columns: number;
  /** The home directory. */
  readonly home: string;
  /** Reads standard input. */
  input(): Promise<string>;
  /** The lines of standard input as they come; they end with it, and with Ctrl-C. */
  lines(): AsyncIterable<string>;
  /** Aborts with Ctrl-C. */
  readonly signal: AbortSignal;
}

/** A wrong call: the message says what to change. */
export class WrongCall extends Error {}
