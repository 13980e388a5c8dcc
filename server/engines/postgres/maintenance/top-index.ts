/** Keeps an index of the tweets with the highest engagement (rows/top-index.ts) that has a suitable share of the tweets. */
import type { Database } from '../store/database.ts';
import { RepeatedTask } from '../../../process/repeated-task.ts';
import { lowestLevelWithin, shareFromLevel } from '../../../archive/search/engagement-levels.ts';
import { topCondition, topIndexes, topIndexName } from '../rows/top-index.ts';
import { readShares, type WordShares } from '../search/word-statistics.ts';

/** With fewer tweets, the index of all words is fast enough. */
const defaultMinTweets = 500_000;
/** The maximum share of the tweets in a new index. */
const maxShare = 1 / 8;
/** The shares beyond which the index is replaced: the engagement of an archive changes. */
const [tooFew, tooMany] = [1 / 64, 1 / 4];
/** The time between two checks, in milliseconds. ANALYZE is not more frequent in a large archive. */
const checkMs = 600_000;

export interface TopIndexParts {
  readonly database: Pick<Database, 'run' | 'maintain'>;
  /** Whether this instance does it; others may share the tables. */
  readonly mayRun: () => boolean;
  /** The number of tweets from which on there is an index, by default 500,000. */
  readonly minTweets?: number;
  /** Called before the index of a level is built: it reads all tweets, and waits for transactions in progress. */
  readonly onBuild: (level: number) => void;
  readonly onFailed: (error: unknown) => void;
}

export class TopIndex {
  readonly #parts: TopIndexParts;
  readonly #checks = new RepeatedTask(checkMs, () => this.check());
  #isStopped = false;

  constructor(parts: TopIndexParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#checks.start();
  }

  /** Ends the checks. The database goes on with an index that it builds, and the next start removes it if it is not complete. */
  stop(): void {
    this.#isStopped = true;
    void this.#checks.stop();
  }

  /** Creates or replaces the index if that is due. Never rejects: the next check tries again. */
  async check(): Promise<void> {
    const { mayRun, onFailed } = this.#parts;
    if (this.#isStopped || !mayRun()) return;
    try {
      await this.#refresh();
    } catch (error) {
      if (!this.#isStopped) onFailed(error);
    }
  }

  async #refresh(): Promise<void> {
    const { database, minTweets = defaultMinTweets, onBuild } = this.#parts;
    const shares = await readShares(database.run);
    if (shares === undefined || shares.tweets < minTweets) return;
    const level = suitableLevel(shares);
    const indexes = await this.#indexes();
    // By an instance that was stopped or is no longer the leader.
    if (level === undefined || indexes.some(({ isInProgress }) => isInProgress)) return;
    const wanted = topIndexName(level);
    const isThere = indexes.some(({ name, isValid }) => name === wanted && isValid);
    if (!isThere) {
      onBuild(level);
      // The build of an index that is not valid was interrupted.
      await this.#drop(wanted);
      await database.maintain(
        `CREATE INDEX CONCURRENTLY ${wanted} ON social_data.tweet USING gin (words)
          WITH (fastupdate = on, gin_pending_list_limit = 512) WHERE ${topCondition('words', level)}`,
      );
    }
    for (const { name } of indexes) if (name !== wanted) await this.#drop(name);
  }

  #drop(name: string): Promise<void> {
    return this.#parts.database.maintain(`DROP INDEX CONCURRENTLY IF EXISTS social_data.${name}`);
  }

  #indexes(): Promise<readonly FoundIndex[]> {
    return this.#parts.database.run<FoundIndex>({
      text: `SELECT i.relname AS name, x.indisvalid AS "isValid",
          EXISTS (SELECT FROM pg_stat_progress_create_index p WHERE p.index_relid = x.indexrelid) AS "isInProgress"
        FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
        WHERE x.indrelid = 'social_data.tweet'::regclass AND i.relname LIKE '${topIndexes}'`,
    });
  }
}

interface FoundIndex {
  readonly name: string;
  readonly isValid: boolean;
  readonly isInProgress: boolean;
}

/** The level that the index should begin with: the present one as long as its share is suitable. Undefined where no level has so few tweets. */
function suitableLevel({ topLevel, ofCommonLexeme }: WordShares): number | undefined {
  if (topLevel !== undefined) {
    const share = shareFromLevel(topLevel, ofCommonLexeme);
    if (share >= tooFew && share <= tooMany) return topLevel;
  }
  return lowestLevelWithin(maxShare, ofCommonLexeme);
}
