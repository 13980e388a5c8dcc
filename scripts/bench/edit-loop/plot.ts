/** The edit loop as a picture: for each way a bar to the new types, and a longer one to the errors. */
import { style } from '../plot.ts';

const width = 760;
const left = 260;
const right = 80;
const rowHeight = 36;
const top = 64;

/** An SVG document that can be read on light and on dark ground; times in seconds. */
export function plotEditLoop(
  rows: readonly { readonly way: string; readonly generated: number; readonly shown: number }[],
): string {
  const most = Math.max(...rows.map(({ shown }) => shown));
  const bar = (kind: string, seconds: number, y: number): string => {
    const length = (seconds / most) * (width - left - right);
    return `<rect class="${kind}" x="${left}" y="${y}" width="${Math.max(2, length).toFixed(1)}" height="10" rx="3"/><text class="small" x="${(left + length + 6).toFixed(1)}" y="${y + 9}">${seconds.toFixed(2)} s</text>`;
  };
  const lines = rows.map(({ way, generated, shown }, index) => {
    const y = top + index * rowHeight;
    return `<text x="${left - 12}" y="${y + 16}" text-anchor="end"${index === 0 ? ' font-weight="bold"' : ''}>${way}</text>${bar('generated', generated, y)}${bar('shown', shown, y + 13)}`;
  });
  const height = top + rows.length * rowHeight + 8;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="The edit loop, beside the same by hand">
${style({ generated: ['#bc6c00', '#e3a03c'], shown: ['#0969da', '#58a6ff'] })}
<text x="12" y="22" font-weight="bold">From a saved spec, a field renamed, to what it means: shorter is better</text>
<rect class="generated" x="12" y="33" width="14" height="10" rx="3"/><text class="small" x="32" y="42">types regenerated</text>
<rect class="shown" x="152" y="33" width="14" height="10" rx="3"/><text class="small" x="172" y="42">type errors shown</text>
${lines.join('\n')}
</svg>
`;
}
