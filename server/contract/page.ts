/** Pages of a list by keyset pagination: a page starts after the position at which the previous one ended. */

/** The end of a page, in a JSON format that only the data source interprets. */
export type Position = readonly (string | number)[];

export interface PageRequest {
  /** The end of the previous page; undefined for the first page. */
  readonly after: Position | undefined;
  /** Maximum number of items, 1–100. */
  readonly limit: number;
}

/** A request for a page of a list of which a part may be missing behind a time. */
export interface BoundedPageRequest extends PageRequest {
  /**
   * The page has only items that are newer than this time, in milliseconds since the epoch, and always a next position: there
   * may be more items. -Infinity: all items, though there may be more.
   */
  readonly newerThan?: number | undefined;
}

export interface Page<Item> {
  readonly items: Item[];
  /** The end of this page, or null for the last page. */
  readonly next: Position | null;
}
