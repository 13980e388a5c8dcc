/** Draws how a query is read: a list of lists, each part with its piece of the text and its meaning. */
import { element } from '../../browser/element.ts';
import type { Span, Reading } from './reading.ts';

export interface TreeListener {
  /** A part is looked at, by pointer or keyboard; undefined when it is no longer. */
  highlight(place: Span | undefined): void;
  /** A part is chosen, to be edited. */
  select(place: Span): void;
}

const joints: Partial<Record<Reading['kind'], string>> = { and: 'AND', or: 'OR', not: 'NOT', rule: 'RULE' };

export function drawTree(reading: Reading, text: string, pointed: TreeListener): HTMLElement {
  return element('ul', { class: 'tree' }, [drawPart(reading, text, pointed)]);
}

function drawPart(
  { span: place, kind, meaning: means, parts }: Reading,
  text: string,
  pointed: TreeListener,
): HTMLElement {
  const label = joints[kind] ?? text.slice(place!.at, place!.end);
  const look = { class: `part ${kind}` };
  const name =
    place === undefined ? element('span', look, [label]) : element('button', { ...look, type: 'button' }, [label]);
  const line = element('div', { class: 'line' }, [name, ' ', element('span', { class: 'means' }, [means])]);
  if (place !== undefined) {
    for (const event of ['pointerenter', 'focusin']) line.addEventListener(event, () => pointed.highlight(place));
    for (const event of ['pointerleave', 'focusout']) line.addEventListener(event, () => pointed.highlight(undefined));
    name.addEventListener('click', () => pointed.select(place));
    name.title = 'Select this part of the query';
  }
  if (parts.length === 0) return element('li', {}, [line]);
  return element('li', {}, [
    line,
    element(
      'ul',
      {},
      parts.map((each) => drawPart(each, text, pointed)),
    ),
  ]);
}
