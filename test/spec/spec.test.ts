import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import archive from '../../generated/archive.json' with { type: 'json' };
import asyncapi from '../../generated/asyncapi.json' with { type: 'json' };
import openapi from '../../generated/openapi.json' with { type: 'json' };
import { operations } from '../../generated/operations.ts';
import { lintSpec } from '../../scripts/spec/lint/lint.ts';

const root = new URL('../../', import.meta.url);
const run = promisify(execFile);

test('the spec passes the strict lint, and generated/ is up to date', async () => {
  const { stdout } = await run(process.execPath, ['scripts/spec/generate.ts', '--check'], { cwd: root });
  expect(stdout).toContain('up to date');
});

test.each([
  ['openapi.yaml', 'value: { success: true }', 'value: { success: "yes" }'],
  ['asyncapi.yaml', 'action: receive', 'action: recieve'],
  ['asyncapi.yaml', 'openapi.yaml#/components/schemas/WsPing', 'openapi.yaml#/components/schemas/WsPign'],
  ['asyncapi.yaml', 'messages/pong', 'messages/pogn'],
  ['redocly.yaml', 'no-server-example.com', 'no-server-exampel.com'],
])('%s is rejected with the position of the violation: %s as %s', async (file, right, wrong) => {
  const directory = await mkdtemp(join(tmpdir(), 'spec-'));
  try {
    await cp(new URL('spec/', root), join(directory, 'spec'), { recursive: true });
    const text = await readFile(join(directory, 'spec', file), 'utf8');
    await writeFile(join(directory, 'spec', file), text.replace(right, wrong));
    const { faults } = await lintSpec(directory);
    expect(faults).toContainEqual(
      expect.objectContaining({ file: `spec/${file}`, line: expect.any(Number), column: expect.any(Number) }),
    );
  } finally {
    await rm(directory, { recursive: true });
  }
});

type Schema = { type?: unknown; additionalProperties?: unknown; properties?: Record<string, Schema>; items?: Schema };

test('every object schema is closed, so the server sends no undeclared member', () => {
  const open: string[] = [];
  const visit = (name: string, schema: Schema): void => {
    if (schema.type === 'object' && schema.additionalProperties !== false) open.push(name);
    for (const [member, inner] of Object.entries(schema.properties ?? {})) visit(`${name}.${member}`, inner);
    if (schema.items) visit(`${name}[]`, schema.items);
  };
  for (const [name, schema] of Object.entries(openapi.components.schemas)) visit(name, schema as Schema);
  expect(open).toEqual([]);
});

test('every pattern has a description for error messages', () => {
  const wordless: string[] = [];
  const visit = (value: unknown, place: string): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('pattern' in value && typeof value.pattern === 'string' && value.pattern !== '\\S' && !('x-expected' in value))
      wordless.push(place);
    for (const [name, inner] of Object.entries(value)) visit(inner, `${place}/${name}`);
  };
  visit(openapi, 'openapi.yaml');
  visit(archive, 'archive.yaml');
  expect(wordless).toEqual([]);
});

test.each([
  ['openapi', openapi],
  ['asyncapi', asyncapi],
  ['archive', archive],
])('the description of %s.yaml has at most 12 lines of at most 130 characters', (_name, { info }) => {
  const lines = info.description.trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(12);
  expect(lines.filter((line) => line.length > 130)).toEqual([]);
});

test('every text parameter of a query allows reserved characters', () => {
  const strict = Object.values(openapi.components.parameters)
    .filter(({ schema }) => 'minLength' in schema)
    .filter((parameter) => !('allowReserved' in parameter));
  expect(strict).toEqual([]);
});

test('the contract has at least the 17 operations of the service, at their paths', () => {
  const present = Object.values(operations).map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  expect(present).toEqual(
    expect.arrayContaining([
      'GET /social/assistant/status',
      'GET /social/community/discover',
      'GET /social/community/media',
      'GET /social/community/members',
      'GET /social/space/detail',
      'GET /social/tweet/advanced_search',
      'GET /social/tweet/assistant',
      'GET /social/tweet/info',
      'GET /social/tweet/replies',
      'GET /social/tweet/retweeters',
      'GET /social/tweet/thread',
      'GET /social/user/followings',
      'GET /social/user/highlights',
      'GET /social/user/info',
      'GET /social/user/last_tweets',
      'GET /social/user/mentions',
      'POST /social/tweet/unlike',
    ]),
  );
});

type Numeric = { type?: unknown; format?: unknown; minimum?: number; maximum?: number; const?: unknown };

/** Every schema of the contract whose values are whole numbers, with its place. */
function integerSchemas(value: unknown, place = ''): [string, Numeric][] {
  if (typeof value !== 'object' || value === null) return [];
  const { type } = value as Numeric;
  const own: [string, Numeric][] = [type].flat().includes('integer') ? [[place, value]] : [];
  return [...own, ...Object.entries(value).flatMap(([key, inner]) => integerSchemas(inner, `${place}/${key}`))];
}

test('every integer has the narrowest format for its bounds, because Go, Java and Rust default to 32 bits', () => {
  const all = integerSchemas(openapi);
  expect(all.length).toBeGreaterThan(25);
  const wrong = all.filter(([, { format, minimum, maximum, const: constant }]) => {
    const bounded = constant !== undefined || (minimum !== undefined && maximum !== undefined && maximum < 2 ** 31);
    return format !== (bounded ? 'int32' : 'int64');
  });
  expect(wrong).toEqual([]);
});

test('the list of every page has at most the maximum of `limit` items', () => {
  const limit = openapi.components.parameters.limit.schema.maximum;
  const schemas = openapi.components.schemas as unknown as Record<
    string,
    { properties: Record<string, { maxItems?: number }> }
  >;
  const paged = Object.values(openapi.paths)
    .flatMap((methods) => Object.values(methods))
    .filter((operation) => 'x-items' in operation);
  expect(paged.length).toBe(13);
  for (const { responses, 'x-items': items } of paged as unknown as {
    responses: { 200: Answered };
    'x-items': string;
  }[]) {
    const name = responses[200].content['application/json'].schema.$ref.split('/').at(-1)!;
    expect({ name, maxItems: schemas[name]!.properties[items]!.maxItems }).toEqual({ name, maxItems: limit });
  }
});
type Answered = { content: { 'application/json': { schema: { $ref: string } } } };

test('the values of enumerations have unique names in a generated client', () => {
  type Enumeration = { enum?: unknown[]; 'x-enum-varnames'?: string[] };
  const names = Object.values(openapi.components.schemas as Record<string, Enumeration>).flatMap((schema) => {
    const own = schema['x-enum-varnames'] ?? (schema.enum ?? []).map(String);
    expect(own).toHaveLength(schema.enum?.length ?? 0);
    // Generators drop what may not stand in a name, and write the rest in camel case.
    return own.map((name) => name.replaceAll(/[^A-Za-z0-9]/g, '').toLowerCase());
  });
  expect(names.length).toBeGreaterThan(10);
  expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
});

test('the body of a link is a string or an expression, because openapi-generator rejects objects', () => {
  const links = Object.values(openapi.components.links) as { requestBody?: unknown }[];
  const bodies = links.flatMap(({ requestBody }) => (requestBody === undefined ? [] : [requestBody]));
  expect(bodies.length).toBeGreaterThan(0);
  for (const body of bodies) expect(typeof body).toBe('string');
});
