/** Renders the syntax tree of a query: nested lists, each part with its text and its meaning. */
import { element } from '../../browser/element.ts';
import type { Span, Reading } from './reading.ts';

export interface TreeListener {
  /** The pointer or the focus is on a part; undefined when it leaves. */
  highlight(span: Span | undefined): void;
  /** The reader selects a part to edit it. */
  select(span: Span): void;
}

const operatorLabels: Partial<Record<Reading['kind'], string>> = { and: 'AND', or: 'OR', not: 'NOT', rule: 'RULE' };

export function drawTree(reading: Reading, text: string, listener: TreeListener): HTMLElement {
  return element('ul', { class: 'tree' }, [drawPart(reading, text, listener)]);
}

function drawPart({ span, kind, meaning, parts }: Reading, text: string, listener: TreeListener): HTMLElement {
  const label = operatorLabels[kind] ?? text.slice(span?.at ?? 0, span?.end ?? 0);
  const attributes = { class: `part ${kind}` };
  const name =
    span === undefined
      ? element('span', attributes, [label])
      : element('button', { ...attributes, type: 'button' }, [label]);
  const line = element('div', { class: 'line' }, [name, ' ', element('span', { class: 'means' }, [meaning])]);
  if (span !== undefined) {
    for (const event of ['pointerenter', 'focusin']) line.addEventListener(event, () => listener.highlight(span));
    for (const event of ['pointerleave', 'focusout']) line.addEventListener(event, () => listener.highlight(undefined));
    name.addEventListener('click', () => listener.select(span));
    name.title = 'Select this part of the query';
  }
  if (parts.length === 0) return element('li', {}, [line]);
  return element('li', {}, [
    line,
    element(
      'ul',
      {},
      parts.map((each) => drawPart(each, text, listener)),
    ),
  ]);
}
