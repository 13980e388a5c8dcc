import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import archive from '../generated/archive.json' with { type: 'json' };
import openapi from '../generated/openapi.json' with { type: 'json' };
import { operations } from '../generated/operations.ts';
import { lintSpec } from '../scripts/lint/lint.ts';

const root = new URL('../', import.meta.url);
const run = promisify(execFile);

test('the spec passes the strict lint, and generated/ is what the spec says', async () => {
  const { stdout } = await run(process.execPath, ['scripts/generate.ts', '--check'], { cwd: root });
  expect(stdout).toContain('up to date');
}, 120_000);

test.each([
  ['openapi.yaml', 'value: { success: true }', 'value: { success: "yes" }'],
  ['asyncapi.yaml', 'action: receive', 'action: recieve'],
  ['asyncapi.yaml', 'openapi.yaml#/components/schemas/WsPing', 'openapi.yaml#/components/schemas/WsPign'],
  ['asyncapi.yaml', 'messages/pong', 'messages/pogn'],
  ['redocly.yaml', 'no-server-example.com', 'no-server-exampel.com'],
])('%s is refused with the place of what breaks a rule: %s as %s', async (file, right, wrong) => {
  const directory = await mkdtemp(join(tmpdir(), 'spec-'));
  try {
    await cp(new URL('spec/', root), join(directory, 'spec'), { recursive: true });
    const text = await readFile(join(directory, 'spec', file), 'utf8');
    await writeFile(join(directory, 'spec', file), text.replace(right, wrong));
    const { faults } = await lintSpec(directory);
    expect(faults).toContainEqual(expect.objectContaining({ file: `spec/${file}`, line: expect.any(Number), column: expect.any(Number) }));
  } finally {
    await rm(directory, { recursive: true });
  }
});

type Schema = { type?: unknown; additionalProperties?: unknown; properties?: Record<string, Schema>; items?: Schema };

test('every object schema is closed: nothing undeclared leaves the server', () => {
  const open: string[] = [];
  const visit = (name: string, schema: Schema): void => {
    if (schema.type === 'object' && schema.additionalProperties !== false) open.push(name);
    for (const [member, inner] of Object.entries(schema.properties ?? {})) visit(`${name}.${member}`, inner);
    if (schema.items) visit(`${name}[]`, schema.items);
  };
  for (const [name, schema] of Object.entries(openapi.components.schemas)) visit(name, schema as Schema);
  expect(open).toEqual([]);
});

test('every pattern has words beside it, which messages show in its place', () => {
  const wordless: string[] = [];
  const visit = (value: unknown, place: string): void => {
    if (typeof value !== 'object' || value === null) return;
    if ('pattern' in value && typeof value.pattern === 'string' && value.pattern !== '\\S' && !('x-expected' in value)) wordless.push(place);
    for (const [name, inner] of Object.entries(value)) visit(inner, `${place}/${name}`);
  };
  visit(openapi, 'openapi.yaml');
  visit(archive, 'archive.yaml');
  expect(wordless).toEqual([]);
});

test('every query parameter of free text allows the reserved characters that callers send', () => {
  const strict = Object.values(openapi.components.parameters)
    .filter(({ schema }) => 'minLength' in schema)
    .filter((parameter) => !('allowReserved' in parameter));
  expect(strict).toEqual([]);
});

test('the contract has the 14 operations of the service, at their paths, whatever was added since', () => {
  const present = Object.values(operations).map(({ method, path }) => `${method.toUpperCase()} ${path}`);
  expect(present).toEqual(expect.arrayContaining([
    'GET /social/assistant/status',
    'GET /social/community/discover',
    'GET /social/community/media',
    'GET /social/community/members',
    'GET /social/space/detail',
    'GET /social/tweet/advanced_search',
    'GET /social/tweet/assistant',
    'GET /social/tweet/replies',
    'GET /social/tweet/retweeters',
    'GET /social/user/followings',
    'GET /social/user/highlights',
    'GET /social/user/last_tweets',
    'GET /social/user/mentions',
    'POST /social/tweet/unlike',
  ]));
});
