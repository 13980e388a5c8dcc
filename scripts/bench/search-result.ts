/** The results of the search benchmark. Times are in ms. */

export interface Figures {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  /** The number of queries, and the number of queries whose page equals that of the scan. */
  readonly queries: number;
  readonly exact: number;
  /** Of all queries in each round that every query took part in. */
  readonly rounds: readonly { readonly p50: number; readonly p99: number }[];
}
export interface MeasuredEngine {
  readonly engine: string;
  readonly buildSeconds: number;
  readonly indexBytes: number;
  readonly residentBytes: number;
  readonly first: Figures;
  readonly deep: Figures;
  /** The first page by engagement; undefined for engines without this order. */
  readonly top: Figures | undefined;
  /** The median of the first page by kind of query. */
  readonly kinds: Readonly<Record<string, number>>;
}
/** An engine that is not installed or too slow, with the reason. */
export interface ExcludedEngine {
  readonly engine: string;
  readonly excluded: string;
}
export type EngineResult = MeasuredEngine | ExcludedEngine;

export interface SizeResult {
  readonly tweets: number;
  readonly jsonBytes: number;
  readonly results: readonly EngineResult[];
}
