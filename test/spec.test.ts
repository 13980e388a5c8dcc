import { readFile } from 'node:fs/promises';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import openapi from '../generated/openapi.json' with { type: 'json' };
import { operations } from '../generated/operations.ts';

const root = new URL('../', import.meta.url);
const run = promisify(execFile);

test('the spec passes the strict lint, and generated/ is what the spec says', async () => {
  const { stdout } = await run(process.execPath, ['scripts/generate.ts', '--check'], { cwd: root });
  expect(stdout).toContain('up to date');
});

test('a spec that breaks a rule is refused with its place', async () => {
  const { mkdtemp, writeFile, rm } = await import('node:fs/promises');
  const { tmpdir } = await import('node:os');
  const { join } = await import('node:path');
  const directory = await mkdtemp(join(tmpdir(), 'spec-'));
  try {
    const text = await readFile(new URL('spec/openapi.yaml', root), 'utf8');
    await writeFile(join(directory, 'openapi.yaml'), text.replace('value: { success: true }', 'value: { success: "yes" }'));
    await writeFile(join(directory, 'redocly.yaml'), await readFile(new URL('spec/redocly.yaml', root), 'utf8'));
    const cli = new URL('node_modules/@redocly/cli/bin/cli.js', root).pathname;
    const lint = run(process.execPath, [cli, 'lint', join(directory, 'openapi.yaml'), '--config', join(directory, 'redocly.yaml')]);
    await expect(lint).rejects.toMatchObject({ stdout: expect.stringMatching(/openapi\.yaml:\d+:\d+/) });
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

test('every query parameter of free text allows the reserved characters that callers send', () => {
  const strict = Object.values(openapi.components.parameters)
    .filter(({ schema }) => 'minLength' in schema)
    .filter((parameter) => !('allowReserved' in parameter));
  expect(strict).toEqual([]);
});

test('the contract has the 14 operations of the service, at their paths', () => {
  expect(Object.values(operations).map(({ method, path }) => `${method.toUpperCase()} ${path}`).sort()).toEqual([
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
  ]);
});
