/** Event cursors: positions in the event log, as clients send and receive them. */
import type { Schemas } from '../contract/operations.ts';
import { epochAt, isIn, type EventLog } from '../ports/event-log.ts';
import { MessageError } from './messages.ts';

/** Formats a cursor, `<epoch>.<seq>`: the last event that the client received. */
export const formatCursor = (epoch: string, seq: number): string => `${epoch}.${seq}`;

/** The cursor of a position in a log. */
export const cursorAt = (log: Pick<EventLog, 'epoch' | 'epochAt'>, seq: number): string =>
  formatCursor(epochAt(log, seq), seq);

/** The position after which a subscription starts, and the reason for a gap before it, if any. */
export interface ResumePoint {
  readonly position: number;
  readonly gap: Schemas['WsGap']['reason'] | undefined;
}

const format = /^([\w-]{1,32})\.(\d{1,15})$/;

/** The position of a cursor that is ahead of the log; undefined for another one, also of another epoch. */
export function positionAhead(
  cursor: string,
  { epoch: logEpoch, head }: Pick<EventLog, 'epoch' | 'head'>,
): number | undefined | 'malformed' {
  const [, epoch, seq] = format.exec(cursor) ?? [];
  if (epoch === undefined) return 'malformed';
  return epoch === logEpoch && Number(seq) > head ? Number(seq) : undefined;
}

/** Finds the position of a command's cursor in the log. Throws MessageError for a cursor that cannot be used. */
export function resolveCursor(
  cursor: string,
  { id: command, on_gap: onGap }: Schemas['WsSubscribe'],
  log: Pick<EventLog, 'epoch' | 'epochAt' | 'floor' | 'head' | 'lastOf'>,
): ResumePoint {
  const { floor, head } = log;
  const [, epoch, seq] = format.exec(cursor) ?? [];
  if (epoch === undefined)
    throw new MessageError('bad_params', 400, "'cursor' is not a cursor of this stream", command);
  const oldest = { oldest_cursor: cursorAt(log, floor) };
  if (!isIn(log, epoch, Number(seq))) {
    // What both have in common, the listener has.
    if (onGap === 'continue') return { position: Math.max(floor, log.lastOf?.(epoch) ?? 0), gap: 'epoch' };
    const message =
      "'cursor' belongs to another event log: take what is missing from REST, or subscribe with on_gap 'continue'";
    throw new MessageError('epoch_changed', 410, message, command, oldest);
  }
  const position = Number(seq);
  if (position > head) throw new MessageError('cursor_in_future', 400, "'cursor' is ahead of the event log", command);
  if (position >= floor) return { position, gap: undefined };
  if (onGap === 'continue') return { position: floor, gap: 'retention' };
  const message =
    "'cursor' is older than the event log: take what is missing from REST, or subscribe with on_gap 'continue'";
  throw new MessageError('cursor_too_old', 410, message, command, oldest);
}
