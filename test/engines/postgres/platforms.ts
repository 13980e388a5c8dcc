/** Two platforms with the same content, the reference and one in tables, and what a test reads of them. */
import { PostgresArchiveDatabase } from '../../../server/engines/postgres/writes/postgres-archive-database.ts';
import { isDeepStrictEqual } from 'node:util';
import type { Page, PageRequest } from '../../../server/contract/page.ts';
import type { Archive } from '../../../server/archive/rules/archive.ts';
import { UnusableRecord, type Change } from '../../../server/archive/rules/change.ts';
import { type ArchiveWriter, SqlArchive } from '../../../server/archive/writes/sql-archive.ts';
import { SqlPlatform } from '../../../server/archive/sql-platform.ts';
import type { KnownCommits } from '../../../server/archive/reads/dependent-cache.ts';
import { SqlSearch } from '../../../server/engines/postgres/search/sql-search.ts';
import type { WordStatistics } from '../../../server/engines/postgres/search/word-statistics.ts';
import type { Database } from '../../../server/engines/postgres/store/database.ts';
import type { Platform } from '../../../server/ports/platform.ts';
import { parse } from '../../../server/search/language/parse.ts';
import { MemoryPlatform } from '../../ports/reference/platform.ts';
import { options } from '../../support/call-options.ts';
import type { PostgresTables } from './tables.ts';

export const sqlArchive = (tables: PostgresTables): SqlArchive =>
  new SqlArchive(new PostgresArchiveDatabase(tables.database), { eventRecord: (event) => event, now: Date.now });

/** The platform on tables. `shares`: the statistics of words; without them, those of PostgreSQL. */
export const tablesPlatform = (
  { run }: Pick<Database, 'run'>,
  archive: ArchiveWriter,
  { commits, shares }: { readonly commits?: KnownCommits; readonly shares?: Pick<WordStatistics, 'shares'> } = {},
): SqlPlatform => new SqlPlatform({ run, archive, search: new SqlSearch(run, shares), commits });

/** A call that returns a page. */
export type Ask = (platform: Platform, page: PageRequest) => Promise<Page<object>>;

/** Changes an archive in memory as tables are changed: what cannot be applied is left out. */
export function applyUsable(archive: Archive, change: Change): void {
  try {
    archive.apply(change);
  } catch (error) {
    if (!(error instanceof UnusableRecord)) throw error;
  }
}

/** The reference with the content of an archive. */
export function referenceOf(archive: Archive): MemoryPlatform {
  const platform = new MemoryPlatform();
  platform.add(structuredClone([...archive.changes()]));
  return platform;
}

/** All items of a list, or those of its first pages. */
export async function walk(platform: Platform, ask: Ask, limit: number, pages = Infinity): Promise<object[]> {
  const items: object[] = [];
  let after: PageRequest['after'];
  for (let read = 0; read < pages; read++) {
    const page = await ask(platform, { after, limit });
    items.push(...page.items);
    if (page.next === null) return items;
    after = page.next;
  }
  return items;
}

/** The searches of a text whose pages differ, with both results. `pages`: how many of each are read. */
export async function differences(
  [reference, tables]: readonly [Platform, Platform],
  text: string,
  limit: number,
  pages?: number,
): Promise<object[]> {
  const found: object[] = [];
  for (const order of ['Latest', 'Top'] as const) {
    const ask: Ask = (platform, page) => platform.search(parse(text), order, page, options);
    const { items: expected } = await ask(reference, { after: undefined, limit: limit * (pages ?? Infinity) });
    const answered = await walk(tables, ask, limit, pages);
    if (!isDeepStrictEqual(answered, expected)) found.push({ text, order, limit, expected, answered });
  }
  return found;
}
