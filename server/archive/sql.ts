/**
 * Statements of SQL for both database engines. A statement is a template; what the engines write in different ways is a part of it, which
 * the dialect of the engine renders. `social_data.` stands for the schema.
 */

/** How an engine writes what the engines write in different ways. Each function adds its parameters to `params`. */
export interface Dialect<Parameter> {
  value(value: Value, params: Parameter[]): string;
  /** The condition that a column has one of some values. */
  among(column: string, list: List, params: Parameter[]): string;
  /** The table `given` with these columns, whose rows are those of the lists. */
  given(columns: Readonly<Record<string, List>>, params: Parameter[]): string;
  /** The text of an id that a column has in its stored form. */
  idText(column: string): string;
  /** The condition that joins the counts of a tweet, by the aliases of the tables `tweet_count` and `tweet`. */
  sameTweet(counts: string, tweet: string): string;
}

/** A parameter. Numbers are integers; `id` is an id in its stored form, `real` a number that is no integer. */
export type Value = string | number | boolean | null | { readonly id: string } | { readonly real: number };

/** Parameters: ids in their stored form, or texts. */
export type List = { readonly ids: readonly string[] } | { readonly texts: readonly string[] };

type Render = <Parameter>(dialect: Dialect<Parameter>, params: Parameter[]) => string;

/**
 * What a statement costs that only reads. `short`: less than a millisecond, so an engine may run it together with others. `long`: more with a larger
 * archive, so an engine runs few of them at once.
 */
type Cost = 'short' | 'long';

/** A part of a statement that is not a parameter. */
export class Fragment {
  readonly #strings: readonly string[];
  readonly #parts: readonly (Value | Fragment | Render)[];
  readonly cost: Cost | undefined;

  constructor(strings: readonly string[], parts: readonly (Value | Fragment | Render)[], cost?: Cost) {
    this.#strings = strings;
    this.#parts = parts;
    this.cost = cost;
  }

  /** The text for an engine. Adds the parameters to `params`. */
  render<Parameter>(dialect: Dialect<Parameter>, params: Parameter[]): string {
    let text = this.#strings[0] ?? '';
    for (const [index, part] of this.#parts.entries()) {
      if (part instanceof Fragment) text += part.render(dialect, params);
      else text += typeof part === 'function' ? part(dialect, params) : dialect.value(part, params);
      text += this.#strings[index + 1] ?? '';
    }
    return text;
  }

  /** The same statement, which is marked as short. */
  short(): Fragment {
    return new Fragment(this.#strings, this.#parts, 'short');
  }

  /** The same statement, which is marked as long. */
  long(): Fragment {
    return new Fragment(this.#strings, this.#parts, 'long');
  }
}

/** A statement, or a part of one. */
export const sql = (strings: TemplateStringsArray, ...parts: readonly (Value | Fragment)[]): Fragment =>
  new Fragment(strings, parts);

const rendered = (render: Render): Fragment => new Fragment(['', ''], [render]);

/** A text that is part of the statement as it is, such as the name of a column. It never comes from a caller. */
export const raw = (text: string): Fragment => new Fragment([text], []);

/** Whether a column has one of some values. */
export const among = (column: string, list: List): Fragment =>
  rendered((dialect, params) => dialect.among(column, list, params));

/** The table `given` with rows of parameters. The lists have the same length. */
export const given = (columns: Readonly<Record<string, List>>): Fragment =>
  rendered((dialect, params) => dialect.given(columns, params));

export const idText = (column: string): Fragment => rendered((dialect) => dialect.idText(column));

export const sameTweet = (counts: string, tweet: string): Fragment =>
  rendered((dialect) => dialect.sameTweet(counts, tweet));

/** Parts with a text between them. */
export const joined = (parts: readonly Fragment[], between: string): Fragment =>
  new Fragment(['', ...parts.slice(1).map(() => between), ''], parts);

/** A row to write, as column values by name. */
export type Row = Readonly<Record<string, string | number | boolean | null>>;

/** Rows to insert into a table, which all have the same columns. */
export interface Insertion {
  readonly table: string;
  readonly rows: readonly Row[];
  /**
   * What happens to a row whose key the table has: `replace` writes the other columns, `keep` leaves the row of the table. Without it,
   * no key may be in the table.
   */
  readonly conflict?: {
    readonly keys: readonly string[];
    readonly action: 'replace' | 'keep';
    /** The columns that stay as they are. */
    readonly except?: readonly string[];
  };
}

/**
 * Runs a statement and returns its rows. Integers of a row are numbers or their texts; a truth value is a boolean or 0 or 1. Rejects with
 * StoreError.
 */
export type RunSql = <Found extends object>(statement: Fragment | Insertion) => Promise<readonly Found[]>;

/** An integer of a row. */
export type Integer = string | number;
