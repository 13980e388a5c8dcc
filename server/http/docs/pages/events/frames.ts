/** Formats messages as JSON that is broken into lines only where it is too long for one. */
import { html, type Html } from '../html.ts';

/** Maximum length of a line that fits beside the description of the message. */
const maxLineLength = 64;

function format(value: unknown, indent: string): string {
  const line = JSON.stringify(value).replaceAll(/("(?:[^"\\]|\\.)*")|\{\}|[:,]|[{}]/g, (part, text?: string) => {
    if (text !== undefined || part === '{}') return part;
    return part === '}' ? ' }' : `${part} `;
  });
  if (typeof value !== 'object' || value === null || line.length + indent.length <= maxLineLength) return line;
  const inner = `${indent}  `;
  const parts = Array.isArray(value)
    ? value.map((item) => format(item, inner))
    : Object.entries(value).map(([name, member]) => `${JSON.stringify(name)}: ${format(member, inner)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open!}\n${parts.map((part) => inner + part).join(',\n')}\n${indent}${close!}`;
}

/** Formats a message, with its member names highlighted. */
export function frame(message: object): Html {
  const parts = format(message, '').split(/("(?:[^"\\]|\\.)*")(?=: )/);
  return html`<pre
    class="frame"
    tabindex="0"
  ><code>${parts.map((part, index) => (index % 2 === 1 ? html`<b>${part}</b>` : part))}</code></pre>`;
}
