/**
 * Page cursors. A cursor contains the position at which a page ended and a MAC over position, operation and parameters.
 * A client cannot create or change a cursor or use it for another query, and the server stores no state.
 */
import { hash, timingSafeEqual } from 'node:crypto';
import type { OperationId } from './operations.ts';
import { badRequest } from './service-error.ts';
import type { Position } from './page.ts';

/** Characters of a MAC: 132 bits. */
const macLength = 22;

type Parameters = Readonly<Record<string, unknown>>;

export interface Cursors {
  seal(operation: OperationId, parameters: Parameters, position: Position): string;
  /** Returns the position. Throws 400 for a damaged cursor, or for one of another operation, query or server. */
  open(operation: OperationId, parameters: Parameters, cursor: string): Position;
}

/** `secret`: at least 32 bytes, and the same after a restart: otherwise all issued cursors become invalid. */
export function createCursors(secret: Buffer): Cursors {
  const key = secret.toString('base64');
  const sign = (operation: OperationId, parameters: Parameters, position: string): string => {
    // Leaves out `cursor`, which is the result, and `limit`, which a client may change between pages.
    const bound = Object.entries(parameters)
      .filter(([name]) => name !== 'cursor' && name !== 'limit')
      .sort();
    // SHA-512/256 outputs half of its state, which prevents a length extension attack. So a key prefix is enough, for a
    // fifth of the cost of the two passes of HMAC.
    const mac = hash('sha512-256', key + JSON.stringify([operation, bound, position]), 'base64url').slice(0, macLength);
    return `${Buffer.from(position).toString('base64url')}.${mac}`;
  };
  return {
    seal(operation, parameters, position) {
      return sign(operation, parameters, JSON.stringify(position));
    },
    open(operation, parameters, cursor) {
      const position = Buffer.from(cursor.split('.')[0]!, 'base64url').toString();
      const presented = Buffer.from(cursor);
      const expected = Buffer.from(sign(operation, parameters, position));
      if (presented.length !== expected.length || !timingSafeEqual(presented, expected)) {
        throw badRequest(
          "'cursor' does not belong to this request; send next_cursor unchanged with the same parameters, or leave it out",
        );
      }
      return JSON.parse(position);
    },
  };
}
