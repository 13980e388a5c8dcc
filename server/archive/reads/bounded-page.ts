/** Positions in lists by (time, id), newest first, and the ends of pages of lists of which a part may be missing. */
import type { BoundedPageRequest, Position } from '../../contract/page.ts';
import { badRequest } from '../../contract/service-error.ts';

/** Whether an item of this time does not belong to a page of a list of which a part may be missing. */
export const isMissing = ({ newerThan = Number.NEGATIVE_INFINITY }: BoundedPageRequest, at: number): boolean =>
  at <= newerThan;

/**
 * The position after the last item of a list: null at its end. Where there may be more items, the position is before them, and
 * not before that of the request.
 */
export function nextAfterEnd({ after, newerThan }: BoundedPageRequest, last: Position | undefined): Position | null {
  if (newerThan === undefined) return null;
  if (!Number.isFinite(newerThan)) return last ?? after ?? null;
  // Every item of this time is behind the position, because no id is less than 0.
  if (after === undefined || positionIn(after).at > newerThan) return [newerThan + 1, '0'];
  return after;
}

/** Throws 400 for a position of another list. */
export function positionIn(position: Position): { at: number; id: string } {
  const [at, id] = position;
  if (typeof at !== 'number' || typeof id !== 'string') throw badRequest("'cursor' belongs to another data source");
  return { at, id };
}
