/** The tables of /docs/events, derived from asyncapi.yaml and the schemas of openapi.yaml. */
import { operations } from '../../../../../generated/operations.ts';
import { html, type Html } from '../html.ts';
import { row, table } from '../table.ts';
import { list } from '../members.ts';
import type { Protocol } from './protocol.ts';
import { phrase } from '../prose.ts';

type EventsChannel = Protocol['channels']['events'];

const code = (text: string): Html => html`<code>${text}</code>`;

export function channelTable({ 'x-channels': channels }: EventsChannel): Html {
  const rows = Object.entries(channels).map(([name, { description, params, events, data, kind, rest }]) =>
    row(
      html`<span id="${name}">${code(name)}</span>`,
      phrase(description),
      params.length === 0 ? 'none' : list(params.map(code), ' or '),
      list(events.map(code), ', '),
      [code(data), ', as ', code(operations[rest].path)],
      kind === 'log' ? 'replay' : 'current value',
    ),
  );
  return table(['Channel', 'Content', 'Parameter', 'Events', 'Data', 'After a cursor'], [html`${rows}`]);
}

export const eventTable = ({ 'x-events': events }: EventsChannel): Html =>
  table(['Event', 'Meaning'], [html`${Object.entries(events).map(([name, means]) => row(code(name), phrase(means)))}`]);

export function errorTable({ 'x-error-codes': codes }: EventsChannel): Html {
  const rows = Object.entries(codes).map(([name, { status, when, then }]) =>
    row(code(name), list(status, ', '), phrase(when), phrase(then)),
  );
  return table(['Code', 'Status', 'When', 'What to do'], [html`${rows}`]);
}

const reconnectWords = { never: 'only after a change', later: 'after a second or more', now: 'now' };

export function closeTable({ 'x-close-codes': codes }: EventsChannel): Html {
  const rows = Object.entries(codes).map(([name, { reason, when, reconnect, then }]) =>
    row(
      html`<b class="${reconnect}">${name}</b>`,
      [phrase(when), reason === '' ? '' : html` <span class="reason">“${reason}”</span>`],
      reconnectWords[reconnect],
      phrase(then),
    ),
  );
  return table(['Code', 'When, and the reason text', 'Reconnect', 'What to do'], [html`${rows}`]);
}

export function limitTable({ 'x-limits': limits }: EventsChannel): Html {
  const rows = Object.entries(limits).map(([name, { value, means, beyond }]) =>
    row(code(name), html`<span class="number">${value.toLocaleString('en')}</span>`, phrase(means), phrase(beyond)),
  );
  return table(['Limit', 'Default', 'Meaning', 'If exceeded'], [html`${rows}`]);
}

export function keyTable({ components: { securitySchemes } }: Protocol): Html {
  const notation = ({ name = '', in: location, scheme }: (typeof securitySchemes)[string]): string =>
    scheme !== undefined ? 'Authorization: Bearer KEY' : location === 'query' ? `?${name}=KEY` : `${name}: KEY`;
  const rows = Object.values(securitySchemes).map((scheme) => row(code(notation(scheme)), phrase(scheme.description)));
  return table(['Key', 'For'], [html`${rows}`]);
}
