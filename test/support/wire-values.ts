/** Values as calls carry them: parameters in every place and style, bodies of every media type, each with the schema that describes them. */
import fc, { anyGrapheme } from './property.ts';
import { json } from './extended-contract.ts';

/** A value without files as it is; a file as its name, type and bytes. */
export async function plain(value: unknown): Promise<unknown> {
  if (value instanceof Blob) {
    const name = value instanceof File ? value.name : undefined;
    return { name, type: value.type, bytes: [...new Uint8Array(await value.arrayBuffer())] };
  }
  if (Array.isArray(value)) return Promise.all(value.map(plain));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    await Promise.all(Object.entries(value).map(async ([name, each]) => [name, await plain(each)] as const)),
  );
}

export const text = fc.string({ unit: anyGrapheme, minLength: 1, maxLength: 8 });
export const integer = fc.maxSafeInteger();
export const strings = { type: 'array', items: { type: 'string' } };

/** A kind of values: a schema, and values of it whose texts are those of the place. */
interface Kind {
  readonly schema: object;
  readonly values: (text: fc.Arbitrary<string>) => fc.Arbitrary<unknown>;
}
// No style can write an empty list or object: it is the same as one that is not given, or as one empty text.
export const listOf = <Value>(item: fc.Arbitrary<Value>): fc.Arbitrary<Value[]> =>
  fc.array(item, { minLength: 1, maxLength: 4 });
const isGiven = (value: object): boolean => Object.keys(value).length > 0;
const kinds: Readonly<Record<string, Kind>> = {
  text: { schema: { type: 'string' }, values: (each) => each },
  untyped: { schema: {}, values: (each) => each },
  integer: { schema: { type: 'integer' }, values: () => integer },
  number: {
    schema: { type: 'number' },
    values: () => fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
  },
  flag: { schema: { type: 'boolean' }, values: () => fc.boolean() },
  level: { schema: { enum: [1, 2, true, 'x'] }, values: () => fc.constantFrom(1, 2, true, 'x') },
  nullable: { schema: { type: ['integer', 'null'] }, values: () => integer },
  either: {
    schema: { oneOf: [{ type: 'integer' }, { type: 'array', minItems: 2, items: { type: 'boolean' } }] },
    values: () => fc.oneof(integer, fc.array(fc.boolean(), { minLength: 2, maxLength: 3 })),
  },
  strings: { schema: strings, values: (each) => listOf(each) },
  integers: { schema: { type: 'array', items: { type: 'integer' } }, values: () => listOf(integer) },
  pair: {
    schema: { type: 'array', prefixItems: [{ type: 'integer' }, { type: 'string' }], items: false },
    values: (each) => fc.tuple(integer, each),
  },
  point: {
    schema: {
      type: 'object',
      additionalProperties: false,
      properties: { x: { type: 'integer' }, y: { type: 'boolean' }, 'z&+': { type: 'string' } },
    },
    values: (each) =>
      fc
        .record({ x: integer, y: fc.boolean(), 'z&+': each }, { requiredKeys: [], noNullPrototype: true })
        .filter(isGiven),
  },
  open: {
    schema: { type: 'object', additionalProperties: { type: 'integer' } },
    values: (each) => fc.dictionary(each, integer, { maxKeys: 3, noNullPrototype: true }).filter(isGiven),
  },
};
export const anyJson = fc
  .json({ maxDepth: 3, stringUnit: anyGrapheme })
  .map((each): unknown => JSON.parse(each))
  // A parameter that is null is not sent.
  .filter((value) => value !== null);

export interface Case {
  readonly place: 'path' | 'query' | 'header' | 'cookie';
  readonly described: object;
  readonly value: fc.Arbitrary<unknown>;
}
const styles = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
} as const;
export const names = { path: 'p', query: 'p', header: 'X-P', cookie: 'p' } as const;

/** The texts that a style can tell from its delimiters; those are not encoded, or the same in the encoding. */
const excluded: Readonly<Record<string, RegExp>> = {
  // RFC 6570, 3.2.5: a dot is not encoded.
  label: /\./,
  spaceDelimited: / /,
  pipeDelimited: /\|/,
  // The names of members stand in brackets.
  deepObject: /[[\]]/,
};
function textFor(place: Case['place'], style: string, name: string): fc.Arbitrary<string> {
  // Headers have no encoding: a comma separates, and spaces around a value do not count (RFC 9110, 5.5).
  if (place === 'header') return text.filter((each) => /^[\x21-\x7e\xa1-\xff]+$/.test(each) && !/[,=]/.test(each));
  // A path of dots is another path for every URL parser. A member with the name of the parameter is the parameter.
  return text.filter((each) => !/^\.+$/.test(each) && each !== name && !excluded[style]?.test(each));
}

/** A parameter in each style of a place, with each kind of values. */
export const casesOf = (place: Case['place'], name: string = names[place]): Case[] => {
  const described = (more: object): object => ({ name, in: place, required: place === 'path', ...more });
  return [
    ...styles[place].flatMap((style) =>
      [true, false].flatMap((explode) =>
        Object.values(kinds).map(({ schema, values }) => ({
          place,
          described: described({ style, explode, schema }),
          value: values(textFor(place, style, name)),
        })),
      ),
    ),
    { place, described: described({ content: json({}) }), value: anyJson },
  ];
};

export const bytes = fc.uint8Array({ maxLength: 300 }).map((each) => new Uint8Array(each));
// In a form, `"` and line ends of a file name are encoded, and a server cannot tell that from the same text; a folder is no part of the name.
const fileName = text.filter((each) => !/["%/\\]/.test(each) && !/^\.+$/.test(each));
const files = fc
  .tuple(bytes, fileName, fc.constantFrom('image/png', 'image/jpeg'))
  .map(([content, name, type]) => new File([content], name, { type }));
export const member = { type: 'string' };
const formSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['name'],
  properties: {
    name: member,
    'odd name&': member,
    count: { type: 'integer' },
    on: { type: 'boolean' },
    tags: strings,
    ids: { type: 'array', items: { type: 'integer' } },
    meta: { type: 'object', properties: { deep: {} } },
    points: { type: 'array', items: { type: 'object' } },
  },
};
const formValues = fc.record(
  {
    name: text,
    'odd name&': text,
    count: integer,
    on: fc.boolean(),
    tags: listOf(text),
    ids: listOf(integer),
    meta: fc.record({ deep: anyJson }, { noNullPrototype: true }),
    points: listOf(fc.record({ x: integer }, { noNullPrototype: true })),
  },
  { requiredKeys: ['name'], noNullPrototype: true },
);
/** A text that may be empty, as a file or a text alone can be. */
const maybeEmpty = fc.string({ unit: anyGrapheme, maxLength: 8 });
const form = 'application/x-www-form-urlencoded';
export const bodies: Readonly<Record<string, { content: object; given: fc.Arbitrary<object>; isWhole?: true }>> = {
  json: { content: json({}), given: fc.record({ body: fc.option(anyJson) }), isWhole: true },
  object: {
    content: json({ type: 'object', properties: { a: {}, b: {} }, additionalProperties: false }),
    given: fc.record({ a: fc.option(anyJson), b: anyJson }, { noNullPrototype: true }),
  },
  patch: {
    content: { 'application/merge-patch+json': { schema: { type: 'object', additionalProperties: true } } },
    given: fc.record({ body: fc.dictionary(text, fc.option(anyJson), { noNullPrototype: true }) }),
    isWhole: true,
  },
  form: { content: { [form]: { schema: formSchema } }, given: formValues },
  styled: {
    content: {
      [form]: {
        schema: formSchema,
        encoding: {
          tags: { style: 'form', explode: false },
          ids: { style: 'pipeDelimited', explode: false },
          name: { contentType: 'text/plain' },
          points: { contentType: 'application/json' },
        },
      },
    },
    given: formValues,
  },
  multipart: {
    content: {
      'multipart/form-data': {
        schema: {
          ...formSchema,
          properties: {
            ...formSchema.properties,
            file: { type: 'string', format: 'binary' },
            files: { type: 'array', items: {} },
            raw: { contentMediaType: 'application/octet-stream' },
          },
        },
        encoding: { file: { contentType: 'image/png, image/jpeg' }, files: { contentType: 'image/*' } },
      },
    },
    given: fc
      .tuple(formValues, fc.record({ file: files, files: listOf(files), raw: bytes }, { requiredKeys: ['file'] }))
      .map(([fields, { raw, ...given }]) => ({
        ...fields,
        ...given,
        ...(raw && { raw: new File([raw], 'raw.bin', { type: 'application/octet-stream' }) }),
      })),
  },
  bytes: {
    content: { 'application/octet-stream': {} },
    given: bytes.map((each) => ({ body: new Blob([each], { type: 'application/octet-stream' }) })),
    isWhole: true,
  },
  image: {
    content: { 'image/*': { schema: { type: 'string', format: 'binary' } } },
    given: bytes.map((each) => ({ body: new Blob([each], { type: 'image/png' }) })),
    isWhole: true,
  },
  csv: { content: { 'text/csv': { schema: member } }, given: fc.record({ body: maybeEmpty }), isWhole: true },
  xml: { content: { 'application/xml': {} }, given: fc.record({ body: maybeEmpty }), isWhole: true },
};
