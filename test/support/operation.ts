/** Calls of operations, and the form of what they answer. */
import { expect } from '@jest/globals';
import { operations } from '../../generated/operations.ts';
import { parametersOfPath, pathWith } from '../../server/contract/path-template.ts';
import type { OperationId } from '../../server/contract/operations.ts';
import type { LocalServer } from './local-server.ts';

/** Calls an operation of a running server: `given` is its query, or its body where it takes one, with its path parameters. */
export function callOperation(
  { url }: Pick<LocalServer, 'url'>,
  key: string,
  id: OperationId,
  given: Record<string, unknown>,
): Promise<Response> {
  const { method, path, body } = operations[id];
  const target = new URL(pathWith(path, given), url);
  const others = Object.entries(given).filter(([name]) => !parametersOfPath(path).includes(name));
  if (!body) for (const [name, value] of others) target.searchParams.set(name, String(value));
  return fetch(target, {
    method: method.toUpperCase(),
    headers: { 'x-api-key': key, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(Object.fromEntries(others)) } : {}),
  });
}

/**
 * Matches what has the form of an example: its members, with values of the same types; where a list has items, at least one like its
 * first. What is null in the example may be anything, and there may be more members.
 */
export function like(example: unknown): unknown {
  if (Array.isArray(example))
    return example.length === 0 ? expect.any(Array) : expect.arrayContaining([like(example[0])]);
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
