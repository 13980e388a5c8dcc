/** What a validation proxy saw, and its forms: text, JSON and HTML. */
import { xml } from '../xml.ts';
import type { Violation } from './judge.ts';

/** A violation with how often it occurred. */
export interface CountedViolation extends Violation {
  readonly operation: string;
  readonly times: number;
}

/** The traffic of one operation. */
export interface OperationTraffic {
  readonly operation: string;
  readonly requests: number;
  /** Requests and responses with at least one violation. */
  readonly invalid: number;
}

/** The result of a validation proxy. */
export interface TrafficReport {
  readonly upstream: string;
  readonly operations: readonly OperationTraffic[];
  /** Distinct violations, the most frequent first. */
  readonly violations: readonly CountedViolation[];
  /** Bodies that were not judged: too large, an event stream, an unknown encoding, or too many at once. */
  readonly notJudged: number;
  /** Requests without a response of the server. */
  readonly unanswered: number;
  /** WebSocket connections, which pass through. */
  readonly upgrades: number;
}

/** The maximum number of distinct violations and of operations that are kept. */
const maxDistinct = 1_000;

/** Collects the report. */
export class TrafficLog {
  readonly #operations = new Map<string, { requests: number; invalid: number }>();
  readonly #violations = new Map<string, CountedViolation>();
  readonly count = { notJudged: 0, unanswered: 0, upgrades: 0 };

  add(operation: string, violations: readonly Violation[]): void {
    const known = this.#operations.get(operation) ?? { requests: 0, invalid: 0 };
    known.requests += 1;
    if (violations.length > 0) known.invalid += 1;
    if (this.#operations.size < maxDistinct) this.#operations.set(operation, known);
    for (const violation of violations) {
      const key = [operation, violation.side, violation.pointer, violation.kind].join('\n');
      const before = this.#violations.get(key);
      if (before === undefined && this.#violations.size >= maxDistinct) continue;
      this.#violations.set(key, { ...(before ?? { ...violation, operation }), times: (before?.times ?? 0) + 1 });
    }
  }

  report(upstream: string): TrafficReport {
    const operations = Array.from(this.#operations, ([operation, counts]) => ({ operation, ...counts }));
    const violations = [...this.#violations.values()].toSorted((one, other) => other.times - one.times);
    return { upstream, operations, violations, ...this.count };
  }
}

const counted = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`;

/** One line of what the proxy saw. */
export function summaryOf({ operations, violations, notJudged, unanswered, upgrades }: TrafficReport): string {
  const requests = operations.reduce((sum, each) => sum + each.requests, 0);
  const others = [
    ...(notJudged > 0 ? [`${counted(notJudged, 'body').replace('bodys', 'bodies')} not judged`] : []),
    ...(unanswered > 0 ? [`${unanswered} without a response`] : []),
    ...(upgrades > 0 ? [`${counted(upgrades, 'WebSocket connection')} passed through`] : []),
  ];
  return [`${counted(requests, 'request')}, ${counted(violations.length, 'distinct violation')}`, ...others].join(', ');
}

function textOf(report: TrafficReport): string {
  const lines = report.violations.flatMap(({ operation, side, pointer, message, times }, index) => [
    `${index + 1}. ${side}: ${operation}, ${counted(times, 'time')}`,
    `   ${message}`,
    `   contract  #${pointer}`,
    '',
  ]);
  return [...lines, `${report.upstream}: ${summaryOf(report)}`].join('\n');
}

function htmlOf(report: TrafficReport): string {
  const rows = report.violations.map(
    ({ operation, side, pointer, message, times }) =>
      `<tr><td>${times}</td><td>${side}</td><td>${xml(operation)}</td><td>${xml(message)}</td><td><code>#${xml(pointer)}</code></td></tr>`,
  );
  const operations = report.operations.map(
    ({ operation, requests, invalid }) => `<tr><td>${xml(operation)}</td><td>${requests}</td><td>${invalid}</td></tr>`,
  );
  const table = (heads: readonly string[], body: readonly string[]): string =>
    `<table><thead><tr>${heads.map((head) => `<th scope="col">${head}</th>`).join('')}</tr></thead><tbody>\n${body.join('\n')}\n</tbody></table>`;
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Traffic of ${xml(report.upstream)}</title>
<style>
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif }
body { max-width: 72rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; width: 100%; margin-bottom: 2rem }
th, td { border-bottom: 1px solid #8884; padding: .5rem; text-align: left; vertical-align: top; overflow-wrap: anywhere }
</style>
<h1>Traffic of ${xml(report.upstream)}</h1>
<p><strong>${xml(summaryOf(report))}</strong></p>
<h2>Violations</h2>
${table(['Times', 'Side', 'Operation', 'Violation', 'Contract'], rows)}
<h2>Operations</h2>
${table(['Operation', 'Requests', 'With violations'], operations)}
</html>
`;
}

/** The forms of the report. */
export const trafficReports = {
  text: textOf,
  json: (report: TrafficReport): string => JSON.stringify(report, null, 2),
  html: htmlOf,
} as const satisfies Record<string, (report: TrafficReport) => string>;
