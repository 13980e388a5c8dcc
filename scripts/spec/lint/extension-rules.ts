/** The rules of the extensions of operations: `x-repeat`, `x-mcp`, and the names of parameters and members in extensions. */
import { suggestion } from '../../../server/text/nearest-name.ts';
import { normaliseDocument, resolve } from '../../../server/contract/plain-document.ts';
import { escapeKey } from '../../contract-tools/files/index.ts';

type Json = Record<string, unknown>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];

/** A fault by its JSON Pointer; its line and column are added later. */
export interface PointedFault {
  readonly pointer: string;
  readonly rule: string;
  readonly message: string;
  readonly fix: string;
}

/** An operation of a document. */
interface Place {
  readonly document: Json;
  readonly operation: Json;
  readonly id: string;
  readonly pointer: string;
}

/** The operations of a document; none where its references are broken, which other rules report. */
function operationsOf(contract: Json): Place[] {
  try {
    const document = normaliseDocument(contract);
    return Object.entries(isObject(document.paths) ? document.paths : {}).flatMap(([path, item]) =>
      Object.entries(isObject(item) ? item : {}).flatMap(([method, operation]) =>
        isObject(operation)
          ? [{ document, operation, id: String(operation.operationId), pointer: `/paths/${escapeKey(path)}/${method}` }]
          : [],
      ),
    );
  } catch {
    return [];
  }
}

/** The value that a reference leads to; undefined where it leads nowhere. */
function followed(document: Json, value: unknown): unknown {
  try {
    return resolve<unknown>(document, value as Json);
  } catch {
    return undefined;
  }
}

/** When a failed call may be sent again. */
export const repeats = ['safe', 'refused'];

function repeatFault({ operation, id, pointer }: Place): PointedFault[] {
  const { 'x-repeat': repeat } = operation;
  if (repeats.includes(String(repeat))) return [];
  return [
    {
      pointer: repeat === undefined ? pointer : `${pointer}/x-repeat`,
      rule: 'operation-repeat',
      message: `${id}: x-repeat must be one of ${repeats.join(', ')}`,
      fix: 'write `x-repeat: safe` if the operation changes nothing and costs nothing, else `x-repeat: refused`.',
    },
  ];
}

function mcpFault({ operation, id, pointer }: Place): PointedFault[] {
  const { 'x-mcp': isTool } = operation;
  if (isTool === undefined || typeof isTool === 'boolean') return [];
  return [
    {
      pointer: `${pointer}/x-mcp`,
      rule: 'operation-mcp',
      message: `${id}: x-mcp must be true or false`,
      fix: 'write `x-mcp: false` if agents get no tool for the operation; leave it out if they get one.',
    },
  ];
}

/** The names in the extensions about parameters, with the place of each. */
function groupedNames({ operation, pointer }: Place): { name: string; keyword: string; at: string }[] {
  const lists = ['x-exactly-one-of', 'x-at-least-one-of'].flatMap((keyword) =>
    textsOf(operation[keyword]).map((name, index) => ({ name, keyword, at: `${pointer}/${keyword}/${index}` })),
  );
  const keyword = 'x-requires';
  const requires = Object.entries(isObject(operation[keyword]) ? operation[keyword] : {}).flatMap(([name, names]) => {
    const at = `${pointer}/${keyword}/${escapeKey(name)}`;
    const inner = textsOf(names).map((other, index) => ({ name: other, keyword, at: `${at}/${index}` }));
    return [{ name, keyword, at }, ...inner];
  });
  return [...lists, ...requires];
}

/** The parameters of an operation, with references resolved. */
const parametersOf = ({ document, operation }: Place): Json[] =>
  (Array.isArray(operation.parameters) ? operation.parameters : [])
    .map((each) => followed(document, each))
    .filter(isObject);

function groupFaults(place: Place): PointedFault[] {
  const { id } = place;
  const names = parametersOf(place).flatMap((parameter) =>
    parameter.in === 'query' && typeof parameter.name === 'string' ? [parameter.name] : [],
  );
  return groupedNames(place)
    .filter(({ name }) => !names.includes(name))
    .map(({ name, keyword, at }) => ({
      pointer: at,
      rule: 'extension-name',
      message: `${keyword} of ${id} names '${name}', which is no query parameter of the operation.`,
      fix: `name one of its parameters${suggestion(name, names) || ` (${names.join(', ') || 'it has none'})`}`,
    }));
}

/** The properties of a schema with their schemas, those of `allOf` included. */
function propertiesOf(document: Json, schema: unknown, depth = 0): [string, unknown][] {
  const target = followed(document, schema);
  if (!isObject(target) || depth > 20) return [];
  const parts = Array.isArray(target.allOf) ? target.allOf : [];
  return [
    ...Object.entries(isObject(target.properties) ? target.properties : {}),
    ...parts.flatMap((part) => propertiesOf(document, part, depth + 1)),
  ];
}

const json = 'application/json';
const isOtherNameOfJson = (name: string): boolean => name !== json && name.split(';')[0]?.trim().toLowerCase() === json;

/** The names of JSON that the tools do not read, such as `Application/JSON` or one with a charset. */
export function mediaTypeFaults(part: unknown, pointer: string): PointedFault[] {
  const names = isObject(part) && isObject(part.content) ? Object.keys(part.content) : [];
  return names.filter(isOtherNameOfJson).map((name) => ({
    pointer: `${pointer}/content/${escapeKey(name)}`,
    rule: 'media-type-name',
    message: `'${name}' is ${json} under another name.`,
    fix: `write ${json}: JSON has no charset, and tools compare the names letter by letter.`,
  }));
}

function itemsFault({ document, operation, id, pointer }: Place): PointedFault[] {
  const { 'x-items': items, responses } = operation;
  if (items === undefined) return [];
  const response = followed(document, isObject(responses) ? responses['200'] : undefined);
  const media = isObject(response) && isObject(response.content) ? response.content : {};
  const content = media[json];
  // Another rule reports JSON under another name.
  if (content === undefined && Object.keys(media).some(isOtherNameOfJson)) return [];
  const lists = propertiesOf(document, isObject(content) ? content.schema : undefined).flatMap(([name, schema]) => {
    const target = followed(document, schema);
    return isObject(target) && [target.type].flat().includes('array') ? [name] : [];
  });
  if (lists.includes(String(items))) return [];
  return [
    {
      pointer: `${pointer}/x-items`,
      rule: 'extension-name',
      message: `x-items of ${id} names '${String(items)}', which is no list of its 200.`,
      fix: `name one of its lists${suggestion(String(items), lists) || ` (${lists.join(', ') || 'it has none'})`}`,
    },
  ];
}

/** A link and its JSON Pointer. */
interface PlacedLink {
  readonly link: Json;
  readonly at: string;
}

/** The links of the responses of an operation, and those of the components. */
function linksOf(document: Json, places: readonly Place[]): PlacedLink[] {
  const inOperations = places.flatMap(({ operation, pointer }) =>
    Object.entries(isObject(operation.responses) ? operation.responses : {}).flatMap(([status, response]) =>
      Object.entries(isObject(response) && isObject(response.links) ? response.links : {}).map(([name, link]) => ({
        link,
        at: `${pointer}/responses/${status}/links/${escapeKey(name)}`,
      })),
    ),
  );
  const { links } = isObject(document.components) ? document.components : {};
  const named = Object.entries(isObject(links) ? links : {}).map(([name, link]) => ({
    link,
    at: `/components/links/${escapeKey(name)}`,
  }));
  return [...inOperations, ...named].flatMap(({ link, at }) => (isObject(link) ? [{ link, at }] : []));
}

/** The links that lead to no operation, or give a parameter that it does not have: left behind by a removal or a new name. */
export function linkFaults(document: Json): PointedFault[] {
  const places = operationsOf(document);
  const byId = new Map(places.map((place) => [place.id, place]));
  return linksOf(document, places).flatMap(({ link, at }): PointedFault[] => {
    if (typeof link.operationId !== 'string') return [];
    const target = byId.get(link.operationId);
    if (target === undefined)
      return [
        {
          pointer: `${at}/operationId`,
          rule: 'link-target',
          message: `The link leads to '${link.operationId}', which is no operation.`,
          fix: `name an operation, or delete the link${suggestion(link.operationId, [...byId.keys()])}`,
        },
      ];
    const names = parametersOf(target).flatMap(({ name }) => (typeof name === 'string' ? [name] : []));
    return Object.keys(isObject(link.parameters) ? link.parameters : {})
      .filter((name) => !names.includes(name.replace(/^(?:path|query|header|cookie)\./, '')))
      .map((name) => ({
        pointer: `${at}/parameters/${escapeKey(name)}`,
        rule: 'link-target',
        message: `The link gives '${name}', which is no parameter of ${target.id}.`,
        fix: `name one of its parameters${suggestion(name, names) || ` (${names.join(', ') || 'it has none'})`}`,
      }));
  });
}

/**
 * The faults of the extensions of all operations. `x-repeat` is demanded where the document declares `x-scopes`: other
 * documents do not have the extensions of this project.
 */
export const extensionFaults = (document: Json): PointedFault[] =>
  operationsOf(document).flatMap((place) => [
    ...(isObject(document['x-scopes']) ? repeatFault(place) : []),
    ...mcpFault(place),
    ...groupFaults(place),
    ...itemsFault(place),
  ]);
