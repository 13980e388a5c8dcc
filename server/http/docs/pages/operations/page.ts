/** The page /docs/operations: running the service in production. */
import { readFile } from 'node:fs/promises';
import { html, type Html } from '../html.ts';
import type { Page } from '../page.ts';
import { prose } from '../prose.ts';
import { sample } from '../sample.ts';
import { folderTable, limitTable, metricTable, probeTable, settingTable } from './tables.ts';

const sections = {
  start: 'Start',
  configuration: 'Configuration',
  keys: 'Keys',
  proxy: 'Behind a proxy',
  health: 'Health',
  metrics: 'Metrics and alerts',
  data: 'Data and backups',
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

export async function operationsPage(): Promise<Page> {
  return {
    name: 'operations',
    styles: ['theme', 'guide', 'manual'],
    runs: false,
    root: '../',
    title: 'Operations',
    lead: html`Running the service in production: one process, one folder of data, a proxy in front that speaks TLS. The files shown here are in
the repository, below <code>server/deploy/</code>.`,
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

const startSection = async (): Promise<Html> => html`<section>
${heading('start')}
${prose(`The service is one Node process that needs no other: no database, no queue. \`npm ci\` brings the Node that it runs on. The first start
prints an API key, once, and where it listens; \`DEMO=0\` starts with an empty archive instead of the bundled sample.`)}
<h3>With systemd</h3>
${prose(`The unit runs it as a user of its own that may write nothing but \`/var/lib/social-data\`, and counts it as started when it is ready.`)}
${sample(systemd, 'sample-systemd')}
${await shipped('social-data.service')}
<h3>With containers</h3>
${prose(`The image runs as no root, from a read-only file system; its data is in the volume \`/data\`. The compose file also has Caddy (\`--profile
proxy\`) and Prometheus with Grafana (\`--profile monitoring\`). One container at a time may have the volume.`)}
${sample(container, 'sample-container')}
${await shipped('Dockerfile')}
${await shipped('compose.yaml')}
</section>`;

const configurationSection = async (): Promise<Html> => html`<section>
${heading('configuration')}
${prose(`Variables of the environment, read once at the start; one that is empty counts as unset. A wrong value ends the start with a line that says
what was expected.`)}
<div class="of-settings">${settingTable()}</div>
${await shipped('social-data.env')}
</section>`;

const keysSection = (): Html => html`<section>
${heading('keys')}
${prose(`Only hashes of keys are stored: a key is shown once. The commands work while the server runs, and take effect at once; a revoked key's listeners
are sent away. Give every app its own key: the log names the key of each request by its id, and the rate limit is for each key. A key can be made
for a part of the service (\`--scopes\`), at a rate of its own and for a time; \`list\` shows when each was last used, written down every minute.
Keys from \`API_KEYS\` are for tests and for secrets that come from elsewhere; they change with a restart.`)}
${sample(keys, 'sample-keys')}
${prose(`In a container: \`docker compose exec social-data node scripts/cli/keys.ts create --name NAME\`.`)}
</section>`;

const proxySection = async (): Promise<Html> => html`<section>
${heading('proxy')}
${prose(`The service speaks plain HTTP and listens on this machine only. In front of it belongs a proxy that adds TLS. What matters there:

- **WebSockets.** \`/ws\` is an upgrade. Both sides say something every 20 seconds, so that a time limit for silence of 60 s or more never ends a
  connection that lives.
- **No buffering.** Answers go out as they come. The service compresses them itself.
- **Idle connections.** The service keeps them for 65 s. The proxy should let go of them sooner, as nginx and most others do.
- **Time.** The assistant may take 150 seconds; everything else takes milliseconds.
- **The caller's address.** The proxy sets \`X-Forwarded-For\` itself, rather than add to what a caller
  claims, and \`TRUST_PROXY\` tells the service to believe it: \`loopback\` for a proxy on the same machine, \`loopback,uniquelocal\` in the compose
  file. Without it every caller has the proxy's address, and the wrong keys of one lock out all.
- **Logs.** A key may be in the query (\`api_key\`): the proxy's access log would keep it. The service's own log, one JSON line a request, has
  neither query nor key.
- **The operator's paths.** \`/metrics\`, \`/readyz\` and \`/healthz\` need no key and are nobody else's business.
- **Host names.** The service has no need to know its own. It works below a prefix too, if the proxy takes that away.`)}
${await shipped('Caddyfile')}
${await shipped('nginx.conf')}
</section>`;

const healthSection = (): Html => html`<section>
${heading('health')}
${prose(`None of these needs a key, and what they answer with 200 is logged with \`LOG_LEVEL=debug\` only.`)}
<div class="of-probes">${probeTable()}</div>
${prose(`\`node server/deploy/health.ts\` asks \`/readyz\` and ends with 0 or 1; with \`--wait SECONDS\` it waits for a start. The image's health check is
that. While it reads its archive the server does not listen yet. A disk that is full, or fails, does not end it: changes are refused with 503 until it
takes writes again, and reads go on. The log is on standard error, one JSON line a request, with the id that the caller
is told in \`X-Request-Id\`; 5xx are of level 40 and 50.`)}
</section>`;

const metricsSection = async (): Promise<Html> => html`<section>
${heading('metrics')}
${prose(`Prometheus reads [\`/metrics\`](../metrics). \`server/deploy/grafana/social-data.json\` is a dashboard to import, with its data source to be chosen;
the compose file sets both up. Labels hold only what the service itself names, never what callers send, so that the number of series is bounded.`)}
<div class="of-metrics">${metricTable()}</div>
<h3>Alerts</h3>
${prose(`Each rule says why it is one, and what to do. \`page\` should wake someone, \`ticket\` can wait for the morning.`)}
${await shipped('prometheus/alerts.yml')}
</section>`;

const dataSection = (): Html => html`<section>
${heading('data')}
<div class="of-folder">${folderTable()}</div>
${prose(`The folder must be on a local disk: locks and fsync of network file systems promise less. A journal is a sequence of lines, each with a
checksum. A file that is damaged or too short stops the start with its name; what a crash left half written at the end was acknowledged to
nobody, and is cut off.`)}
<h3>Backup, while it runs</h3>
${prose(`The command copies what must not be lost, reads every line of the copy back, and ends with 0 only when it is whole. It has what was acknowledged
before it began. A snapshot of the disk (LVM, ZFS, a cloud volume) is as good: it is what a crash leaves. A plain \`cp\` of a running
server's folder is not. The copy holds secrets: keep it as you keep the folder.`)}
${sample(backup, 'sample-backup')}
<h3>Restore</h3>
${prose(`The files must belong to the user of the service, as the folder does. The event log is left out of backups, on purpose: the restored server
begins a new one, and listeners that come back with a cursor of the old one are told of the gap rather than given wrong events.`)}
${sample(restore, 'sample-restore')}
</section>`;

const upgradesSection = (): Html => html`<section>
${heading('upgrades')}
${prose(`Back up, take the new version, restart. Callers see the change in \`info.version\` of [openapi.yaml](../openapi.yaml): a new major version may
break them, others do not.

- **Stop.** SIGTERM, SIGINT or SIGHUP ends it, also where only \`npm start\` gets it: \`/readyz\` turns 503, listeners are told
  to come back and closed with 4200, requests in flight have 8 seconds, everything is written, the exit code is 0. Killed at any
  moment it loses nothing that was acknowledged.
- **Start.** 200,000 tweets take 4 s, 1,000,000 take 22 s. Until then nothing listens: Caddy, as set up above, holds requests for up to 10 s, nginx
  answers 502. Clients that follow the contract try again.
- **One process.** A second one on the same folder refuses to start. There is no rolling restart: listeners resume by their cursor and miss nothing.
- **One core.** Requests are answered by one thread; a second core takes the compression, the hashing of files and what the kernel does. More
  processes that read would each need the whole archive in memory, and what holds now would be lost or cost a question to the one that writes for each
  request: that the rate limit of a key is one, that a revoked key ends at once, and that whoever changed something sees it in the next answer.
  Look at \`nodejs_eventloop_active_seconds_total\`: its rate is the share of the core in use. Callers that send \`If-None-Match\` cost the least.`)}
</section>`;

const limitsSection = (): Html => html`<section>
${heading('limits')}
<div class="of-limits">${limitTable()}</div>
<h3>How large a machine</h3>
${prose(`- **Memory.** The archive and its index are in memory: 2.6 kB a tweet at 200,000, 1.3 kB at 1,000,000, and 220 MB for the rest. A million tweets
  run in 2 GB; beyond that give Node room by \`NODE_OPTIONS=--max-old-space-size=MB\`, three quarters of the machine. A listener needs 13 kB.
- **Processor.** Requests share one core; the second is for garbage collection, compression and fsync. The panel *Event loop and processor* tells how
  much of it is in use.
- **Disk.** The archive's journal grows with what changes, and is written anew at a start when most of it is history. Any disk with an honest fsync
  will do; \`journal_sync_duration_seconds\` tells how long yours takes.`)}
</section>`;

async function main(): Promise<Html> {
  return html`<nav class="contents" aria-label="On this page">${Object.entries(sections).map(([id, title]) => html`<a href="#${id}">${title}</a> `)}</nav>
${await startSection()}

${await configurationSection()}

${keysSection()}

${await proxySection()}

${healthSection()}

${await metricsSection()}

${dataSection()}

${upgradesSection()}

${limitsSection()}`;
}
