/** Operating the tables of `PLATFORM=postgres`: managed PostgreSQL, replicas, Citus. */
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

/** The recipe for servers of PostgreSQL below an archive in tables. */
export const tablesRecipe = (): Html => html`<h3>Managed PostgreSQL, replicas and Citus</h3>
${prose(`A recipe for \`PLATFORM=postgres\`. What works and was tested is apart from what is only calculated.

**Tested:**

- One PostgreSQL 18 server, with two instances on it. No test uses more than one database server.
- Import, search, deletion, export, backup with \`npm run backup\`, and migration in both directions.
- The plan of each operator of the search language on 25,000 tweets, with \`random_page_cost = 1.1\`: none reads a
  large table as a whole.
- Disk: 1.19 kB for each of 100,000 synthetic tweets, and 0.17 kB for each event in the window of \`EVENT_WINDOW\`.
- 10,000,000 synthetic tweets, with 2 GB of \`shared_buffers\`: an instance starts in two seconds and has 150 MB. The 99th percentile of the
  processor time of the database is about 10 ms for a page of \`Latest\`, and 0.1 s for the first page of \`Top\`.
- \`npm run migrate\` needs 0.12 ms for a tweet, more than half of it in the database. On a server with more than two cores, set
  \`max_parallel_maintenance_workers\` to their number minus one: so many processes help to build the index of words.
- Processor: 0.2 ms for a new record of an import, half of it in the database; 0.1 ms of the database for a page
  that no cache has, and as much of Node as with an archive in memory.

**Calculated, not tested:**

- 10,000,000 tweets: 12 GB of disk (12.9 GB measured with a loader that left empty pages); 4 cores and 16 GB for the
  database.
- 100,000,000 tweets: 120 GB of disk; 16 cores and 128 GB. Do not partition the tables: with 16 partitions, pages of
  tweets and timelines took the database two to seven times as long. The index of words has the time of each tweet instead, so
  a search begins with the newest hours or days.
- One core of Node: 3,000 to 4,000 new pages a second. The database needs 0.05 to 0.15 ms of a core for each of
  them.
- 10,000,000 new records: about 35 minutes of processor time. Writes do not run in parallel.
- 1,000,000,000 tweets: 16 to 32 workers of Citus. This needs changes of the service, see below.

**Managed PostgreSQL with replicas.** \`DATABASE_URL\` names the address of the primary server, which the provider
moves after a failover. Instances read and write there only: a replica serves failover and backups, and takes no
load from the primary. Select a synchronous standby: an asynchronous one can lose acknowledged changes. A failover to a
synchronous standby was tested under load (PostgreSQL 18, streaming replication): no acknowledged change was lost, event cursors
stayed valid, and instances answered again about one second after the promotion. A managed PostgreSQL was not
tested. The service needs no extension and no superuser. Each instance needs up to eight
connections.

**Citus.** The service creates ordinary tables, which stay on the coordinator: Citus works as one PostgreSQL then,
without a gain. Do not distribute the tables: triggers, the lock of the writers and the statements of pages were not
written for that. A later version could distribute \`tweet\`, \`tweet_count\`, \`long_tweet\` and
\`engagement_before\` by the id of the tweet, copy \`person\`, \`place\` and \`list\` to each worker, and keep the
logs on the coordinator.

**Settings.** Starting values, by common practice; apart from \`random_page_cost\` and \`max_wal_size\`, the project
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
tables stays the same. Version 4 of the tables upgrades version 3 at its first start, in one transaction (1,000,000 tweets with
high counts: up to ten minutes): stop all instances before, because an instance of version 3 can no longer write. Other
versions are refused: then stop the instances, run
\`npm run backup\` of the old version, and copy the backup into an empty schema with \`npm run migrate\` of the new one.

**Limits.** One writer at a time: all instances together import at the rate of one. \`RETAIN\` evicts
at most 200 tweets in a transaction. Without the primary server, all requests get 503. With few tweets, or with a
higher \`random_page_cost\`, PostgreSQL may read all counts for a page of \`Top\`: below about 600,000
tweets (calculated).`)}`;
