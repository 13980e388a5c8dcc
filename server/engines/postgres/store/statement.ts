/** A statement of PostgreSQL. */

/** A statement with its parameters. In its text, `social_data` stands for the schema. */
export interface Statement {
  readonly text: string;
  readonly params?: readonly Parameter[];
  /**
   * The rows for `COPY … FROM STDIN`, in the format that it names: at once, or in parts. Such a statement has no parameters and returns no
   * rows. Parts have no time limit, and the statement rejects with an error of theirs.
   */
  readonly copied?: string | Uint8Array | AsyncIterable<Uint8Array>;
  /**
   * Whether each connection keeps the plan of this text, outside of transactions. For texts of which there are few, and
   * whose best plan does not depend on the parameters.
   */
  readonly isPrepared?: boolean;
  /** As `isPrepared`, for a statement that only reads, in less than a millisecond: it shares a connection with others. */
  readonly isShort?: boolean;
  /** Whether it only reads, and may read much: few such statements run at once, and the others wait for them. */
  readonly isLong?: boolean;
}
export type Parameter = string | number | boolean | null | Uint8Array | readonly number[] | readonly string[];
