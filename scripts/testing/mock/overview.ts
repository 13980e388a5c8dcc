/** The start-up text of the mock: its operations and an example call. */
import type { OperationId } from '../../../server/contract/operations.ts';
import { operationTable } from '../../../server/contract/operation-table.ts';
import { securitySchemes } from '../../../server/contract/security-schemes.ts';
import { operationMetadata, type OpenApiDocument } from '../../../server/contract/openapi.ts';

/** The error status for the example call: 409 if declared, otherwise the last error. */
function exampleStatus(document: OpenApiDocument, id: string): number | undefined {
  const errors = [...operationMetadata(document)[id as OperationId].statuses].filter((status) => status >= 400);
  return errors.includes(409) ? 409 : errors.at(-1);
}

/** A call that succeeds; undefined when the document lacks examples for its required parameters. */
function exampleTarget(document: OpenApiDocument, id: string): string | undefined {
  const { entry: row, parameters } = operationMetadata(document)[id as OperationId];
  if (row.method !== 'get' || row.path.includes('{')) return undefined;
  const wanted = [...row.required, ...row.exactlyOneOf.slice(0, 1)];
  const given = (wanted.length === 0 ? row.parameters.slice(0, 1) : wanted).map(
    (name) => [name, parameters.get(name)?.example] as const,
  );
  if (given.some(([, value]) => value === undefined)) return undefined;
  const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString();
  return query === '' ? row.path : `${row.path}?${query}`;
}

/** The option of curl for a key, by the first security scheme of the contract. */
function credentialOf(document: OpenApiDocument, key: string): string {
  const [scheme] = securitySchemes(document).values();
  if (scheme === undefined) return '';
  if (scheme.type !== 'apiKey') return `-H 'Authorization: Bearer ${key}' `;
  return scheme.in === 'header' ? `-H '${scheme.name}: ${key}' ` : `--url-query '${scheme.name}=${key}' `;
}

/** The operations of the document and an example call. `key` is a valid key; undefined when the mock accepts any. */
export function overview(document: OpenApiDocument, url: string, key: string | undefined): string {
  const rows = Object.entries(operationTable(document));
  const longest = Math.max(0, ...rows.map(([, { path }]) => path.length));
  const table = rows.map(
    ([id, { method, path }]) => `  ${method.toUpperCase().padEnd(7)}${path.padEnd(longest)}  ${id}`,
  );
  const [id, target] =
    rows.map(([id]) => [id, exampleTarget(document, id)] as const).find(([, found]) => found !== undefined) ?? [];
  const header = credentialOf(document, key ?? 'any');
  const status = id === undefined ? undefined : exampleStatus(document, id);
  const call = target === undefined ? [] : [`try: curl ${header}'${url}${target}'`];
  const preferring =
    target === undefined || status === undefined
      ? []
      : [`     curl ${header}-H 'Prefer: code=${status}' '${url}${target}'`];
  return [`docs: ${url}/docs`, ...table, ...call, ...preferring].join('\n');
}
