/** What is measured of search: figures of each engine, for a number of tweets. Times in ms. */

export interface Figures {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  /** How many queries, and on how many of them the page is what is true. */
  readonly queries: number;
  readonly exact: number;
}
export interface EngineResult {
  readonly engine: string;
  readonly leftOut?: string;
  readonly buildSeconds?: number;
  readonly indexBytes?: number;
  readonly residentBytes?: number;
  readonly first?: Figures;
  readonly deep?: Figures;
  /** Median in ms of the first page, by kind. */
  readonly kinds?: Readonly<Record<string, number>>;
}
export interface SizeResult {
  readonly tweets: number;
  readonly jsonBytes: number;
  readonly results: readonly EngineResult[];
}
