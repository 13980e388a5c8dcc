/** The tables of /docs/operations. */
import { settings } from '../../../../config/config.ts';
import { html, type Content, type Html } from '../html.ts';
import { phrase } from '../prose.ts';
import { row, table } from '../table.ts';

const code = (text: string): Html => html`<code>${text}</code>`;
const described = (heads: readonly string[], rows: readonly (readonly [name: string, ...words: string[]])[]): Html =>
  table(heads, [html`${rows.map(([name, ...words]) => row(phrase(name), ...words.map(phrase)))}`]);

export const settingTable = (): Html =>
  table(
    ['Variable', 'Default', 'Meaning', 'Takes'],
    [
      html`${settings.map(({ name, defaultText, description, expected }) => row(html`<span id="${name}">${code(name)}</span>`, defaultText === '' ? 'none' : code(defaultText), phrase(description), expected as Content))}`,
    ],
  );

export const probeTable = (): Html =>
  described(
    ['Path', 'Answers', 'For'],
    [
      ['`/healthz`', '200 while the event loop of the process runs', 'liveness: whether to restart it'],
      [
        '`/readyz`',
        '200 when the service accepts requests, with `warnings` if records of the archive are set aside, a part of the database file was found damaged, or a followed platform is away; with several instances `following` names the platforms that this one reads; otherwise 503 with the reason: the service shuts down, cannot write its database file or a log, or has had no contact with its database for 10 s. An overload does not change it, because a balancer would then reject all requests instead of some',
        'readiness: whether to send requests, and whether the start is complete',
      ],
      [
        '`/live/following`',
        'what the service follows on live platforms, whether it is connected, and how far it is behind; `/live` shows it. It needs no key, and names no account',
        'people',
      ],
      ['`/metrics`', 'metrics in the text format of Prometheus', 'dashboards and alerts'],
    ],
  );

/** A metric, its labels and its meaning. */
type MetricRow = readonly [metric: string, labels: string, meaning: string];

/** The metrics of requests and of the process. */
const requestMetrics: readonly MetricRow[] = [
  [
    '`http_requests_total`',
    '`operation`, `status`',
    'responses; `none` is a request without an operation: pages, probes, rejected keys (401, 429) and overload (503)',
  ],
  [
    '`http_request_duration_seconds`',
    '`operation`',
    'histogram of the time from the request head to the end of the response',
  ],
  ['`http_requests_in_flight`', '', 'open requests'],
  [
    '`http_shed_total`',
    '`reason`',
    'requests rejected with 503 because of overload: `in_flight`, too many at once; `delay`, the event loop took too long',
  ],
  [
    '`http_validation_failures_total`',
    '`operation`, `side`',
    '`request`: rejected with 400, 413 or 415. `response`: a response that violates the contract and was replaced with 500; any value above 0 is an error of the server',
  ],
  [
    '`nodejs_eventloop_active_seconds_total`',
    '',
    'its rate is the used share of a core; `nodejs_eventloop_lag_…` are the delays of the event loop, with a resolution of 10 ms',
  ],
  [
    '`nodejs_array_buffers_bytes`',
    '',
    'memory of buffers outside the JavaScript heap; the page caches of SQLite are outside of both',
  ],
];

/** The metrics of the archive, the store, the event stream, the assistant and the tokens. */
const domainMetrics: readonly MetricRow[] = [
  [
    '`archive_objects`',
    '`kind`',
    'tweets, users, communities and spaces in the archive, and tombstones of removed tweets; in PostgreSQL, an estimate above 50,000',
  ],
  ['`archive_changes_total`', '', 'transactions that changed the archive since its creation'],
  [
    '`archive_records_set_aside`',
    '',
    'records that the archive could not apply; they are in `set-aside.json` and in no response; any value above 0 is an error of the server',
  ],
  [
    '`journal_sync_duration_seconds`',
    '`journal`',
    'histogram of the time that the disk needs to make a write durable; of a database file, all writes have the label `archive`',
  ],
  ['`journal_records_total`', '`journal`', 'durable records since the creation of the log; of `tables`, transactions'],
  ['`database_file_bytes`', '`part`', 'size of `archive.db` (`file`) and of its write-ahead log (`log`)'],
  [
    '`database_checkpoint_duration_seconds`',
    '',
    'histogram of the time in which the write-ahead log is written to `archive.db`; changes wait meanwhile',
  ],
  ['`journal_pending_bytes`', '`journal`', 'bytes that wait for the database'],
  ['`journal_failed`', '`journal`', '1 while the log cannot be written and changes are rejected'],
  ['`data_directory_free_bytes`', '', 'free space on the disk of `DATA_DIR`'],
  ['`follow_connected`', '`source`', '1 while the service is connected to a platform that it follows'],
  [
    '`follow_lag_seconds`',
    '`source`',
    'how far the archive is behind the platform; 0 while the platform has nothing new',
  ],
  ['`follow_targets`', '`source`', 'followed accounts, lists and searches, by this instance or another one'],
  ['`follow_queue`', '`source`', 'records that wait for the archive, at most 5,000; then the connection waits too'],
  ['`follow_events_total`', '`source`, `kind`', 'events of the platform'],
  [
    '`follow_rejected_total`',
    '`source`, `reason`',
    'events and records that could not be used: `invalid` violates the native format, `set_aside` is in `set-aside.json`, `copied_id` has the id of another record, others are unusable events of the platform',
  ],
  ['`follow_reconnects_total`', '`source`', 'connections that were lost or could not be established'],
  [
    '`follow_gaps_total`',
    '`source`',
    'times at which events may be missing; the service then compares its data with the histories of the platform',
  ],
  ['`follow_requests_total`', '`source`, `status`', 'HTTP requests to the platform; `none`: no response'],
  [
    '`follow_fills_total`',
    '`source`, `outcome`',
    'fetches at the first request for something unknown (`FILL`): `filled`, `absent`, `limited`, `timeout`, `failed` or `unwritten`',
  ],
  ['`follow_reads_left`', '`source`', 'reads that the budget (`X_READS_PER_DAY`) leaves today'],
  ['`event_log_head`', '', 'the number of the last event'],
  ['`event_log_events`', '', 'events that can be replayed'],
  ['`event_log_pending`', '', 'events that are not published yet; normally near 0'],
  ['`ws_connections`', '', 'open WebSocket connections'],
  ['`ws_subscriptions`', '', 'subscriptions of all connections'],
  ['`ws_behind_events`', '', 'events that the slowest connection is behind'],
  ['`ws_buffered_bytes`', '', 'bytes in the send buffers of all sockets'],
  ['`ws_messages_total`', '`direction`, `type`', 'messages received and sent'],
  ['`ws_closed_total`', '`code`', 'closed connections, by [close code](events#closing)'],
  ['`assistant_accounts`', '`state`', 'accounts that are available, cooling down, untested or incapable'],
  ['`assistant_questions`', '`figure`', 'capacity, used and remaining questions of 24 hours'],
  ['`assistant_calls_total`', '`outcome`', 'calls to accounts, by outcome'],
  [
    '`assistant_tokens_total`',
    '`direction`',
    'input tokens, the cached part of them, and output tokens that the endpoints counted; 0 with `local`',
  ],
  [
    '`social_data_assistant_cost_dollars_total`',
    '`model`',
    'cost of the tokens in dollars, by the prices of `ASSISTANT_PRICES`',
  ],
  ['`social_data_assistant_cost_unpriced_total`', '', 'reports of tokens of models without a price'],
  [
    '`social_data_assistant_cost_today_dollars`',
    '`figure`',
    'dollars spent today (UTC), and the budget of a day if there is one',
  ],
  ['`assistant_refused_total`', '', 'questions rejected because no account was free (503)'],
  ['`token_cache_lookups_total`', '`result`', 'token lookups in the cache: hit, shared, miss'],
  ['`token_lookups_total`', '`outcome`', 'resolved tokens, by outcome'],
  ['`token_upstream_duration_seconds`', '`endpoint`', 'histogram of the response time of the token aggregator'],
  ['`social_data_build_info`', '`version`, `contract`', 'always 1; the labels are the running versions'],
];

/** All metrics of the service itself, by topic. */
export const metricTable = (): Html =>
  described(['Metric', 'Labels', 'Meaning'], [...requestMetrics, ...domainMetrics]);

/** The metrics of an instance of a shared database. */
const databaseMetrics: readonly MetricRow[] = [
  ['`journal_lag_records`', '`journal`', 'records of other instances that this one has not applied yet'],
  ['`database_silent_seconds`', '', 'time since the last contact; above 10, stored keys are refused'],
  ['`database_listening`', '', '1 while notices arrive; otherwise changes are visible within half a second'],
  [
    '`instance_leader`',
    '',
    '1 while this instance follows platforms, and performs health checks, housekeeping and purges',
  ],
  ['`instances_others`', '', 'other instances that are alive'],
  [
    '`journal_lock_wait_seconds`',
    '`journal`',
    'histogram of the time that a write waits for the writes of other instances',
  ],
  ['`database_log_bytes`', '', 'size of the logs with their index in the database'],
];

export const databaseMetricTable = (): Html => described(['Metric', 'Labels', 'Meaning'], databaseMetrics);

export const folderTable = (): Html =>
  described(
    ['Below `DATA_DIR`', 'Content', 'If it is lost'],
    [
      [
        '`archive.db`, `archive.db-wal`, `archive.db-shm`',
        'the database: tweets, users, follows, likes, the event log, the questions of each account in 24 hours, and open conversations; the second file has the newest changes',
        'the data is lost; restore a backup, or import it again',
      ],
      ['`archive.db.new`', 'an upgrade of version 1.2 in progress', 'the next start begins the upgrade again'],
      [
        '`journal-1.2/`, `left-out.json`',
        'the journals of version 1.2 after the upgrade, until the first purge; the damaged records that the upgrade left out',
        'the way back to version 1.2',
      ],
      [
        '`media/`',
        'the pictures and videos that imports of exports have brought',
        'tweets show the address `/media/…` without its file; import the export again',
      ],
      [
        '`events/log.json`',
        'the epoch of the event log',
        'clients that resume get `gap` or an error (`on_gap`), and continue',
      ],
      ['`keys.json`', 'hashes of the API keys', 'no stored key is valid; the next start creates one'],
      [
        '`set-aside.json`',
        'records that the archive could not apply, each with file, line, byte offset, reason and text',
        'nothing but these records',
      ],
      [
        '`secrets.json`',
        'the secrets that seal cursors and conversation ids',
        'existing cursors and conversations become invalid',
      ],
      ['`audit.json`', 'the actions of operators', 'the log of the service has them, too'],
      ['`backups/`', 'the backups that an operator has made on `/operate`', 'make a new one'],
      ['`uploads/`', 'files that an operator uploads, until they are imported', 'upload them again'],
      ['`follow.json`', 'the targets that `npm run follow` stored', 'add the targets again'],
      ['`follow-tokens.json`', 'the tokens of platforms, as they were entered', 'store the tokens again'],
      ['`accounts.json`', 'the accounts of the assistant, with their keys', 'add the accounts again'],
      ['`assistant-cost.json`', 'what the assistant cost today', 'the budget of today starts again at zero'],
      [
        '`lock`, `control.sock`',
        'the lock of the running process, and the socket of the commands',
        'nothing; each start creates them',
      ],
      [
        '`damaged-TIME/`',
        'damaged files and removed records that `npm run doctor -- --repair` kept',
        'nothing; delete it when you do not need it any more',
      ],
    ],
  );

export const limitTable = (): Html =>
  described(
    ['Resource', 'Limit', 'Setting'],
    [
      ['requests of a key', '6000 a minute', '`RATE_LIMIT`, or `--rate` of the key'],
      ['invalid keys from an address', '20 a minute', '`FAILED_KEYS`'],
      ['head of a request', '96 kB, 100 headers, within 10 s', 'fixed'],
      ['body of a request', '16 kB, within 30 s', 'fixed'],
      ['requests in flight', '1,000, then 503 with `Retry-After`', 'fixed'],
      [
        'delay of the event loop before requests are rejected',
        '2 s; 200 ms after 2 s of longer delays; then 503 with `Retry-After`',
        'fixed',
      ],
      ['response that the client does not read', '3 minutes without progress, then the connection is closed', 'fixed'],
      ['concurrent questions to the assistant', '250, then 503 with `Retry-After`', 'fixed'],
      ['log lines in the write buffer', '8 MB, then lines are dropped; the log reports their number', 'fixed'],
      ['idle connection', '65 s, longer than the usual 60 s of proxies', 'fixed'],
      ['event streams of a key', '5', '`WS_CONNECTIONS`'],
      ['replay of events', '24 hours, 1,000,000 events, 25 bytes of memory each', '`EVENT_WINDOW`, `EVENT_LIMIT`'],
      [
        'searches',
        '10 s each, then 503; 256 wait, a further one gets 503 with `Retry-After`; without `DATABASE_URL`',
        'fixed',
      ],
      ['open files and sockets', 'one for each connection, and about 30 more', '`LimitNOFILE`, `ulimit -n`'],
    ],
  );
