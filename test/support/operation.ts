/** Calls of operations, and the form of what they answer. */
import { expect } from '@jest/globals';
import type { CallValues } from '../../scripts/contract-tools/example-call.ts';
import type { OperationId } from '../../server/contract/operations.ts';
import { requestOf } from './contract.ts';
import type { LocalServer } from './local-server.ts';

/** Calls an operation of a running server with the values that its handler gets. A redirect is the response. */
export function callOperation(
  { url }: Pick<LocalServer, 'url'>,
  key: string,
  id: OperationId,
  call: CallValues,
): Promise<Response> {
  const { target, init } = requestOf(id, call);
  return fetch(url + target, { ...init, headers: { ...init.headers, 'x-api-key': key }, redirect: 'manual' });
}

/**
 * Matches what has the form of an example: its members, with values of the same types; a list of objects has at least one like
 * its first. What is null in the example may be anything, and there may be more members.
 */
export function like(example: unknown): unknown {
  if (example === null) return null;
  if (Array.isArray(example)) {
    const [first] = example as unknown[];
    return typeof first === 'object' && first !== null ? expect.arrayContaining([like(first)]) : expect.any(Array);
  }
  if (typeof example === 'object' && example !== null)
    return expect.objectContaining(
      Object.fromEntries(
        Object.entries(example).flatMap(([name, value]) => (value === null ? [] : [[name, like(value)]])),
      ),
    );
  return expect.any(
    { string: String, number: Number, boolean: Boolean }[typeof example as 'string' | 'number' | 'boolean'],
  );
}
