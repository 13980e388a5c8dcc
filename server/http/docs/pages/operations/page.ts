/** The page /docs/operations: running the service in production. */
import { readFile } from 'node:fs/promises';
import { html, type Html } from '../html.ts';
import type { Page } from '../page.ts';
import { prose } from '../prose.ts';
import { databaseFilePart } from './database-file.ts';
import { sample } from '../sample.ts';
import { tablesRecipe } from './tables-recipe.ts';
import { databaseMetricTable, folderTable, limitTable, metricTable, probeTable, settingTable } from './tables.ts';

const sections = {
  start: 'Start',
  configuration: 'Configuration',
  keys: 'Keys',
  operator: 'Operator interface',
  proxy: 'Behind a proxy',
  health: 'Health',
  metrics: 'Metrics and alerts',
  follow: 'Live platforms',
  instances: 'Several instances',
  data: 'Data and backups',
  erasure: 'Erasure, retention and export',
  upgrades: 'Upgrades and stops',
  limits: 'Limits and sizing',
};
const heading = (id: keyof typeof sections): Html => html`<h2 id="${id}">${sections[id]}</h2>`;

/** A file that the repository ships, to be copied from here. */
async function shipped(file: string): Promise<Html> {
  const text = await readFile(new URL(`../../../../deploy/${file}`, import.meta.url), 'utf8');
  return html`<details><summary><code>server/deploy/${file}</code></summary>
${sample(text, file)}
</details>`;
}

const cluster = `export POSTGRES_PASSWORD=…
docker compose -f server/deploy/compose.cluster.yaml up -d --build
docker compose -f server/deploy/compose.cluster.yaml logs one two`;

export async function operationsPage(): Promise<Page> {
  return {
    name: 'operations',
    place: 'operate',
    styles: ['docs'],
    runs: false,
    root: '../',
    title: 'Operations',
    lead: html`How to run the service in production: one process, one data folder, and a TLS proxy in front. All files on this page are in
<code>server/deploy/</code> of the repository.`,
    skip: { to: 'start', words: 'Skip to the guide' },
    main: await main(),
  };
}

const systemd = `git clone REPOSITORY /opt/social-data
cd /opt/social-data && npm ci
install -m 600 server/deploy/social-data.env     /etc/social-data.env
install -m 644 server/deploy/social-data.service /etc/systemd/system/
systemctl daemon-reload
systemctl enable --now social-data
journalctl -u social-data`;

const container = `docker compose -f server/deploy/compose.yaml up -d --build
docker compose -f server/deploy/compose.yaml logs social-data`;

const keys = `export DATA_DIR=/var/lib/social-data
npm run keys -- create --name 'the mobile app' --scopes read,events --rate 600/1m --expires 30d
npm run keys -- list
npm run keys -- revoke ID`;

const backup = `DATA_DIR=/var/lib/social-data npm run backup -- /backups/social-data-$(date +%F)`;

const restore = `systemctl stop social-data
mv /var/lib/social-data/* /somewhere/else/
cp -a /backups/social-data-2026-03-04/. /var/lib/social-data/
chown -R --reference=/var/lib/social-data/. /var/lib/social-data/.
systemctl start social-data`;

const follow = `export DATA_DIR=/var/lib/social-data
npm run follow -- add bluesky:alice.example.com 'bluesky:search:coffee "flat white"'
npm run follow -- list
npm run follow -- status
npm run follow -- backfill bluesky:alice.example.com --posts 2000
npm run follow -- remove bluesky:alice.example.com --purge`;

const doctor = `systemctl stop social-data
DATA_DIR=/var/lib/social-data npm run doctor
DATA_DIR=/var/lib/social-data npm run doctor -- --repair --report findings.json
systemctl start social-data`;

const erase = `export DATA_DIR=/var/lib/social-data
npm run export -- --user mira_codes mira.jsonl.gz
npm run erase -- --user mira_codes --dry-run
npm run erase -- --user mira_codes --report erased-2026-03-04.json`;

const rotate = `npm run keys -- create --name 'the mobile app, 2026'   # give the new key to the app
npm run keys -- revoke OLD_ID                            # when "last used" of the old key stays the same
npm run keys -- rotate-secrets && systemctl restart social-data`;

const startSection = async (): Promise<Html> => html`<section>
${heading('start')}
${prose(`The service is one Node process with one SQLite file. It needs no database server and no queue; [several instances](#instances) share a PostgreSQL. \`npm ci\` installs the Node version that it runs on. The first
start prints an API key and an operator's key, once, the address, and a call with the API key. \`DEMO=0\` starts with an empty archive instead of the bundled sample.`)}
<h3>With systemd</h3>
${prose(`The unit runs the service as a separate user, which can write only to \`/var/lib/social-data\`. The unit is active when the service is
ready.`)}
${sample(systemd, 'sample-systemd')}
${await shipped('social-data.service')}
<h3>With containers</h3>
${prose(`The image runs without root, on a read-only file system. The data is in the volume \`/data\`. The compose file also contains Caddy
(\`--profile proxy\`) and Prometheus with Grafana (\`--profile monitoring\`). Only one container can use the volume at a time.`)}
${sample(container, 'sample-container')}
${await shipped('Dockerfile')}
${await shipped('compose.yaml')}
</section>`;

const configurationSection = async (): Promise<Html> => html`<section>
${heading('configuration')}
${prose(`The service reads these environment variables once, at the start. An empty variable counts as unset. An invalid value stops the start
with a message that names the expected value.`)}
<div class="of-settings">${settingTable()}</div>
${await shipped('social-data.env')}
</section>`;

const keysSection = (): Html => html`<section>
${heading('keys')}
${prose(`The service stores only hashes of keys: it shows a key once. The commands work while the server runs and take effect at once. Revoking a key
also closes its event streams. Create a key for each app: the log contains the id of the key, and the rate limit applies to each key. A key can
have scopes (\`--scopes\`), its own rate limit (\`--rate\`) and an expiry date (\`--expires\`). \`list\` shows when each key was last used, to the
minute. \`API_KEYS\` is for tests and for keys from a secret store; a change needs a restart.`)}
${sample(keys, 'sample-keys')}
<h3>Rotation</h3>
${prose(`A key: create a second one, change the app, then revoke the first one. The secrets that seal page cursors and conversation ids:
\`rotate-secrets\`, then restart. Existing page cursors and conversations become invalid (400, 404): callers start again with the first page or a new
conversation. API keys and event cursors stay valid. Rotate the secrets when a backup was disclosed.`)}
${sample(rotate, 'sample-rotate')}
${prose(`In a container: \`docker compose exec social-data node scripts/cli/keys.ts create --name NAME\`.`)}
</section>`;

const operatorCalls = `npm run keys -- create --name 'the operator' --scopes admin
curl -H "x-api-key: $OPERATOR_KEY" http://127.0.0.1:3000/operate/api/overview
curl -H "x-api-key: $OPERATOR_KEY" -H 'content-type: application/json' -d '{"user":"mira_codes"}' \\
     http://127.0.0.1:3000/operate/api/erase/preview`;

const operatorSection = (): Html => html`<section>
${heading('operator')}
${prose(`[\`/operate\`](../operate) shows the state of the service, creates and revokes keys, manages the accounts of the assistant and
what is followed, makes backups and erases; [\`/import\`](../import) imports
files. Both use \`/operate/api\`, which programs can use as well. It requires a key with the scope \`admin\`, which permits nothing else: the first start creates one, and \`npm run keys\` more. No other key has it,
also not one of \`API_KEYS\`. \`/operate/api/openapi.json\` describes the interface; it is not a part of the contract.

- **Credentials.** A header (\`X-API-Key\` or \`Authorization: Bearer\`), or a session of 8 hours in a cookie (\`HttpOnly\`, \`SameSite=Strict\`), which
  works only for requests of the pages of this service. A restart ends all sessions. A session belongs to one instance. A key in a URL is
  refused.
- **Audit log.** \`audit.json\` has the last 2,000 actions: time, id of the key, action, what it acted on, result. The log of the service has
  each of them, too, without what it acted on. It contains no key and no token, and for an erasure only the counts.
  It also has sign-ins with the address of the caller, refused ones too: those of ten seconds as one entry, at most 200 of them.
- **Backups** that are made here are in \`backups/\` of the data directory. They are on the same disk: copy them elsewhere, and delete them in time,
  because they contain what is erased later.
- **Uploads** are in \`uploads/\` until they are imported. An interrupted upload continues when the same file is uploaded again within 24 hours; after that it
  is removed, also while the server runs. \`DELETE /operate/api/imports/ID\`, or *Cancel* on the page, removes it at once, and ends an import after its current
  batch. There are at most 20 at a time, and as many bytes as the disk has room for; an upload without a part for a minute makes room for a new one. The report
  of an erasure names the uploads that are left: nobody knows what they hold.
- **Media files** of imported exports are in \`media/\`, and \`GET /media/NAME\` serves them: JPEG, PNG, GIF, WebP, MP4 and WebM by their content, up to 1 GB each,
  under a policy by which nothing in them runs. It needs no key, because pictures of pages cannot send one: the name contains half of the hash of the content. A file is served only
  while the archive has its tweet, and leaves the disk within \`PURGE_WITHIN\`, at the earliest an hour after its import. \`npm run backup\` copies the files; exports and
  \`npm run migrate\` contain only their names: copy the folder. With several instances the files are on the machine of the import: share the folder, or copy it to the others.
- To have no such interface on the network, do not publish \`/operate\` in the proxy. The commands need no network.`)}
${sample(operatorCalls, 'sample-operator')}
</section>`;

const proxySection = async (): Promise<Html> => html`<section>
${heading('proxy')}
${prose(`The service speaks plain HTTP and listens on the local machine only. Run a TLS proxy in front of it. Configure the proxy as follows:

- **WebSockets.** \`/ws\` is an upgrade. Client and server exchange a message every 20 seconds: set the idle timeout to 60 s or more.
- **Buffering.** Turn it off. The service compresses responses itself.
- **Keep-alive.** The service closes idle connections after 65 s. The proxy should close them earlier, as nginx and most others do.
- **Response timeout.** The assistant can take 150 seconds. All other responses take milliseconds.
- **Client address.** The proxy must overwrite \`X-Forwarded-For\`, not append to it. Set \`TRUST_PROXY\` so that the service reads it:
  \`loopback\` for a proxy on the same machine, \`loopback,uniquelocal\` in the compose file. Otherwise all callers have the address of the
  proxy, and the invalid keys of one caller lock out all. An address can have a port, as Azure Application Gateway and IIS write it; where a
  proxy writes no address (\`unknown\`), the caller counts as that proxy.
- **Access log.** A URL can contain a key (\`api_key\`): do not log the query. The log of the service contains nothing that a caller sent.
- **Operator paths.** \`/metrics\`, \`/readyz\` and \`/healthz\` need no key: do not publish them.
- **Host name and prefix.** The service needs no host name. It works below a path prefix if the proxy strips the prefix.`)}
${await shipped('Caddyfile')}
${await shipped('nginx.conf')}
</section>`;

const healthSection = (): Html => html`<section>
${heading('health')}
${prose(`These paths need no key. The service logs their 200 responses only with \`LOG_LEVEL=debug\`.`)}
<div class="of-probes">${probeTable()}</div>
${prose(`\`node server/deploy/health.ts\` requests \`/readyz\` and exits with 0 or 1. \`--wait SECONDS\` waits for a start. The image uses it as its health
check. The server listens within a few seconds, whatever the number of tweets; only [the first start after version 1.2](#upgrades) takes longer. If the disk is full or fails, the server continues: it rejects changes with
503 until the disk accepts writes again, and serves reads. The log is on standard error, one line per request: JSON with the id of
\`X-Request-Id\`, or readable text where standard error is a terminal. Responses of class 5xx have level 40 or 50.

Nothing in it comes from a caller but \`X-Request-Id\`: a path is its template, such as \`/u/{}\`, or \`unknown\`; a refusal is a \`code\` with the
\`parameter\` of the contract; an error has its type and its stack, and a message only where it is about the storage or the system. The response has the
words, under the same \`X-Request-Id\`. The address of a network that sends invalid keys is logged.`)}
</section>`;

const metricsSection = async (): Promise<Html> => html`<section>
${heading('metrics')}
${prose(`Prometheus reads [\`/metrics\`](../metrics). Import the dashboard \`server/deploy/grafana/social-data.json\` into Grafana and select the data
source; the compose file does both. Labels never contain input of callers, so the number of series is bounded.`)}
<div class="of-metrics">${metricTable()}</div>
<h3>Alerts</h3>
${prose(`Each rule has a reason and an instruction. The severity \`page\` needs a person at once; \`ticket\` can wait until the next working day.`)}
${await shipped('prometheus/alerts.yml')}
</section>`;

const followSection = (): Html => html`<section>
${heading('follow')}
${prose(`\`FOLLOW\`, \`npm start -- --follow TARGET\` and \`npm run follow -- add TARGET\` name what the service follows on Bluesky and X. It reads the history
of a new account (\`FOLLOW_BACKFILL\` posts), then the live stream. Without a target it opens no connection to any platform.`)}
${sample(follow, 'sample-follow')}
${prose(`- **Targets.** \`bluesky:HANDLE\`, \`bluesky:did:…\`, \`bluesky:list:AT-URI\`, \`bluesky:search:QUERY\`, \`bluesky:*\`, \`x:USERNAME\`,
  \`x:search:QUERY\`. In \`FOLLOW\` commas separate them; a comma between double quotes belongs to the query, and \`%2C\` stands for one elsewhere.
  \`bluesky:*\` is the whole network: it needs \`RETAIN\`, because the archive would fill the disk. With a search or the network, the profile of
  an account that no target names is evicted after its last tweet.
- **Restart.** Records and the position in the stream become durable in one step. After a crash the service continues at that position. After an
  outage that is longer than the backlog of the stream, it compares the archive with the histories of the platform: it adds missing tweets and removes deleted ones.
- **Outages.** The service reconnects after 250 ms, doubling to 30 s, with jitter, or later if the platform requests it. While a platform
  is unavailable, all data is served, \`/readyz\` stays 200 and lists a warning, and the log has one line. An unknown account is reported and tried again.
  Resolved accounts are stored, so that a start streams them even while the platform is unavailable.
- **Load.** At most 5,000 records wait for the archive; then the service stops reading from the platform.
- **On request.** \`FILL=bluesky\` fetches a user that the archive does not have, by handle, a tweet that a stored reply answers, and a post
  by its address (\`tweet_id=at://…\` or \`tweet_id=https://bsky.app/profile/…/post/…\`), at the first
  request for it; then the last tweets, followings, replies and retweeters, at most 100 items at a time, as far as clients page. The data goes into
  the archive, and the archive answers. Requests for several tweets or users (\`/social/tweets\`, \`/social/users\`) fetch nothing. The newest tweets and replies are fetched again when a client requests them ten minutes later, and so are
  a requested tweet and a requested profile: data that Bluesky no longer has is then removed. The archive does not learn of deletions of data that no client requests:
  follow the account for that, or set \`RETAIN\`. Bluesky sees which accounts clients request. Bluesky gives no times for followings and
  retweeters, so their records have the time of the fetch, in the order of the platform. A key may cause 30 fetches a minute, then 429; all keys
  together send at most 300 requests in 5 minutes. Data that Bluesky does not have is not requested again for a minute. If Bluesky does not answer in 3 s or
  fails, the archive answers with what it has and \`has_next_page\` stays true; without anything stored the response is 502, 503 or 504. Erased and
  withdrawn accounts, and accounts that are visible to signed-in people only, are not fetched. Event subscriptions fetch nothing. Nothing is fetched from X, which bills each read.
- **X** needs \`X_BEARER_TOKEN\`, or \`npm run follow -- token x\`, and \`X_READS_PER_DAY\`. Backups contain a stored token.
  X reports no deletions: once a day the service asks X which posts of X in the archive, imported ones included, it removed, and removes them.
- **Removal.** \`npm run follow -- remove TARGET\` ends following; \`--purge\` also erases the accounts of the target, as \`npm run erase\` does, and of a
  search of Bluesky the posts that match it and that no other target brings.
  Add the target to follow it again: that ends the erasure of its accounts.
`)}
<h3>Your obligations</h3>
${prose(`Whoever runs the service is the controller of the personal data in it. To fulfil a request for erasure, use \`npm run follow -- remove TARGET --purge\`,
[\`npm run erase\`](#erasure), \`delete\`, \`withdraw\` and \`scrub_geo\` records in \`npm run import\`, and \`PURGE_WITHIN\`. Backups must not outlive deletions.

- **Bluesky.** The data is public, and it is personal data. Deletions, deactivated, suspended and deleted accounts, detached quotes and withdrawn reposts arrive
  on the stream and are applied within a second; after an outage, the comparison with the histories applies them. Moderation (the labels
  \`!takedown\` and \`!hide\`) is applied when posts are read again: every 5 minutes in their first hour, hourly on the first day, daily in the first week.
  Labels of adult or graphic content become \`possibly_sensitive\`. Accounts that are visible to signed-in people only (\`!no-unauthenticated\`) are
  neither followed nor fetched, and an account is removed when it sets this label. \`FOLLOW_SIGNED_IN_ONLY=1\` includes them: set it only if every reader of
  the service has signed in to it. The service connects to the hosts of \`FOLLOW_BLUESKY_STREAM\` and \`FOLLOW_BLUESKY_API\` only.
- **X.** Your developer agreement with X applies; read its current text, the developer policy and the restricted uses before you follow. They are widely
  understood to forbid passing content of X to third parties through an API, apart from ids: a service that follows X is for your own team. Posts that were
  deleted, protected or withheld at X must be removed here: once a day, the service checks every post and account of X that it holds. The terms
  forbid measurements of the platform itself and inferences of sensitive facts about people. The service reads nothing from X unless a token and \`X_READS_PER_DAY\` are
  set.`)}
</section>`;

const tablesPart = (): Html => html`<h3>Tables in PostgreSQL</h3>
${prose(`The archive is in tables of the database: an instance starts in seconds
and needs about 150 MB after its start and 350 MB under full load, whatever the number of tweets. Without the
database all requests get 503. The first start creates empty tables: \`npm run import\` fills them, through a running instance or directly. A deletion
removes the text from the answers at once. One instance at a time runs \`VACUUM\`, so that no row has the text after \`PURGE_WITHIN\` (with \`0\`: within two
minutes), unless an older transaction still reads it; \`npm run erase\` without an instance waits for it. The pages of the database keep the bytes until PostgreSQL overwrites them:
\`VACUUM FULL\` of the tables and \`REINDEX\` in a maintenance window remove them. Its write-ahead log, replicas and backups keep the texts for as long as you keep them.

\`POST /operate/api/search/explain\` shows the SQL of a query and the plan of PostgreSQL. The counts of \`/operate\` are estimates above 50,000.

\`npm run doctor\` checks what must hold between the tables, while the instances run, and repairs nothing. At most 1,000 records that could not be applied are in the document
\`set-aside\`, which a backup writes as \`set-aside.json\`.`)}`;

const databaseCopies = (): Html => html`<h3>From a data directory to a database</h3>
${prose(`Stop the server, run \`npm run migrate -- --to postgres://user:password@host/database\`, and start the instances with \`DATABASE_URL\`. It copies \`archive.db\` into the tables of an empty
database, and the documents. Keys, page cursors and event cursors stay valid. The data directory stays as it is. After an interruption, repeat the command: no instance starts on
tables that are not complete. The way back, into a folder that does not exist yet: stop all instances, run
\`npm run migrate -- --from postgres://user:password@host/database --to DIR\`, and start the server with \`DATA_DIR=DIR\`. \`--from env\` takes the
URL in \`DATABASE_URL\`, so that no list of processes shows the password.`)}
<h3>Backup, restore and upgrade</h3>
${prose(`Back up the database with \`pg_dump\` or by its write-ahead log (point-in-time recovery), or with \`npm run backup -- FOLDER\`: it writes the state of one
moment in the format of a data directory, while the instances run. A server without a database starts from it with the same keys and
answers, and \`npm run migrate\` copies it into an empty database; readers of events get a new epoch, because the original goes on with its numbers. Instances that
run during a restore to an earlier time begin a new epoch and start again. For new versions of the service, see [Upgrades](#upgrades).

For point-in-time recovery, archive the write-ahead log (\`archive_mode\`, or the backups of a managed PostgreSQL). After a restore, start the instances
as usual (after \`pg_restore\`, run \`ANALYZE\` first: without statistics, searches for rare words are slow). Cursors of events that were lost get an error about the gap.
Repeat the erasures that were made after that time, before the start: see [Erasure](#erasure).`)}`;

const instancesSection = async (): Promise<Html> => html`<section>
${heading('instances')}
${prose(`With \`DATABASE_URL=postgres://user:password@host/database\`, any number of instances share one PostgreSQL 15 or newer. It holds
everything, so any instance may stop at any time. The role needs no special privilege: it must be able to create a
schema in its database, or own the schema \`social_data\` (\`?schema=NAME\` selects another one). The first start creates the tables.

- **The same everywhere.** Event cursors, page cursors, keys, quotas of the assistant, conversations, rate limits, and the connections of a
  key. A revoked key is refused by all instances within a second. A caller can use any instance for each request; sticky sessions are not needed.
- **For each instance.** \`FAILED_KEYS\` and load shedding.
- **Without the database.** Requests get 503 with \`Retry-After\`. After 10 s stored keys are no longer
  accepted (503); keys of \`API_KEYS\` stay valid. Everything continues by itself.
- **Lost changes.** After a failover to a standby that had not received all changes, the instances detect that their history differs from that of the
  database. They begin a new epoch and restart; listeners get an error about the gap. Use a synchronous standby to avoid it.
- **Connections.** Each instance has up to eight connections, one of which listens. Without notices, changes are visible within half a
  second. PgBouncer in transaction mode passes no notices; everything else works behind it. With \`max_prepared_statements = 200\` in PgBouncer 1.21
  or newer, searches need less of the database. Never use a read replica.
- **Sizing.** An instance needs 350 MB, the database 1.2 kB of disk for each tweet. One lock orders the writes of all instances:
  \`journal_lock_wait_seconds\` shows when that is too slow. Keep \`max_wal_size\` at 2 GB or
  less, so that a crash recovery takes seconds.
- **DATA_DIR** then has only the control socket of the instance and, with imports of exports, media files: \`npm run keys\`, \`import\`, \`accounts\`, \`export\`, \`erase\` and \`follow\` use the
  instance of this folder if it runs, and the database otherwise. Each instance needs its own folder. \`copy/\` is of version 1.2: delete it, because it has texts.
- **Live platforms** (\`FOLLOW\`) are read by one instance at a time: \`/readyz\` names them there (\`following\`), and \`follow_connected\` is
  only there. After its end another one continues at the same position, within 7 seconds. Give all instances the same \`FOLLOW\`, tokens and
  limits. \`npm run follow\` works with any instance, and with \`DATABASE_URL\` alone. Each instance fetches on request (\`FILL\`).
- **Unix socket.** \`postgres://user@/database?host=/var/run/postgresql\`: \`host\` names the folder of the socket.
- **TLS.** \`?sslmode=\` means what it means for libpq: \`disable\`; \`require\` encrypts without checking the certificate, unless
  \`sslrootcert=FILE\` names the authority; \`verify-ca\` checks the authority of \`sslrootcert\`; \`verify-full\` checks the name, too, and takes the
  authorities of Node where \`sslrootcert\` is missing. Databases of a cloud often have a private authority: download its certificate, or use
  \`require\`. \`prefer\` and \`allow\` mean \`require\`. \`sslcert\`, \`sslkey\` and \`sslpassword\` name a certificate of the client. Without \`sslmode\`, PGSSLMODE decides,
  else there is no TLS.
- **One host.** Several hosts in one URL are refused: name the primary server, or a proxy that finds it.`)}
${tablesPart()}
${tablesRecipe()}
${databaseCopies()}
<h3>Read what you have written</h3>
${prose(`A response carries \`X-Event-Cursor\`. A caller that sends it with its next request gets a response that reflects everything up to it, from any
instance: an instance that is behind waits for up to a second, then answers 503 with \`Retry-After\`.`)}
<h3>With containers</h3>
${sample(cluster, 'sample-cluster')}
${await shipped('compose.cluster.yaml')}
${await shipped('nginx.cluster.conf')}
<h3>Metrics of an instance</h3>
<div class="of-database-metrics">${databaseMetricTable()}</div>
</section>`;

const dataSection = (): Html => html`<section>
${heading('data')}
<div class="of-folder">${folderTable()}</div>
${databaseFilePart()}
<h3>Backup, while it runs</h3>
${prose(`The command copies the database at one moment, checks the pages of the copy, then copies the documents and the media files. It exits with 0 only if the copy is complete; a start
refuses one that was interrupted. The copy contains every change that was acknowledged before the command started. It needs about as long as the disk needs to read and write the file, and the
write-ahead log of the service grows meanwhile. A disk snapshot (LVM, ZFS, a cloud volume) is equally safe. A plain \`cp\` of the folder of a running server is not. The copy contains secrets:
protect it like the folder.`)}
${sample(backup, 'sample-backup')}
<h3>Restore</h3>
${prose(`The files must belong to the user of the service. The restored service begins a new epoch of its event numbers, because the original has given numbers that it would give again:
clients that resume with an old cursor get a gap instead of wrong events. The same happens where only \`archive.db\` is replaced, from a backup, from Litestream or from a copy of a stopped service: \`events/log.json\`
has the highest number that was shown, as of the last minute and of the last stop. Remove \`archive.db-wal\` and \`archive.db-shm\` before you replace the file alone.`)}
${sample(restore, 'sample-restore')}
${prose(`A backup of version 1.2 is upgraded at its first start. Repeat the erasures that were made after the backup, before the start: see [Erasure](#erasure).`)}
<h3>Check and repair</h3>
${prose(`\`npm run doctor\` checks every file of a stopped service: the pages and indexes of the database, the words of the search, the checksum of each record, what the tables say of each
other, the documents, owners and permissions. Check a backup in the same way: \`DATA_DIR=/backups/social-data-2026-03-04 npm run doctor\`. A backup is the best remedy for damage. Without
one, \`--repair\` copies what can be read into a new file and writes the words anew; it needs the space of a second file. It deletes nothing: the damaged file and the rows with a wrong
checksum are in the folder \`damaged-TIME\` afterwards. A lost row can have been a deletion, so repeat recent erasures.`)}
${sample(doctor, 'sample-doctor')}
</section>`;

const erasureSection = (): Html => html`<section>
${heading('erasure')}
<h3>An erasure request, step by step</h3>
${prose(`1. **Access.** \`npm run export -- --user NAME FILE\` writes everything about a user, as native JSON Lines.
2. **Count.** \`npm run erase -- --user NAME --dry-run\` counts what an erasure removes. Note the id of the user: the name is unknown afterwards.
3. **Erase.** Without \`--dry-run\` the command asks, then erases: tweets, native retweets, profile, relations, and the conversations of the assistant
   that have used one of the tweets or the profile, also as a quoted post, a reply, or what a model read. Open questions that have used them end without an answer.
   Responses, search and event streams omit them at once; subscribers get \`tweet.deleted\`. A later import does not bring them back.
4. **Disk.** No file of \`DATA_DIR\` and no row of the database contains the texts after \`PURGE_WITHIN\` (24 hours; \`0\`: at once), nor those of
   conversations that have expired. Without a running server the command removes them itself; media files go when a server runs.
5. **Copies.** Older backups and exports still contain the texts, and so do \`set-aside.json\`, folders \`damaged-TIME\` and \`uploads/\` if they exist; the report
   lists them. Keep backups only as long as your retention policy permits. Keep the ids of erased users and tweets in your own register until the
   last older backup is deleted.
6. **After a restore** of an older backup, repeat the erasures of the register before you start the service.
7. **Proof.** The report (\`--report FILE\`) has counts, times and a SHA-256 of the ids, and no text, name or id.`)}
${sample(erase, 'sample-erase')}
${prose(`The command works with and without a running server. After an interruption, repeat the same command: it erases the rest. Texts of other users that
mention an erased user stay.`)}
<h3>Retention</h3>
${prose(`\`RETAIN=90d\` evicts tweets older than 90 days, \`RETAIN=5000000\` the oldest tweets beyond that number: at the start, every hour, and whenever a
sixteenth more are there. An evicted tweet leaves no tombstone: a later import can add it again. Where a search or the network is followed, tombstones of tweets
that their authors deleted go too when they are older than every stored tweet of that network; tombstones of erased tweets stay. \`RETAIN_KEEP\` is a query; tweets that match it are never evicted.`)}
</section>`;

const upgradesSection = (): Html => html`<section>
${heading('upgrades')}
${prose(`Make a backup, install the new version, and restart. Each version opens the data of all earlier versions. To go back, restore the backup with the version that
made it: what came after it is lost. \`info.version\` of [openapi.yaml](../openapi.yaml) shows the version of the contract. Only
a new major version can break callers.

- **From version 1.2, without a database.** The first start, or the first command that writes or exports, copies the journals of \`DATA_DIR\` into \`archive.db\`: about four minutes for 1,000,000
  records, with progress in the log. The service listens afterwards; a service manager that ends a slow start loses nothing. The disk needs space for both. After an interruption, the next start continues. Keys, page cursors and event cursors stay valid.
  It names each damaged record that it leaves out in \`left-out.json\`, and stops where a file of a journal is missing, cut off or of a newer version; then nothing is changed.
- **From version 1.2 with a shared database to tables.** Stop all instances of version 1.2 and make a backup of the database. The first start with \`PLATFORM=postgres\` turns the
  log of the archive into tables of the same schema and removes the log; further instances that start take turns with it and wait for its end. After an interruption, the next start continues.
- **Back to version 1.2.** Stop the service, copy \`DATA_DIR/journal-1.2/.\` to \`DATA_DIR\`, and remove \`journal-1.2\`, \`archive.db\`, the files beside it, and \`events/log.json\`: event cursors then
  begin anew. Or restore a backup that version 1.2 has made. What came after the upgrade is lost. \`journal-1.2\` has the texts of tweets, so the first purge after an erasure or a deletion removes it: copy it before. Where
  nothing is deleted, remove it yourself: \`rm -r DATA_DIR/journal-1.2\`.
- **From version 1.2 with \`DATABASE_URL\` and \`PLATFORM=postgres\`.** Stop all instances, install, remove \`PLATFORM\`, start one, then the others. The first start gives the tables their new version in one transaction.
  Instances of version 1.2 cannot use them afterwards: the way back is a restore of the database.
- **From version 1.2 with \`DATABASE_URL\` alone.** Each instance had the archive in memory, and the database its log. Stop all instances and make a backup of the database. The first start turns the
  log into tables of the same schema and removes it; further instances that start take turns with it and wait for its end. After an interruption, the next start continues. Keys, page cursors and event cursors stay valid.
  The way back is a restore of the database. Delete \`DATA_DIR/copy\` of each instance: it has texts.
- **What changes with this version.** A start takes seconds at any size, and the process 220 to 300 MB. An import into an empty archive needs 0.14 ms of CPU for a record instead of 0.06 to
  0.09 (same machine), and takes in about half of the records a second; beside a running server it is slower. With 1,000,000 tweets, the median search takes 0.24 instead of 0.05 ms, and the 99th percentile 1.1 instead of 4.3; phrases with \`*\` take 10 instead of 0.2 ms. A search that takes 10 s ends with 503.
  One tweet that comes alone writes 40 kB to the disk instead of 0.5.
- **Several instances.** Restart one after the other, and wait for its \`/readyz\`, unless the changelog says that the tables get another version: then stop all of them first.
- **Stop.** Send SIGTERM, SIGINT or SIGHUP, to the process or to \`npm start\`. After \`cd FOLDER && npm start &\`, \`$!\` of bash is a subshell,
  which passes no signal on: use \`kill %1\`, or write \`cd FOLDER; npm start &\`. \`/readyz\` changes to 503, event streams get \`going_away\` and close
  with 4200, open requests have 8 seconds, all data is written, and the exit code is 0. After SIGKILL no acknowledged change is lost.
- **Start.** It takes a few seconds. During this time the service does not listen: Caddy, as configured above, holds
  requests for up to 10 s; nginx responds with 502. Clients that follow the contract retry.
- **One process.** A second process on the same folder does not start. There is no rolling restart; event streams resume by cursor without loss.
- **Cores.** One thread answers requests and reads by a key, one writes, and up to four search. A second core also does compression, file hashes and the kernel.
  [Several instances](#instances) share a database. The rate of \`nodejs_eventloop_active_seconds_total\` is the used share of the core of the first thread. Requests with \`If-None-Match\` cost the least.`)}
</section>`;

const limitsSection = (): Html => html`<section>
${heading('limits')}
<div class="of-limits">${limitTable()}</div>
<h3>Sizing</h3>
${prose(`- **Memory.** 220 MB after the start and about 300 MB with searches, whatever the number of tweets, and 13 kB for an event stream. Memory that is left is not wasted: the kernel keeps the file in it, and searches of a large archive are faster.
- **Processor.** Requests share one core. Searches, writes, garbage collection and compression use others. See the panel
  *Event loop and processor*.
- **Disk.** 0.8 kB for each tweet, and for a purge, a large import or a long reader some hundred megabytes of write-ahead log. A lone tweet writes 40 kB, because the database writes whole pages; tweets that come together
  write less. Any disk with a reliable fsync is sufficient; an SSD is better for archives larger than the memory of the machine.`)}
</section>`;

async function main(): Promise<Html> {
  return html`<nav class="contents" aria-label="On this page">${Object.entries(sections).map(([id, title]) => html`<a href="#${id}">${title}</a> `)}</nav>
${await startSection()}

${await configurationSection()}

${keysSection()}

${operatorSection()}

${await proxySection()}

${healthSection()}

${await metricsSection()}

${followSection()}

${await instancesSection()}

${dataSection()}

${erasureSection()}

${upgradesSection()}

${limitsSection()}`;
}
