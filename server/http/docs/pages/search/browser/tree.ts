/** Draws how a query is read: a list of lists, each part with its piece of the text and its meaning. */
import { element } from '../../browser/element.ts';
import type { Place, Reading } from './reading.ts';

export interface Pointed {
  /** A part is looked at, by pointer or keyboard; undefined when it is no longer. */
  look(place: Place | undefined): void;
  /** A part is chosen, to be edited. */
  choose(place: Place): void;
}

const joints: Partial<Record<Reading['kind'], string>> = { and: 'AND', or: 'OR', not: 'NOT', rule: 'RULE' };

export function drawTree(reading: Reading, text: string, pointed: Pointed): HTMLElement {
  return element('ul', { class: 'tree' }, [drawPart(reading, text, pointed)]);
}

function drawPart({ place, kind, means, parts }: Reading, text: string, pointed: Pointed): HTMLElement {
  const label = joints[kind] ?? text.slice(place!.at, place!.end);
  const look = { class: `part ${kind}` };
  const name =
    place === undefined ? element('span', look, [label]) : element('button', { ...look, type: 'button' }, [label]);
  const line = element('div', { class: 'line' }, [name, ' ', element('span', { class: 'means' }, [means])]);
  if (place !== undefined) {
    for (const event of ['pointerenter', 'focusin']) line.addEventListener(event, () => pointed.look(place));
    for (const event of ['pointerleave', 'focusout']) line.addEventListener(event, () => pointed.look(undefined));
    name.addEventListener('click', () => pointed.choose(place));
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
