/** The newest results as Markdown tables: the numbers of the page, to read beside the code. */
import { markdownTable, median } from '../table.ts';
import {
  byMetric,
  measuredAt,
  ourselves,
  ratiosOf,
  shown,
  type BenchResult,
  type ResultFile,
  type Row,
} from './result.ts';

const megabyte = 1e6;

/** The unit in which the tables show the rows of a metric, and its size in the unit of the rows. */
function unitOf(rows: readonly Row[]): [unit: string, size: number] {
  const unit = rows[0]?.unit ?? '';
  const isLarge = rows.some(({ values }) => median(values) >= megabyte);
  return unit === 'bytes' && isLarge ? ['MB', megabyte] : [unit, 1];
}

/** The median of a peer, and in brackets how many times as good the service is. */
function peerCell(ours: Row | undefined, peer: Row, size: number): string {
  const value = shown(median(peer.values) / size);
  const ratios = ours === undefined ? [] : ratiosOf(ours, peer);
  return ratios.length === 0 ? value : `${value} (${shown(Number(median(ratios).toPrecision(2)))})`;
}

/** One line for each metric, one column for each subject. */
function tableOf(rows: readonly Row[]): string {
  const peers = new Set(rows.map(({ subject }) => subject).filter((subject) => subject !== ourselves));
  return markdownTable(
    Array.from(byMetric(rows), ([metric, same]) => {
      const [unit, size] = unitOf(same);
      const ours = same.find(({ subject }) => subject === ourselves);
      const cells = Array.from(peers, (peer) => {
        const row = same.find(({ subject }) => subject === peer);
        return [peer, row === undefined ? '' : peerCell(ours, row, size)];
      });
      return {
        metric,
        unit,
        [ourselves]: ours === undefined ? '' : shown(median(ours.values) / size),
        ...Object.fromEntries(cells),
      };
    }),
  );
}

function sectionOf({ bench, rows, problem }: BenchResult): string {
  const parts = [`## ${bench}`];
  if (problem !== undefined) parts.push(`**Not complete:** ${problem}`);
  if (rows.length > 0) parts.push(tableOf(rows));
  return parts.join('\n\n');
}

/** The tables of the newest result. `files`: oldest version first. */
export function tablesOf(files: readonly ResultFile[]): string {
  const newest = files.at(-1);
  const head = `# Results

<!-- Written by \`npm run bench -- page\`. -->
`;
  if (newest === undefined) return `${head}\nThere are no results yet: \`npm run bench -- --all --json\`.\n`;
  const quick = newest.isQuick ? ' **A trial with a small load: the values are no measurements.**' : '';
  return `${head}
${measuredAt(newest)}${quick}

Each value is the median of its rounds. The number in brackets says how many times as good as the peer the service was in the same rounds (above 1 it is
better); it carries over to other machines, the values themselves do not. [\`index.html\`](index.html) has plots, quartiles and all versions, and the
[page above](../README.md) says what each benchmark does.

${newest.benches.map(sectionOf).join('\n\n')}
`;
}
