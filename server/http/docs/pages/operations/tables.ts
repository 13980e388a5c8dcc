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
      ['`/healthz`', '200 while the process runs its event loop', 'whether to restart it'],
      [
        '`/readyz`',
        '200 when it takes requests, with `warnings` where records of the archive are set aside; else 503 with the reason: it is stopping, or cannot write a journal. An overload is no reason: it is told to each request that is refused, and taking the server away would refuse all',
        'whether to send it requests, and whether a start is done',
      ],
      ['`/metrics`', 'figures in the text format of Prometheus', 'dashboards and alerts'],
    ],
  );

/** A metric, its labels, and what it tells. */
type MetricRow = readonly [metric: string, labels: string, tells: string];

/** The metrics of requests and of the process. */
const requestMetrics: readonly MetricRow[] = [
  [
    '`http_requests_total`',
    '`operation`, `status`',
    'requests answered; `none` is what addressed no operation: pages, probes, refused keys (401, 429), what the load left no room for (503)',
  ],
  [
    '`http_request_duration_seconds`',
    '`operation`',
    'a histogram, from the head of the request to the end of the answer',
  ],
  ['`http_requests_in_flight`', '', 'requests that are not answered to their end yet'],
  [
    '`http_shed_total`',
    '`reason`',
    'requests refused with 503 because of the load: `in_flight`, too many at once; `delay`, the event loop took too long',
  ],
  [
    '`http_validation_failures_total`',
    '`operation`, `side`',
    '`request`: refused with 400, 413 or 415. `response`: an answer held back because the contract does not allow it; always 0, or the server has a fault',
  ],
  [
    '`nodejs_eventloop_active_seconds_total`',
    '',
    'its rate is the share of a core in use; beside it are the delays of the event loop, `nodejs_eventloop_lag_…`, with a resolution of 10 ms',
  ],
];

/** The metrics of the archive, the store, the event stream, the assistant and the tokens. */
const domainMetrics: readonly MetricRow[] = [
  ['`archive_objects`', '`kind`', 'tweets, users, communities and spaces in the archive'],
  ['`archive_changes_total`', '', 'changes that the archive has ever seen'],
  [
    '`archive_records_set_aside`',
    '',
    'records of the journal that could not be applied: in `set-aside.json`, and in no answer; always 0, or the server has a fault',
  ],
  ['`journal_sync_duration_seconds`', '`journal`', 'a histogram: how long the disk takes to make a write durable'],
  ['`journal_records_total`', '`journal`', 'records ever made durable'],
  ['`journal_size_bytes`', '`journal`', 'bytes on disk'],
  ['`journal_pending_bytes`', '`journal`', 'bytes that wait for the disk'],
  ['`journal_failed`', '`journal`', '1 while it cannot be written and changes are refused'],
  ['`data_directory_free_bytes`', '', 'space left on the disk of `DATA_DIR`'],
  ['`event_log_head`', '', 'the number of the last event'],
  ['`event_log_events`', '', 'events that can be replayed'],
  ['`event_log_untold`', '', 'events that nobody was told of yet: near 0'],
  ['`ws_connections`', '', 'listeners'],
  ['`ws_subscriptions`', '', 'subscriptions of all listeners'],
  ['`ws_behind_events`', '', 'how far the slowest listener is behind'],
  ['`ws_buffered_bytes`', '', 'bytes that wait for sockets'],
  ['`ws_messages_total`', '`direction`, `type`', 'messages received and sent'],
  ['`ws_closed_total`', '`code`', 'connections that ended, by [close code](events#closing)'],
  ['`assistant_accounts`', '`state`', 'accounts that are available, cooling down, untested or incapable'],
  ['`assistant_questions`', '`figure`', 'capacity, used and remaining questions of 24 hours'],
  ['`assistant_calls_total`', '`outcome`', 'calls to accounts, by how they ended'],
  ['`assistant_refused_total`', '', 'questions that no account was free for (503)'],
  ['`token_cache_lookups_total`', '`result`', 'names of tokens looked for in the cache: hit, shared, miss'],
  ['`token_lookups_total`', '`outcome`', 'names of tokens, by how resolving them ended'],
  ['`token_upstream_duration_seconds`', '`endpoint`', 'a histogram of the answers of the token aggregator'],
  ['`social_data_build_info`', '`version`, `contract`', 'always 1: what runs'],
];

/** All metrics of the service itself, by topic. */
export const metricTable = (): Html => described(['Metric', 'Labels', 'Tells'], [...requestMetrics, ...domainMetrics]);

export const folderTable = (): Html =>
  described(
    ['Below `DATA_DIR`', 'Holds', 'When it is lost'],
    [
      [
        '`archive/`',
        'every change of the archive, as a journal: tweets, users, follows, likes',
        'the data is; import it again',
      ],
      ['`events/`', 'the event log, for replay', 'listeners that resume are told of the gap (`on_gap`), and go on'],
      ['`keys.json`', 'hashes of the API keys', 'no stored key is valid; the next start makes one'],
      [
        '`set-aside.json`',
        'records of the archive that could not be applied, each with its file, line, byte offset, reason and text',
        'the next start finds those that the journal still has',
      ],
      [
        '`secrets.json`',
        'what seals cursors and conversation ids',
        'cursors and conversations that callers still have end',
      ],
      ['`accounts.json`', 'the accounts of the assistant, with their keys', 'they have to be added again'],
      [
        '`pool/`, `conversations/`',
        'what each account was asked in 24 hours; open conversations',
        'accounts count as unasked; conversations end',
      ],
      ['`lock`, `control.sock`', 'who runs here, and the door for the commands', 'nothing: made anew at each start'],
    ],
  );

export const limitTable = (): Html =>
  described(
    ['What', 'Bound', 'Where it is set'],
    [
      ['requests of a key', '6000 a minute', '`RATE_LIMIT`, or `--rate` of the key'],
      ['wrong keys from an address', '20 a minute', '`FAILED_KEYS`'],
      ['head of a request', '96 kB, 100 headers, within 10 s', 'fixed'],
      ['body of a request', '16 kB, within 30 s', 'fixed'],
      ['requests in flight', '1,000, then 503 with `Retry-After`', 'fixed'],
      [
        'time for which a turn of the event loop takes requests',
        '2 s; 200 ms once turns have been longer for 2 s; then 503 with `Retry-After`',
        'fixed',
      ],
      ['answer that its caller does not read', '30 s without progress, then the connection is cut', 'fixed'],
      ['questions to the assistant at once', '250, then 503 with `Retry-After`', 'fixed'],
      ['lines of the log that wait to be written', '8 MB, then lines are lost, and counted in the log', 'fixed'],
      ['idle connection', '65 s, longer than the usual 60 s of proxies', 'fixed'],
      ['listeners of a key', '5', '`WS_CONNECTIONS`'],
      ['replay of events', '24 hours, 1,000,000 events, 25 bytes of memory each', '`EVENT_WINDOW`, `EVENT_LIMIT`'],
      ['open files and sockets', 'one for each connection, some 30 more', '`LimitNOFILE`, `ulimit -n`'],
    ],
  );
