/** Messages as a reader wants to see them: JSON, broken into lines only if it is too long for one. */
import { html, type Html } from '../html.ts';

/** Characters of a line that fits beside what is said of the message. */
const most = 64;

function written(value: unknown, indent: string): string {
  const line = JSON.stringify(value).replaceAll(/("(?:[^"\\]|\\.)*")|\{\}|[:,]|[{}]/g, (part, text?: string) => {
    if (text !== undefined || part === '{}') return part;
    return part === '}' ? ' }' : `${part} `;
  });
  if (typeof value !== 'object' || value === null || line.length + indent.length <= most) return line;
  const inner = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((item) => written(item, inner))
    : Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${written(member, inner)}`);
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return `${open}\n${parts.map((part) => inner + part).join(',\n')}\n${indent}${close}`;
}

/** A message, with the names of its members set off. */
export function frame(message: object): Html {
  const parts = written(message, '').split(/("(?:[^"\\]|\\.)*")(?=: )/);
  return html`<pre class="frame" tabindex="0"><code>${parts.map((part, place) => (place % 2 === 1 ? html`<b>${part}</b>` : part))}</code></pre>`;
}
