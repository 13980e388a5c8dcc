/** The request of an operation from the arguments of its tool. */
import { writtenValue } from '../../contract/written-value.ts';
import { filledPath, parametersOfPath } from '../../contract/path-template.ts';
import type { Credential } from '../pipeline/credentials.ts';
import type { OperationRequest } from './call-operation.ts';
import { bodyArgument, type Tool } from './tools.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** The arguments that the caller gave: models send null for an argument that they leave out. */
const given = (args: Arguments, isNullable: (name: string) => boolean): [string, unknown][] =>
  Object.entries(args).filter(([name, value]) => value !== undefined && (value !== null || isNullable(name)));

/** The header that a credential was in; none for a credential of the query. */
function headerOf({ place: { in: at, name, scheme }, value }: Credential): [string, string][] {
  if (at === 'cookie') return [['cookie', `${name}=${value}`]];
  if (at === 'query') return [];
  return [[name, scheme === undefined ? value : `${scheme === 'bearer' ? 'Bearer' : scheme} ${value}`]];
}

/**
 * The request of a tool call with the credentials of its caller. An argument that the contract does not have goes into the request
 * too: the operation rejects it with its usual words. Throws InvalidArgument for a parameter of the path that is missing, and for a number that is not exact.
 */
export function requestOf(
  { operation, places }: Tool,
  args: Arguments,
  credentials: readonly Credential[],
  headers: Readonly<Record<string, string>>,
): OperationRequest {
  const { method, path } = operation.entry;
  const { parameters, body, mediaType } = places;
  const values = new Map<string, string>();
  const query: string[] = [];
  const fields: [string, string][] = credentials.flatMap(headerOf);
  const members: [string, unknown][] = [];
  for (const [name, value] of given(args, (each) => body === 'members' && !parameters.has(each))) {
    const parameter = parameters.get(name);
    if ([value].flat().some(isInexact))
      throw new InvalidArgument(
        `parameter '${name}' must be a text: a number with so many digits is not exact in JSON`,
      );
    if (parameter === undefined) {
      if (body === 'members' || (body === 'whole' && name === bodyArgument)) members.push([name, value]);
      else query.push(`${encodeURIComponent(name.toWellFormed())}=${encodeURIComponent(String(value).toWellFormed())}`);
    } else if (parameter.in === 'path') values.set(name, writtenValue(parameter, value));
    else if (parameter.in === 'query') query.push(writtenValue(parameter, value));
    else fields.push([parameter.in === 'cookie' ? 'cookie' : name, writtenValue(parameter, value)]);
  }
  const missing = parametersOfPath(path).find((name) => !values.has(name));
  if (missing !== undefined) throw new InvalidArgument(`parameter '${missing}' is missing`);
  for (const { place, value } of credentials)
    if (place.in === 'query') query.push(`${encodeURIComponent(place.name)}=${encodeURIComponent(value)}`);
  const written = query.filter((pair) => pair !== '').join('&');
  const content = bodyOf(body, members);
  return {
    method: method.toUpperCase(),
    target: `${filledPath(path, values)}${written === '' ? '' : `?${written}`}`,
    headers: {
      ...headers,
      accept: 'application/json, */*;q=0.5',
      ...joined(fields),
      ...(content === undefined ? {} : { 'content-type': mediaType ?? 'application/json' }),
      ...(content === undefined ? {} : { 'content-length': String(Buffer.byteLength(content)) }),
    },
    body: content,
  };
}

/** Whether a program has lost digits of a number, such as an id that an agent sends without quotes: it would name something else. */
const isInexact = (value: unknown): boolean =>
  typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);

/** An argument with which there is no request. */
export class InvalidArgument extends Error {}

function bodyOf(place: Tool['places']['body'], members: readonly (readonly [string, unknown])[]): string | undefined {
  if (place === undefined) return undefined;
  const value = Object.fromEntries(members);
  if (place === 'members') return JSON.stringify(value);
  return bodyArgument in value ? JSON.stringify(value[bodyArgument]) : undefined;
}

/** Header fields by name; several cookies in one. */
function joined(fields: readonly (readonly [string, string])[]): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of fields) headers[name] = name in headers ? `${headers[name]}; ${value}` : value;
  return headers;
}
