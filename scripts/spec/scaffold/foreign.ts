/** `npm run scaffold -- --spec FILE`: works with a contract that is not this project's, which has no handlers here. */
import { readFile, writeFile } from 'node:fs/promises';
import { relative } from 'node:path';
import type { Document } from '../contract-document.ts';
import { loadSpec, withoutFaults, filesOf } from '../../contract-tools/files/index.ts';
import { typesOf } from '../generate-types.ts';
import { callTypes } from './call-types.ts';
import { operationsOf, type CallParameter } from './operation.ts';
import { withOperation } from './spec-entry.ts';

const typed = ({ name, type, always }: CallParameter): string => `${name}${always ? '' : '?'}: ${type}`;

/**
 * Adds an operation such as `GET /books/{id}` to the file, if given, and lists all operations with their parameters. `dry`
 * writes nothing. Returns the lines of the output. Throws an Error for the user for a file that cannot be used.
 */
export async function scaffoldForeign(file: string, route: string | undefined, dry: boolean): Promise<string[]> {
  const path = relative('', file) || file;
  const read = async (): Promise<Document> =>
    withoutFaults(await loadSpec(path, filesOf(process.cwd())), 'nothing was written') as Document;
  const lines: string[] = [];
  if (route !== undefined) {
    const { text, operationId } = withOperation(await readFile(path, 'utf8'), route, await read());
    if (!dry) await writeFile(path, text);
    lines.push(
      `${dry ? 'to add' : 'added'} ${operationId} to ${path}: describe it, its parameters and its answer there`,
      '',
    );
  }
  const contract = await read();
  for (const { id, route: place, parameters, body } of operationsOf(contract, callTypes(await typesOf(contract)))) {
    const all = [...parameters.path, ...parameters.query, ...parameters.headers, ...parameters.cookies].map(typed);
    const given = [...all, ...(body === undefined ? [] : [`a body: ${[...new Set(body.values())].join(' | ')}`])].join(
      ', ',
    );
    lines.push(`${id}  ${place}${given === '' ? '' : `  (${given})`}`);
  }
  return lines;
}
