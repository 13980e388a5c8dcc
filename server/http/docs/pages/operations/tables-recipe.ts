/** Operating the tables in PostgreSQL: managed servers, replicas, Citus. */
import { html, type Html } from '../html.ts';
import { prose } from '../prose.ts';
import { sample } from '../sample.ts';

const serverSettings = `# postgresql.conf, or the parameters of the managed server: 4 cores, 16 GB, SSD
shared_buffers = 4GB
effective_cache_size = 12GB
work_mem = 32MB
random_page_cost = 1.1
max_wal_size = 2GB
default_toast_compression = lz4
synchronous_commit = on
jit = off`;

/** The statements after the creation of the tables, and after a large import. */
export const tableSettings: readonly string[] = [
  `ALTER TABLE social_data.tweet SET
  (autovacuum_vacuum_insert_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)`,
  `ALTER TABLE social_data.tweet_count SET
  (autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.02)`,
  'VACUUM (ANALYZE) social_data.tweet, social_data.tweet_count, social_data.person',
];

/** The statements that move the tables to a worker of Citus, in one session. */
export const citusSettings = `SET citus.enable_unsafe_triggers = on;
SELECT citus_schema_distribute('social_data');`;

/** Citus: many archives on several servers. */
const citusRecipe =
  (): Html => html`${prose(`**Citus.** It serves many archives, each in a separate schema, on several workers. It does not make one archive larger than one server: all
tables of a schema are on one worker. Tested on 2026-11-23 with Citus 13.2.2 on PostgreSQL 15.18, a coordinator and two workers on one machine. The role of the service was
a superuser on all of them. A role without that right was not tested.

1. Start an instance with \`DATABASE_URL\` of the coordinator and a schema for this archive, \`?schema=NAME\`. The tables are ordinary tables of the coordinator.
   Everything works as with one PostgreSQL, also \`npm run migrate\`.
2. Load the data, stop the instances, and run the two statements below for the schema. With 200,000 tweets they took 32 s. The coordinator keeps a hidden copy of the rows.
   \`truncate_local_data_after_distributing_table\` removes it, table by table.
3. Start the instances again, with the same \`DATABASE_URL\`.

- **Works:** all pages and both orders of a search (1,000 random queries as the definition says, and 400 pages of 200,000 tweets as from one PostgreSQL), imports (50,000 tweets in 20 s, as
  long as without Citus), edits, deletions, erasures, \`RETAIN\`, events, and a second instance.
- **Does not work after step 2:** \`npm run migrate\` into these tables and \`npm run export -- --user\`. Each ends with an error. The number of tweets in the metrics has no
  estimate beyond 50,000. \`npm run backup\`, and a migration back to a data directory, were not tested after it.
- **Slower:** with 200,000 tweets, the first page of \`Latest\` takes 2.1 ms (p50) and 11 ms (p99) on the clock instead of 0.8 and 4.7, \`Top\` 3.8 and 13 instead of 2.3 and 10.
  Without the copy of the rows on the coordinator, whose statistics choose the plans, 2.1 and 24, and 5.0 and 16. With the tables on the coordinator, the times are those of one PostgreSQL.
- **A worker stops:** its archives answer 503 within 30 ms, \`/readyz\` stays at 200, and the next request after its return succeeds. Other archives do not notice it.
  Without the coordinator, all archives answer 503 (not tested). A standby of each node is needed as for one PostgreSQL.

Do not distribute tables by the id of the tweet (\`create_distributed_table\`). In the test, pages and changes failed (99 of 106 tests): Citus joins no distributed table with a local one, and runs no
trigger of a reference table that changes another table. An archive beyond one server needs several archives, or other statements in the service.`)}
${sample(citusSettings, 'sample-tables-citus')}`;

/** The recipe for servers of PostgreSQL below an archive in tables. */
export const tablesRecipe = (): Html => html`<h3>Managed PostgreSQL, replicas and Citus</h3>
${prose(`A recipe for \`DATABASE_URL\`. What works and was tested is apart from what is only calculated.

**Tested:**

- One PostgreSQL 18 server, with two instances on it, and Citus as described below.
- Import, search, deletion, export, backup with \`npm run backup\`, and migration in both directions.
- The plan of each operator of the search language on 25,000 tweets, with \`random_page_cost = 1.1\`: none reads a
  large table as a whole.
- Disk: 1.17 kB for each of 200,000 synthetic tweets after \`npm run migrate\`, and 0.17 kB for each event in the window of \`EVENT_WINDOW\`.
- 10,000,000 synthetic tweets, with 2 GB of \`shared_buffers\`: an instance starts in two seconds and has 150 MB. The 99th percentile of the
  processor time of the database is about 10 ms for a page of \`Latest\`. The first page of \`Top\` takes 12 ms on the clock (99th percentile, PostgreSQL 15,
  4 GB of \`shared_buffers\`), once the service has built an index of the tweets with the highest engagement: from 500,000 tweets on, about a minute for 10,000,000.
- \`npm run migrate\` needs 0.08 ms for a tweet, two thirds of it in the database. On a server with more than two cores, set
  \`max_parallel_maintenance_workers\` to their number minus one: from PostgreSQL 18 on, so many processes help to build the index of words. With \`wal_level = minimal\`
  and \`max_wal_senders = 0\` until the migration is complete, PostgreSQL writes the rows and the indexes to no log.
- A large first import needs less processor time by way of a data directory: import the files without \`DATABASE_URL\`, then run \`npm run migrate\`.
- Processor: 0.2 ms for a new record of an import, half of it in the database; 0.1 ms of the database for a page
  that no cache has, and about 0.11 ms of Node.

**Calculated, not tested:**

- 10,000,000 tweets: 12 GB of disk (12.9 GB measured with a loader that left empty pages); 4 cores and 16 GB for the
  database.
- 100,000,000 tweets: 120 GB of disk; 16 cores and 128 GB. Do not partition the tables: with 16 partitions, pages of
  tweets and timelines took the database two to seven times as long. The index of words has the time of each tweet instead, so
  a search begins with the newest hours or days.
- One core of Node: 3,000 to 4,000 new pages a second. The database needs 0.05 to 0.15 ms of a core for each of
  them.
- 10,000,000 new records: about 35 minutes of processor time. Writes do not run in parallel.

**Managed PostgreSQL with replicas.** \`DATABASE_URL\` names the address of the primary server, which the provider
moves after a failover. Instances read and write there only: a replica serves failover and backups, and takes no
load from the primary. Select a synchronous standby: an asynchronous one can lose acknowledged changes. A failover to a
synchronous standby was tested under load (PostgreSQL 18, streaming replication): no acknowledged change was lost, event cursors
stayed valid, and instances answered again about one second after the promotion. A managed PostgreSQL was not
tested. The service needs no extension and no superuser. Each instance needs up to eight
connections.`)}
${citusRecipe()}
${prose(`**Settings.** Starting values, by common practice; apart from \`random_page_cost\` and \`max_wal_size\`, the project
has not measured them. Create the tables after \`default_toast_compression\` is set, because it applies to new rows
only. The index of words collects new entries in a pending list of at most 512 kB, which each search reads: frequent
autovacuums keep it short. Run \`VACUUM (ANALYZE)\` after a large import and after an upgrade of PostgreSQL: without
statistics, searches for rare words are slow.`)}
${sample(serverSettings, 'sample-tables-server')}
${sample(tableSettings.map((each) => `${each};`).join('\n'), 'sample-tables-autovacuum')}
${prose(`**Backups.** Use the point-in-time recovery of the provider, or archive the write-ahead log. Data, events, keys and
positions of live platforms are in one database, so a restored state is consistent. Stop all instances before a
restore, and start them afterwards. Repeat the erasures that were made after the restored time. \`npm run backup\`
is a second backup that needs no PostgreSQL to be read.

**Upgrades.** Restart one instance after the other, and wait for its \`/readyz\`, as long as the version of the
tables stays the same. Version 7 of the tables upgrades versions 3 to 6 at its first start; stop all instances before. From versions 3 to 5, it writes the rows again whose words, languages or links have other terms since, in
one transaction: for each 1,000 such tweets about as long as an import of them. From version 3, the levels of the engagement come in another one (1,000,000 tweets
with high counts: up to ten minutes). Other versions are refused: then stop the instances, run
\`npm run backup\` of the old version, and copy the backup into an empty schema with \`npm run migrate\` of the new one.

**Limits.** One writer at a time: all instances together import at the rate of one. \`RETAIN\` evicts
at most 200 tweets in a transaction. Without the primary server, all requests get 503. With few tweets, or with a
higher \`random_page_cost\`, PostgreSQL may read all counts for a page of \`Top\`: below about 600,000
tweets (calculated).`)}`;
