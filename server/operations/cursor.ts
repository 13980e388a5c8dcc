/**
 * Cursors: where a page ended, sealed for the operation and the parameters it belongs to. A cursor is the position and an HMAC
 * over position, operation and parameters: it cannot be made, changed or moved to another query, and the server keeps nothing.
 */
import { timingSafeEqual } from 'node:crypto';
import type { OperationId } from '../contract.ts';
import { badRequest } from '../errors.ts';
import type { Position } from '../platforms/platform.ts';
import { createMac } from './mac.ts';

type Parameters = Readonly<Record<string, unknown>>;

export interface Cursors {
  seal(operation: OperationId, parameters: Parameters, position: Position): string;
  /** Throws 400 for a cursor that is broken, or that another operation, query or server gave. */
  open(operation: OperationId, parameters: Parameters, cursor: string): Position;
}

/** `secret` must outlive a restart, or every cursor breaks with it; at least 32 bytes. */
export function createCursors(secret: Buffer): Cursors {
  const macOf = createMac(secret);
  const sealed = (operation: OperationId, parameters: Parameters, position: string): string => {
    // `cursor` is what is being sealed, and the size of a page may change on the way.
    const bound = Object.entries(parameters).filter(([name]) => name !== 'cursor' && name !== 'limit').sort();
    const mac = macOf(JSON.stringify([operation, bound, position])).subarray(0, 16);
    return `${Buffer.from(position).toString('base64url')}.${mac.toString('base64url')}`;
  };
  return {
    seal(operation, parameters, position) {
      return sealed(operation, parameters, JSON.stringify(position));
    },
    open(operation, parameters, cursor) {
      const position = Buffer.from(cursor.split('.')[0]!, 'base64url').toString();
      const given = Buffer.from(cursor);
      const expected = Buffer.from(sealed(operation, parameters, position));
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
        throw badRequest("'cursor' is not one that this query gave; send next_cursor back unchanged, with the same parameters, or leave it out");
      }
      return JSON.parse(position) as Position;
    },
  };
}
