/** The part of the page about the database file: what it is, and how other programs read and copy it. */
import { html, type Html } from '../html.ts';
import { prose } from '../prose.ts';
import { sample } from '../sample.ts';

const file = '/var/lib/social-data/archive.db';

/** The examples by the programs that run them. A test runs each of them with another file. */
export const databaseExamples = {
  sqlite3: `sqlite3 -readonly ${file} "
  SELECT created_at, username, text FROM tweets ORDER BY like_count DESC LIMIT 10"
sqlite3 -readonly ${file} "
  SELECT created_at, username, text FROM search WHERE words MATCH '\\"coffee\\" AND \\"lang:en\\"' ORDER BY created_at DESC LIMIT 10"`,
  python: `import sqlite3

db = sqlite3.connect("file:${file}?mode=ro", uri=True)
for day, tweets in db.execute("SELECT substr(created_at, 1, 10) AS day, count(*) FROM tweets GROUP BY day ORDER BY day"):
    print(day, tweets)`,
  datasette: `pip install datasette pysqlite3-binary
datasette ${file} --port 8001`,
  duckdb: `INSTALL sqlite;
LOAD sqlite;
ATTACH '${file}' AS archive (TYPE sqlite, READ_ONLY);
SELECT username, sum(CAST(like_count AS BIGINT)) AS likes FROM archive.tweets GROUP BY username ORDER BY likes DESC LIMIT 10;`,
} as const;

const litestream = `dbs:
  - path: ${file}
    replicas:
      - url: s3://backups.example/archive.db`;

export const databaseFilePart = (): Html => html`<h3 id="database-file">The database file</h3>
${prose(`The archive is one SQLite file, \`archive.db\`. While the service runs, \`archive.db-wal\` has the newest commits and \`archive.db-shm\` belongs to it: the three go together,
and a \`cp\` of one of them is no copy. A change is answered when it is synced to the disk. The folder must be on a local disk: the write-ahead log needs memory that all
processes of the machine share, so a start on NFS, SMB, CIFS, AFS, Coda or Ceph ends with the reason. Put \`DATA_DIR\` on a local disk or a block device, or use PostgreSQL (\`DATABASE_URL\`). One process at a time can use the folder.

A start ends with one line that says what to do, and changes nothing, where the file is damaged, cut off, of another program, of a newer version, or missing
although a service has run in the folder. A running service that cannot write the file (a full or broken disk, a lock of another program for more than five seconds)
refuses changes with 503, answers reads, and says so in \`/readyz\` and in the log. It tries each second, and continues by itself. Where SQLite meets damage, or a checksum is wrong,
\`/readyz\` has a warning.`)}
<h3>Read it with other programs</h3>
${prose(`Three views have names, ids and times as the API has them: \`tweets\`, \`users\`, and \`search\`, which finds tweets by their words (FTS5). Other programs may read while the service
runs. Open the file for reading only: a program that writes breaks what the service knows of it. A program that holds a read open for long keeps the write-ahead log from
being emptied. In \`words MATCH\`, put each word and each filter in double quotes: \`"coffee" AND "lang:en"\`, \`"from:USER_ID"\`, \`"new beans"\` for words in sequence. Words are in lower case. A tweet
of the last seconds may not be there yet.

\`tweets\` and \`users\` need SQLite 3.38 or newer, \`search\` needs 3.43: \`sqlite3 --version\`. Python has the version \`sqlite3.sqlite_version\`.`)}
${prose('**sqlite3**')}
${sample(databaseExamples.sqlite3, 'sample-sqlite3')}
${prose('**Python**')}
${sample(databaseExamples.python, 'sample-python')}
${prose(`**Datasette.** Datasette needs SQLite 3.43 for the file as a whole; the package \`pysqlite3-binary\` brings it. It shows everything that the archive has, so let it listen only on this machine.`)}
${sample(databaseExamples.datasette, 'sample-datasette')}
${prose(`**DuckDB.** DuckDB reads \`tweets\` and \`users\` by \`ATTACH\`. It cannot search by words, its \`sqlite_scan\` reads views wrongly, and the numbers of a view come as texts.`)}
${sample(databaseExamples.duckdb, 'sample-duckdb')}
<h3>Litestream</h3>
${prose(`Litestream (litestream.io) copies each commit to another place. The service sets \`wal_autocheckpoint=0\` and writes checkpoints itself, as Litestream needs it. It copies \`archive.db\` only: copy
the JSON documents beside it too (keys, secrets, accounts). It reads without a pause, so a purge cannot empty the write-ahead log: \`npm run erase\` then ends with an error that says so. After
an erasure, stop Litestream until the purge has ended (at the next try, within seconds), and start it again; it begins with a new snapshot. The replica keeps erased texts for its own retention.`)}
${sample(litestream, 'sample-litestream')}`;
