/** Pages of a list by keyset pagination: a page starts after the position at which the previous one ended. */

/** The end of a page, in a JSON format that only the data source interprets. */
export type Position = readonly (string | number)[];

export interface PageRequest {
  /** The end of the previous page; undefined for the first page. */
  readonly after: Position | undefined;
  /** Maximum number of items, 1–100. */
  readonly limit: number;
}

export interface Page<Item> {
  readonly items: Item[];
  /** The end of this page, or null for the last page. */
  readonly next: Position | null;
}
