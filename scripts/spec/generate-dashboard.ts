/** The Grafana dashboard, from the panels of server/deploy/grafana/dashboard.yaml: the layout, and what Grafana wants to read of each panel. */
import { parse } from 'yaml';

/** What each kind of panel has. */
interface Described {
  readonly about?: string;
  /** Each an expression by its legend. */
  readonly lines: readonly Readonly<Record<string, string>>[];
}
interface GraphHead {
  readonly id: number;
  readonly title: string;
  readonly unit: string;
  readonly isStacked?: boolean;
}
interface ValueHead extends GraphHead {
  readonly decimals?: number;
  /** The graph behind the value; an area if absent. */
  readonly graph?: 'none';
  /** Whether the legend is shown instead of the value. */
  readonly text?: 'name';
  /** Words for the values 0, 1, … */
  readonly words?: readonly string[];
}
interface Graph extends Described {
  readonly panel: GraphHead;
}
interface Value extends Described {
  readonly value: ValueHead;
  /** The colours, each with the value from which it applies; the first one has none. Blue if absent. */
  readonly colors?: Readonly<Record<string, number | null>>;
}
interface Section {
  readonly section: { readonly id: number; readonly title: string };
  readonly panels: readonly (Graph | Value)[];
}

const datasource = { type: 'prometheus', uid: '${datasource}' };
const width = 24;

/** The expression as Grafana reads it: with the job and the instances of the dashboard, and its range. */
const expanded = (expression: string): string =>
  expression
    .replaceAll(/\{(?!\})/g, '{job="$job",instance=~"$instance",')
    .replaceAll('{}', '{job="$job",instance=~"$instance"}')
    .replaceAll('[]', '[$__rate_interval]');

const targetsOf = (lines: Described['lines']): object[] =>
  lines.flatMap(Object.entries<string>).map(([legendFormat, expression], index) => ({
    refId: String.fromCodePoint(65 + index),
    datasource,
    expr: expanded(expression),
    legendFormat,
  }));

/** How a graph is drawn. */
const graphParts = ({ unit, isStacked = false }: GraphHead): object => ({
  fieldConfig: {
    defaults: {
      unit,
      custom: {
        drawStyle: 'line',
        lineWidth: 1,
        fillOpacity: isStacked ? 25 : 8,
        showPoints: 'never',
        spanNulls: false,
        ...(isStacked ? { stacking: { mode: 'normal', group: 'A' } } : {}),
      },
      min: 0,
    },
    overrides: [],
  },
  options: {
    legend: { displayMode: 'table', placement: 'bottom', calcs: ['lastNotNull', 'max'], sortBy: 'Max', sortDesc: true },
    tooltip: { mode: 'multi', sort: 'desc' },
  },
});

/** How a single value is drawn. */
const valueParts = ({ value: { unit, decimals, graph, text, words }, colors = { blue: null } }: Value): object => ({
  fieldConfig: {
    defaults: {
      unit,
      thresholds: { mode: 'absolute', steps: Object.entries(colors).map(([color, value]) => ({ color, value })) },
      ...(decimals === undefined ? {} : { decimals }),
      ...(words === undefined
        ? {}
        : {
            mappings: [
              {
                type: 'value',
                options: Object.fromEntries(words.map((word, index) => [index, { text: word, index }])),
              },
            ],
          }),
    },
    overrides: [],
  },
  options: {
    colorMode: 'value',
    graphMode: graph ?? 'area',
    justifyMode: 'auto',
    textMode: text ?? 'auto',
    reduceOptions: { calcs: ['lastNotNull'], fields: '', values: false },
  },
});

/** A panel at its place. Throws an Error that names a panel without one of the members that all have. */
function panelOf(panel: Graph | Value, gridPos: object): object {
  const head = 'value' in panel ? panel.value : panel.panel;
  if (head?.id === undefined || head.title === undefined || head.unit === undefined || !Array.isArray(panel.lines))
    throw new Error(`dashboard.yaml: a panel needs id, title, unit and lines: ${JSON.stringify(panel)}`);
  return {
    type: 'value' in panel ? 'stat' : 'timeseries',
    id: head.id,
    title: head.title,
    ...(panel.about === undefined ? {} : { description: panel.about }),
    datasource,
    gridPos,
    ...('value' in panel ? valueParts(panel) : graphParts(head)),
    targets: targetsOf(panel.lines),
  };
}

/** The panels of all sections, each under a line with the title of its section. */
function placed(sections: readonly Section[]): object[] {
  const all: object[] = [];
  let y = 0;
  for (const { section, panels } of sections) {
    const gridPos = { h: 1, w: width, x: 0, y };
    all.push({ type: 'row', ...section, collapsed: false, gridPos, panels: [] });
    y += 1;
    const [perLine, h] = panels.every((panel) => 'value' in panel) ? [8, 4] : [3, 8];
    for (let from = 0; from < panels.length; from += perLine, y += h) {
      const line = panels.slice(from, from + perLine);
      const w = width / line.length;
      all.push(...line.map((panel, index) => panelOf(panel, { h, w, x: index * w, y })));
    }
  }
  return all;
}

/** A variable that the reader chooses from the values of a label. */
const labelVariable = (name: string, label: string, query: string): object => ({
  ...{ name, label, type: 'query', datasource, query: { query, refId: name }, definition: query },
  ...{ refresh: 2, sort: 1, hide: 0, multi: false, includeAll: false, current: {}, options: [], regex: '' },
});

const variables = [
  {
    ...{ name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus', current: {} },
    ...{ hide: 0, refresh: 1, regex: '', options: [], multi: false, includeAll: false },
  },
  labelVariable('job', 'Job', 'label_values(social_data_build_info, job)'),
  {
    ...labelVariable('instance', 'Instance', 'label_values(social_data_build_info{job="$job"}, instance)'),
    ...{ multi: true, includeAll: true, allValue: '.*' },
  },
];

const restarts = {
  ...{ name: 'Restarts', enable: true, datasource, iconColor: 'orange' },
  ...{ expr: 'changes(process_start_time_seconds{job="$job",instance=~"$instance"}[$__interval]) > 0' },
  ...{ step: '60s', titleFormat: 'restart' },
};

/** The dashboard as Grafana imports it, from the text of dashboard.yaml. */
export function dashboardOf(text: string): string {
  const sections = parse(text) as Section[];
  return `${JSON.stringify(
    {
      uid: 'social-data',
      title: 'Social Data',
      description: 'Requests, latency, validation, archive, events and the assistant of the Social Data API.',
      tags: ['social-data'],
      ...{ schemaVersion: 39, version: 1, editable: true, graphTooltip: 1, refresh: '30s' },
      time: { from: 'now-6h', to: 'now' },
      ...{ timezone: '', links: [] },
      annotations: { list: [restarts] },
      templating: { list: variables },
      panels: placed(sections),
    },
    null,
    1,
  )}\n`;
}
