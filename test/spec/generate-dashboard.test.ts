/** The dashboard for Grafana, made of a list of panels. */
import { expect, test } from '@jest/globals';
import { dashboardOf } from '../../scripts/spec/generate-dashboard.ts';

const panel = (id: number): string => `    - panel: { id: ${id}, title: Panel ${id}, unit: ops }
      lines:
        - '{{kind}}': sum by (kind) (rate(things_total{}[]))
        - '500': max(things{status="500"}[5m])
`;
const section = (panels: string): string => `- section: { id: 9, title: Things }\n  panels:\n${panels}`;

test('draws three panels in a line, of which the last shares the width, and completes their expressions', () => {
  const { panels } = JSON.parse(dashboardOf(section([1, 2, 3, 4, 5].map(panel).join('')))) as {
    panels: { id: number; gridPos: object; targets?: { refId: string; expr: string; legendFormat: string }[] }[];
  };
  expect(panels.map(({ id, gridPos }) => [id, gridPos])).toEqual([
    [9, { h: 1, w: 24, x: 0, y: 0 }],
    [1, { h: 8, w: 8, x: 0, y: 1 }],
    [2, { h: 8, w: 8, x: 8, y: 1 }],
    [3, { h: 8, w: 8, x: 16, y: 1 }],
    [4, { h: 8, w: 12, x: 0, y: 9 }],
    [5, { h: 8, w: 12, x: 12, y: 9 }],
  ]);
  expect(panels[1]!.targets!.map(({ refId, expr, legendFormat }) => [refId, expr, legendFormat])).toEqual([
    ['A', 'sum by (kind) (rate(things_total{job="$job",instance=~"$instance"}[$__rate_interval]))', '{{kind}}'],
    ['B', 'max(things{job="$job",instance=~"$instance",status="500"}[5m])', '500'],
  ]);
});

test('names a panel that lacks something', () => {
  expect(() => dashboardOf(section('    - panel: { id: 1, title: Half, unit: ops }\n'))).toThrow(/lines: .*"Half"/);
});
