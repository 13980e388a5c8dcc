// Tests server/storage/storage-metrics.ts, server/realtime/stream-metrics.ts, server/alerts/webhook-metrics.ts and
// server/archive/upkeep/archive-metrics.ts.
/** The dashboard and the alerts ask for what a real server shows, after it has done all that it can do. */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parser } from '@prometheus-io/lezer-promql';
import { Registry } from '@prometheus-io/client';
import { parse as parseYaml } from 'yaml';
import { connectControl } from '../../server/admin/control-client.ts';
import type { Journal } from '../../server/ports/storage.ts';
import { createLockWait, measureDatabase } from '../../server/storage/database-metrics.ts';
import { operationIds } from '../../server/contract/operations.ts';
import { readExposition, type Exposition } from '../support/exposition.ts';
import { runProgram, testWith } from '../support/programs.ts';
import { startServer, temporaryFolder, type RunningServer } from '../support/server.ts';
import { endlessIds } from '../support/contract.ts';
import { validInit, validTarget } from '../support/service.ts';
import { createPlatformFile } from '../support/platform-file.ts';
import { listener } from '../support/stream.ts';

const deploy = new URL('../../server/deploy/', import.meta.url);
const key = 'a-monitoring-test-key';

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly datasource?: { readonly uid: string };
  readonly targets?: readonly {
    readonly expr: string;
    readonly legendFormat: string;
    readonly datasource: { readonly uid: string };
  }[];
}
interface Dashboard {
  readonly uid: string;
  readonly panels: readonly Panel[];
  readonly annotations: { readonly list: readonly { readonly expr: string }[] };
  readonly templating: {
    readonly list: readonly { readonly name: string; readonly type: string; readonly definition?: string }[];
  };
}
interface Rule {
  readonly alert: string;
  readonly expr: string;
  readonly labels: { readonly severity: string };
  readonly annotations: { readonly summary: string; readonly description: string };
}

const dashboard = JSON.parse(await readFile(new URL('../../generated/dashboard.json', deploy), 'utf8')) as Dashboard;
const { rules } = (
  parseYaml(await readFile(new URL('prometheus/alerts.yml', deploy), 'utf8')) as { groups: [{ rules: Rule[] }] }
).groups[0];

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: RunningServer;
let text: string;
let shown: Exposition;
const aggregator = createServer(
  (_request, response) => void response.setHeader('content-type', 'application/json').end('{"pairs":[]}'),
);

const ask = (target: string, init: RequestInit = {}): Promise<Response> =>
  fetch(server.url + target, { ...init, headers: { 'x-api-key': key, ...(init.headers as Record<string, string>) } });
const metrics = async (): Promise<string> => (await fetch(`${server.url}/metrics`)).text();

/** What an instance on a database shows in addition. */
async function databaseMetrics(): Promise<string> {
  const registry = new Registry();
  const lockWait = createLockWait();
  const database = {
    ...{ stale: undefined, silentMs: 1, isListening: true, others: 1, isLeader: true, lockWait },
    ...{ lagOf: () => 0, logBytes: async () => 1 },
    standbys: {
      states: [{ leftOut: undefined, lagMs: 1, lagCommits: 1 }],
      isReachable: true,
      counts: { standby: 1, primary: 1 },
    },
  };
  measureDatabase(registry, database, new Map([['tables', {} as Journal]]));
  lockWait.observe({ journal: 'tables' }, 1);
  return registry.metrics();
}

const withDatabase = (embedded: Exposition, database: Exposition): Exposition => ({
  types: new Map([...embedded.types, ...database.types]),
  helps: new Map([...embedded.helps, ...database.helps]),
  series: [...embedded.series, ...database.series],
});

beforeAll(async () => {
  await new Promise<void>((resolve) => void aggregator.listen(0, '127.0.0.1', resolve));
  folder = await temporaryFolder();
  const platform = await createPlatformFile(folder.path);
  const { port } = aggregator.address() as AddressInfo;
  server = await startServer(folder.path, {
    API_KEYS: key,
    TOKEN_RESOLVER: 'dexscreener',
    TOKEN_RESOLVER_URL: `http://127.0.0.1:${port}`,
    FILL: 'bluesky',
    FOLLOW_BLUESKY_API: `http://127.0.0.1:${port}`,
    ...platform.env,
  });
  // After the start, so that the sample is there.
  const control = (await connectControl(folder.path))!;
  await control.call('follow/add', ['bluesky:alice.example.com']);
  control.close();
  await platform.publish('alice.example.com', 'a post');
  for (const id of operationIds)
    if (!endlessIds.includes(id)) await (await ask(validTarget(id), validInit(id))).arrayBuffer();
  const { tweets } = (await (await ask('/social/tweet/advanced_search?query=has%3Acashtags&limit=1')).json()) as {
    tweets: { author: { username: string } }[];
  };
  await (
    await ask(`/social/user/last_tweets?username=${tweets[0]!.author.username}&resolve_cashtags=1&limit=100`)
  ).arrayBuffer();
  for (const target of [
    '/social/tweet/assistant?tweet_id=1890000000000000001',
    '/social/tweet/replies?tweet_id=x',
    '/social/nowhere',
  ])
    await (await ask(target)).arrayBuffer();
  for (const target of ['/social/assistant/status', '/healthz']) await (await fetch(server.url + target)).arrayBuffer();
  const listening = await listener(server.url, key);
  await listening.ask({ type: 'subscribe', id: '1', channel: 'search:tweets', params: { query: 'coffee' } });
  listening.socket.close(4555);
  await listening.closed;
  // The close reaches the server a little later than its answer reaches us.
  do text = await metrics();
  while (!text.includes('ws_closed_total{code="other"}') || !text.includes('follow_lag_seconds{'));
  shown = withDatabase(readExposition(text), readExposition(await databaseMetrics()));
});
afterAll(async () => {
  await server?.end('SIGKILL');
  aggregator.closeAllConnections();
  await new Promise((resolve) => aggregator.close(resolve));
  await folder?.dispose();
});

/** A metric that a query selects, with what it says of the labels. */
interface Selected {
  readonly metric: string;
  readonly matchers: readonly { readonly label: string; readonly operator: string; readonly value: string }[];
}

/** What a query selects, the labels that it groups by, and all that it names outside of selectors. Throws where it is not PromQL. */
function readQuery(query: string): { selected: Selected[]; groupedBy: string[]; named: string[] } {
  const selected: Selected[] = [];
  const groupedBy: string[] = [];
  const named: string[] = [];
  const at = (node: { from: number; to: number }): string => query.slice(node.from, node.to);
  parser.parse(query).iterate({
    enter({ node, name }) {
      if (node.type.isError) throw new Error(`not PromQL at ${node.from}: ${query}`);
      if (name === 'VectorSelector') {
        const matchers = node.getChild('LabelMatchers')?.getChildren('UnquotedLabelMatcher') ?? [];
        selected.push({
          metric: at(node.getChild('Identifier')!),
          matchers: matchers.map((each) => ({
            label: at(each.getChild('LabelName')!),
            operator: at(each.getChild('MatchOp')!),
            value: JSON.parse(at(each.getChild('StringLiteral')!)) as string,
          })),
        });
      }
      if (name === 'GroupingLabels') {
        const labels = node.getChildren('LabelName').map(at);
        named.push(...labels);
        if (node.parent?.name === 'AggregateModifier') groupedBy.push(...labels);
      }
    },
  });
  return { selected, groupedBy, named };
}

/** What Prometheus itself adds. */
const added = ['job', 'instance'];

/** Holds a query against what the server shows; the labels that its result may have. */
function check(query: string): string[] {
  const plain = query
    .replaceAll('$__rate_interval', '5m')
    .replaceAll('$__interval', '1m')
    .replaceAll('$job', 'social-data')
    .replaceAll('$instance', '.*');
  const { selected, groupedBy, named } = readQuery(plain);
  expect(selected.length).toBeGreaterThan(0);
  const labels = new Set(added);
  for (const { metric, matchers } of selected) {
    for (const { label, value } of matchers.filter((matcher) => matcher.label === 'job'))
      expect([query, label, value]).toEqual([query, 'job', 'social-data']);
    if (metric === 'up') continue;
    const own = matchers.filter(({ label }) => !added.includes(label));
    const found = shown.series.filter(
      ({ name, labels: { ...given } }) =>
        name === metric &&
        own.every(({ label, operator, value }) =>
          operator === '=' ? given[label] === value : new RegExp(`^(?:${value})$`).test(given[label] ?? ''),
        ),
    );
    expect([query, metric, own, found.length > 0]).toEqual([query, metric, own, true]);
    for (const label of Object.keys(found[0]!.labels)) labels.add(label);
  }
  for (const label of named) expect([query, [...labels]]).toEqual([query, expect.arrayContaining([label])]);
  return groupedBy.length > 0 ? groupedBy : [...labels];
}

const drawn = dashboard.panels.filter(({ type }) => type !== 'row');

describe('the dashboard', () => {
  test.each(drawn.map((panel) => [panel.title, panel] as const))(
    '“%s” queries existing metrics',
    (_title, { targets, datasource }) => {
      expect(datasource!.uid).toBe('${datasource}');
      expect(targets!.length).toBeGreaterThan(0);
      for (const { expr, legendFormat, datasource: source } of targets!) {
        expect(source.uid).toBe('${datasource}');
        const labels = check(expr);
        for (const [, label] of legendFormat.matchAll(/\{\{(\w+)\}\}/g))
          expect([expr, labels]).toEqual([expr, expect.arrayContaining([label])]);
      }
    },
  );

  test('has a row for each concern, and panels that neither overlap nor share an id', () => {
    expect(dashboard.panels.filter(({ type }) => type === 'row').map(({ title }) => title)).toEqual([
      'Overview',
      'Traffic',
      'Errors',
      'Latency',
      'Validation',
      'Process',
      'Archive and logs',
      'Events and event streams',
      'Webhooks',
      'Assistant',
      'Tokens',
      'Live platforms',
      'Several instances',
    ]);
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
    const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, place) => `${x + (place % w)}:${y + Math.floor(place / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(Math.max(...dashboard.panels.map(({ gridPos: { x, w } }) => x + w))).toBe(24);
  });

  test('lets the reader select the data source, the job and the instance', () => {
    expect(dashboard.templating.list.map(({ name, type }) => [name, type])).toEqual([
      ['datasource', 'datasource'],
      ['job', 'query'],
      ['instance', 'query'],
    ]);
    for (const { definition } of dashboard.templating.list.slice(1)) {
      const [, metric] = /^label_values\((\w+)/.exec(definition!)!;
      expect(shown.types.has(metric!)).toBe(true);
    }
    for (const { expr } of dashboard.annotations.list) check(expr);
  });

  test('shows every metric of the service', () => {
    const asked = new Set(
      dashboard.panels.flatMap(({ targets = [] }) => targets.flatMap(({ expr }) => expr.match(/\w+(?=\{)/g)!)),
    );
    const missing = [...shown.types.keys()].filter(
      (name) =>
        !/^(nodejs|process)_/.test(name) && !['', '_bucket', '_count', '_sum'].some((part) => asked.has(name + part)),
    );
    expect(missing).toEqual([]);
  });
});

describe('the alerts', () => {
  test.each(rules.map((rule) => [rule.alert, rule] as const))(
    '%s queries existing metrics, and has an instruction',
    (_alert, { expr, labels, annotations }) => {
      const known = check(expr);
      expect(['page', 'ticket']).toContain(labels.severity);
      expect(annotations.description.length).toBeGreaterThan(20);
      for (const [, label] of annotations.summary.matchAll(/\$labels\.(\w+)/g))
        expect([expr, known]).toEqual([expr, expect.arrayContaining([label])]);
    },
  );

  testWith(['promtool'], 'are rules that Prometheus accepts, in a configuration that it accepts', async () => {
    const checked = await runProgram('promtool', [
      'check',
      'config',
      new URL('prometheus/prometheus.yml', deploy).pathname,
    ]);
    expect(checked).toMatchObject({ code: 0, output: expect.stringContaining(`${rules.length} rules found`) });
  });

  testWith(['promtool'], 'wake someone when they should, and nobody else', async () => {
    const { code, output } = await runProgram('promtool', [
      'test',
      'rules',
      new URL('alerts.test.yml', import.meta.url).pathname,
    ]);
    expect([code, output]).toEqual([0, expect.stringContaining('SUCCESS')]);
  });
});

describe('/metrics', () => {
  /** Names that @prometheus-io/client chose. */
  const foreign = /^nodejs_active_(handles|requests|resources)_total\b/;

  test('has a type, a help text and a valid Prometheus name for every metric', () => {
    for (const [name, type] of shown.types) {
      expect([name, shown.helps.get(name)!.length > 5]).toEqual([name, true]);
      expect(name).toMatch(/^[a-z]+(_[a-z0-9]+)+$/);
      if (!foreign.test(name)) expect([name, name.endsWith('_total')]).toEqual([name, type === 'counter']);
      if (type === 'histogram') expect(name).toMatch(/_(seconds|bytes)$/);
      expect(name).not.toMatch(/_(ms|milliseconds|kb|mb)(_|$)/);
    }
  });

  testWith(['promtool'], 'is what promtool has nothing against', async () => {
    const { output } = await runProgram('promtool', ['check', 'metrics'], text);
    expect(output.split('\n').filter((line) => line !== '' && !foreign.test(line))).toEqual([]);
  });

  test('reports the versions, and validation failures from zero on', () => {
    const of = (name: string): Exposition['series'] => shown.series.filter((each) => each.name === name);
    expect(of('social_data_build_info')).toMatchObject([
      {
        value: 1,
        labels: {
          version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
          contract: expect.stringMatching(/^\d+\.\d+\.\d+/),
        },
      },
    ]);
    const failures = of('http_validation_failures_total');
    expect(failures).toHaveLength(2 * operationIds.length);
    const counted = Object.fromEntries(
      failures
        .filter(({ value }) => value > 0)
        .map(({ labels, value }) => [`${labels.operation} ${labels.side}`, value]),
    );
    expect(counted).toEqual({ 'getTweetReplies request': 1, 'explainTweet request': 1 });
    expect(of('journal_failed').map(({ labels, value }) => [labels.journal, value])).toEqual(
      expect.arrayContaining([
        ['tables', 0],
        ['events', 0],
      ]),
    );
    expect(of('data_directory_free_bytes')[0]!.value).toBeGreaterThan(0);
    const sizes = Object.fromEntries(of('database_file_bytes').map(({ labels, value }) => [labels.part, value]));
    expect(sizes).toEqual({ file: expect.any(Number), log: expect.any(Number) });
    expect(sizes['file']! + sizes['log']!).toBeGreaterThan(100_000);
    const commits = of('journal_sync_duration_seconds_count');
    expect(commits.map(({ labels }) => labels.journal)).toEqual(['archive']);
    expect(commits[0]!.value).toBeGreaterThan(0);
    expect(of('ws_closed_total').find(({ labels }) => labels.code === 'other')).toMatchObject({ value: 1 });
  });

  test('has a bounded number of series for any input', async () => {
    const before = new Set(shown.series.map(({ name, labels }) => name + JSON.stringify(labels)));
    for (let number = 0; number < 20; number++) {
      await (
        await ask(`/social/${number}?x=${number}`, { method: ['GET', 'POST', 'PUT', 'DELETE'][number % 4]! })
      ).arrayBuffer();
      await (
        await ask(`/social/tweet/replies?tweet_id=${number}&limit=${number}`, {
          headers: { 'content-type': `x/${number}` },
        })
      ).arrayBuffer();
    }
    const listening = await listener(server.url, key);
    for (const type of ['x', 'y', 'z']) listening.send(JSON.stringify({ type, id: '1' }));
    await listening.first('error');
    listening.socket.close(4777);
    await listening.closed;
    const after = readExposition(await metrics())
      .series.map(({ name, labels }) => name + JSON.stringify(labels))
      .filter((each) => !before.has(each) && !/^nodejs_(active|gc)/.test(each));
    expect(after.filter((each) => !/"status":"(404|405)"|"type":"(error|invalid)"/.test(each))).toEqual([]);
  });
});
