/** Plots the requests per second: one panel per shape, one bar per server. */
import { style } from '../plot.ts';
import { median } from '../table.ts';
import { contestants, type HttpResults, type Name } from './measure.ts';
import { shapes, type Shape } from './shapes.ts';

const width = 760;
const left = 270;
const right = 80;
const barHeight = 14;
const panelHead = 34;

/** An SVG document for light and dark colour schemes. Each panel has its own scale, from 0. */
export function plotHttp({ full }: HttpResults): string {
  const elements: string[] = [];
  let y = 36;
  for (const shape of Object.keys(shapes) as Shape[]) {
    const bars = (Object.keys(contestants) as Name[]).flatMap((name) => {
      const runs = full[shape][name];
      return runs === undefined ? [] : [{ name, value: median(runs.map(({ perSecond }) => perSecond)) }];
    });
    const max = Math.max(...bars.map(({ value }) => value));
    elements.push(`<text x="12" y="${y + 18}" font-weight="bold">${shapes[shape]}</text>`);
    y += panelHead;
    for (const { name, value } of bars) {
      const length = (value / max) * (width - left - right);
      const kind =
        name === 'bare' ? 'bare' : name === 'service' || name === 'always' || name === 'logging' ? 'service' : 'peer';
      elements.push(
        `<text class="small" x="${left - 10}" y="${y + 11}" text-anchor="end"${name === 'service' ? ' font-weight="bold"' : ''}>${contestants[name]}</text>` +
          `<rect class="${kind}" x="${left}" y="${y}" width="${Math.max(2, length).toFixed(1)}" height="${barHeight}" rx="3"/>` +
          `<text class="small" x="${(left + length + 6).toFixed(1)}" y="${y + 11}">${Math.round(value).toLocaleString('en')}</text>`,
      );
      y += barHeight + 4;
    }
    y += 12;
  }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${y}" width="${width}" height="${y}" role="img" aria-label="Requests per second of this service and of others">
${style({ service: ['#0969da', '#58a6ff'], bare: ['#bc6c00', '#e3a03c'], peer: ['#8c8c8c', '#7d8590'] })}
<text x="12" y="22" font-weight="bold">Requests per second on one core: longer is better</text>
${elements.join('\n')}
</svg>
`;
}
