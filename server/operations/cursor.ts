/**
 * Cursors: where a page ended, sealed for the operation and the parameters it belongs to. A cursor is the position and
 * a MAC over position, operation and parameters: it cannot be made, changed or moved to another query, and the server
 * keeps nothing.
 */
import { hash, timingSafeEqual } from 'node:crypto';
import type { OperationId } from '../contract/operations.ts';
import { badRequest } from '../contract/service-error.ts';
import type { Position } from '../ports/platform.ts';

/** Characters of a MAC: 132 bits. */
const macLength = 22;

type Parameters = Readonly<Record<string, unknown>>;

export interface Cursors {
  seal(operation: OperationId, parameters: Parameters, position: Position): string;
  /** Throws 400 for a cursor that is broken, or that another operation, query or server gave. */
  open(operation: OperationId, parameters: Parameters, cursor: string): Position;
}

/** `secret` must outlive a restart, or every cursor breaks with it; at least 32 bytes. */
export function createCursors(secret: Buffer): Cursors {
  const key = secret.toString('base64');
  const sign = (operation: OperationId, parameters: Parameters, position: string): string => {
    // `cursor` is what is being sealed, and the size of a page may change on the way.
    const bound = Object.entries(parameters)
      .filter(([name]) => name !== 'cursor' && name !== 'limit')
      .sort();
    // SHA-512/256 gives out half of its state, so that nobody can go on from a hash to that of a longer text, as one
    // can with SHA-256: the key in front is enough, for a fifth of what HMAC's two passes take.
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
          "'cursor' is not one that this query gave; send next_cursor back unchanged, with the same parameters, or leave it out",
        );
      }
      return JSON.parse(position) as Position;
    },
  };
}
