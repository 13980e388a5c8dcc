/** The methods of the client, called with the examples of the contract. */
import type { OperationRow } from '../../client/src/contract.ts';
import type { SocialDataClient } from '../../client/src/index.ts';
import { methodNameOf } from '../../client/src/method-name.ts';
import { table } from '../../generated/client.ts';
import { operations } from '../../generated/operations.ts';
import type { OperationId } from '../../server/contract/operations.ts';
import { exampleCall } from './contract.ts';

type Call = (given: unknown, options?: { headers: Record<string, string> }) => PromiseLike<unknown>;

/** The row of an operation in the table of the client. */
function rowOf(id: OperationId): OperationRow {
  const { method, path } = operations[id];
  const rows: Readonly<Record<string, OperationRow>> = table;
  const row = rows[`${method} ${path}`];
  if (row === undefined) throw new Error(`the client has no method for ${id}`);
  return row;
}

/** The name of the method of an operation: `user.lastTweets`. */
export const clientName = (id: OperationId): string => rowOf(id).name ?? methodNameOf(operations[id].path).join('.');

/** The method of an operation. */
export function clientMethod(client: SocialDataClient, id: OperationId): Call {
  const [group = '', name = ''] = clientName(id).split('.');
  const method = (client as unknown as Record<string, Record<string, Call>>)[group]?.[name];
  if (method === undefined) throw new Error(`the client has no method ${group}.${name}`);
  return method;
}

/** The argument of this method for the example of the contract. */
export function clientArgument(id: OperationId): Record<string, unknown> {
  const { path, query, headers, cookies, body } = exampleCall(id);
  const isWhole = rowOf(id).wire?.whole === true;
  // Its examples are of two kinds of calls.
  const needed = id === 'explainTweet' ? { tweet_id: '1890000000000000001' } : {};
  const given = { ...path, ...query, ...headers, ...cookies, ...needed };
  return isWhole ? { ...given, body } : { ...given, ...(body as object) };
}
