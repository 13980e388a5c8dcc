/** A museum behind its contract: what a team writes into a new project. By path. */

const handler = (id: string, call: string, body: string, imports: string): string => `${imports}
import type { Handler } from '../contract/operations.ts';
import type { Parts } from './parts.ts';

export const ${id} = (_parts: Parts): Handler<'${id}'> => async (${call}) => {
${body}
};
`;

const state = `import { ServiceError } from './contract/service-error.ts';
import type { Schemas } from './contract/operations.ts';

type Event = Schemas['SpecialEvent'];
const first = 'f3e0e76e-e4a8-466e-ab9c-ae36c15b8e97';
export const events = new Map<string, Event>([
  [first, { eventId: first, name: 'Opening', location: 'Hall', eventDescription: 'We open.', dates: ['2026-05-01'], price: 5 }],
]);

export function eventOf(id: string): Event {
  const event = events.get(id);
  if (event === undefined) throw new ServiceError(404, \`there is no event \${id}\`);
  return event;
}

/** The first bytes of each PNG. */
export const png = Buffer.from('89504e470d0a1a0a', 'hex');
`;

const museum = (...names: string[]): string => `import { ${names.join(', ')} } from '../museum.ts';`;
const randomId = "import { randomUUID } from 'node:crypto';\n";

/** The files of the handlers, and of what they share. */
export const museumFiles: Readonly<Record<string, string>> = {
  'server/museum.ts': state,
  'server/operations/getMuseumHours.ts': handler(
    'getMuseumHours',
    '{ query }',
    "  return [{ date: query.startDate ?? '2026-05-01', timeOpen: '09:00', timeClose: '18:00' }];",
    '',
  ),
  'server/operations/listSpecialEvents.ts': handler(
    'listSpecialEvents',
    '',
    '  return [...events.values()];',
    museum('events'),
  ),
  'server/operations/createSpecialEvent.ts': handler(
    'createSpecialEvent',
    '{ body }',
    '  const event = { ...body, eventId: randomUUID() };\n  events.set(event.eventId, event);\n  return event;',
    randomId + museum('events'),
  ),
  'server/operations/getSpecialEvent.ts': handler(
    'getSpecialEvent',
    '{ path }',
    '  return eventOf(path.eventId);',
    museum('eventOf'),
  ),
  'server/operations/updateSpecialEvent.ts': handler(
    'updateSpecialEvent',
    '{ path, body }',
    '  const event = { ...eventOf(path.eventId), ...body };\n  events.set(path.eventId, event);\n  return event;',
    museum('eventOf', 'events'),
  ),
  'server/operations/deleteSpecialEvent.ts': handler(
    'deleteSpecialEvent',
    '{ path }',
    '  eventOf(path.eventId);\n  events.delete(path.eventId);\n  return { status: 204 };',
    museum('eventOf', 'events'),
  ),
  'server/operations/buyMuseumTickets.ts': handler(
    'buyMuseumTickets',
    '{ body }',
    `  const { ticketType, ticketDate } = body;
  return { ticketId: randomUUID(), ticketType, ticketDate, message: 'bought', confirmationCode: 'ticket-1' };`,
    randomId,
  ),
  'server/operations/getTicketCode.ts': handler(
    'getTicketCode',
    '',
    '  return { status: 200, body: png };',
    museum('png'),
  ),
};
