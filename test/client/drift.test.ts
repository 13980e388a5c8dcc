import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { methodName } from '../../server/contract/method-name.ts';
import { clientSurface } from '../../scripts/spec/generate-client.ts';
import { withOperation } from '../../scripts/spec/scaffold/spec-entry.ts';
import { compiledOf } from '../support/copy.ts';
import { nightlyDescribe } from '../support/nightly.ts';
import { root, runIn, runTool } from '../support/packed.ts';
import { temporaryFolder } from '../support/folder.ts';

/** The spec with an operation that has parameters in its path, in its query, and in its body. */
const withNotes = (spec: string): string =>
  withOperation(spec, 'PUT /users/{user_id}/notes/{note-id}')
    .text.replace(
      /( +)parameters:\n(?= +- name: user_id\n +in: path)/,
      '$&$1  - { name: revision, in: query, description: Its number., schema: { type: integer }, example: 1 }\n',
    )
    .replace(
      /(requestBody:[^]*?properties: )\{\}/,
      (_, start: string) => `${start}{ text: { type: string, description: The text., maxLength: 9 } }`,
    );

/** Calls the new operation directly, through hooks, and by its path; the mocks answer what they received. */
const caller = `
import { setupServer } from 'msw/node';
import { createClient } from './client/src/index.ts';
import { createMocks } from './client/src/msw.ts';
const mocks = createMocks();
const server = setupServer(mocks.assistant.replaceUsersNotes.answers(({ parameters }) => parameters));
server.listen({ onUnhandledRequest: 'error' });
const client = createClient({ baseUrl: 'http://service.test', apiKey: 'k', retry: { retries: 0 } });
const given = { user_id: 'a/b', 'note-id': 'n 1', revision: 2, text: 'hello' };
const answers = [await client.assistant.replaceUsersNotes(given)];
const { user_id, revision, text } = given;
const { data } = await client.PUT('/users/{user_id}/notes/{note-id}', {
  params: { path: { user_id, 'note-id': 'n 1' }, query: { revision } },
  body: { text },
});
answers.push(data);
client.use({ onRequest: () => undefined });
answers.push(await client.assistant.replaceUsersNotes(given));
for (const wrong of ['..', '', undefined])
  answers.push(await client.assistant.replaceUsersNotes({ ...given, user_id: wrong }).catch(({ message }) => message));
server.close();
console.log(JSON.stringify(answers));
`;

nightlyDescribe('when the spec changes', () => {
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let findings: string;

  beforeAll(async () => {
    folder = await temporaryFolder();
    const at = (path: string): string => join(folder.path, path);
    for (const part of [
      'scripts',
      'server',
      'spec',
      'pages',
      'client/src',
      'client/tsconfig.json',
      'tsconfig.json',
      'package.json',
    ])
      await cp(join(root, part), at(part), { recursive: true });
    await mkdir(at('generated'));
    await symlink(join(root, 'node_modules'), at('node_modules'));
    const spec = await readFile(at('spec/openapi.yaml'), 'utf8');
    const [, followings] = /(  \/social\/user\/followings:\n[^]*?\n)(?=  \/)/.exec(spec)!;
    const followers = followings!
      .replace('/followings:', '/followers:')
      .replace('getUserFollowings', 'getUserFollowers')
      .replace('Accounts a user follows', 'Accounts that follow a user');
    const changed = spec
      // A new operation, a parameter with another name, a status that there was not.
      .replace(followings!, followings! + followers)
      .replace(/(\n    space_id:\n      name: )id\n/, '$1space_id\n')
      .replace(
        "        '409': { $ref: '#/components/responses/ConversationExpired' }\n",
        (line) => `${line}${line.replace('409', '410')}`,
      );
    await writeFile(at('spec/openapi.yaml'), withNotes(changed));
    await runIn(folder.path, process.execPath, ['scripts/spec/generate.ts'], compiledOf(folder.path));
    await writeFile(
      at('client/src/app.ts'),
      `import { createClient } from './index.ts';
const client = createClient({ baseUrl: '' });
export const fresh = client.user.followers({ username: 'mira_codes' }, { limit: 10 });
export const put = client.assistant.replaceUsersNotes({ user_id: 'a', 'note-id': 'b', revision: 1, text: 'c' });
export const stale = client.space.detail({ id: '1vSampleSpace1' });
`,
    );
    findings = await runTool(folder.path, 'typescript-native/bin/tsc', '-p', 'client').then(
      () => '',
      (error: Error) => error.message,
    );
  });
  afterAll(() => folder?.dispose());

  test('the client has the new operation, documented, by `npm run generate` alone', async () => {
    expect(await readFile(join(folder.path, 'generated/client.ts'), 'utf8')).toMatch(
      /Accounts that follow a user: `GET \/social\/user\/followers`\.[^]*?\n    followers: Of\['getUserFollowers'\];/,
    );
    expect(findings).not.toContain('app.ts(3');
  });
  test('the client and the mocks have the parameters of the path, the query and the body', async () => {
    expect(findings).not.toContain('app.ts(4');
    await writeFile(join(folder.path, 'caller.ts'), caller);
    const answers = JSON.parse(
      await runIn(folder.path, process.execPath, ['caller.ts'], compiledOf(folder.path)),
    ) as unknown[];
    const given = { user_id: 'a/b', 'note-id': 'n 1', revision: 2, text: 'hello' };
    expect(answers.slice(0, 3)).toEqual([given, given, given]);
    const refused = expect.stringContaining("the parameter 'user_id' is missing, or invalid in a path") as unknown;
    expect(answers.slice(3)).toEqual([refused, refused, refused]);
  });
  test('an app does not compile until it is adapted; everything else does', () => {
    expect(findings).toContain(
      "app.ts(5,44): error TS2353: Object literal may only specify known properties, and 'id' does not exist",
    );
    expect(findings.match(/: error TS/g)).toHaveLength(1);
  });
});

describe('the generator', () => {
  const operation = { operationId: 'getThing', summary: 'A thing', description: 'It.', 'x-repeat': 'safe' };
  const surroundings = { document: {}, channels: {} };
  const placed = { method: 'get', path: '/social/thing/some_detail', operation, parameters: [], body: undefined };

  const { operation: thing } = placed;
  const tagged = (tag: string, path = '/things/{id}'): typeof placed => ({
    ...placed,
    path,
    operation: { ...thing, tags: [tag] } as typeof thing,
  });
  const template = '/social/{group}/{name}';

  test('derives the method name from the path by x-method-names, else from the tag and the operationId', () => {
    expect(methodName(placed, template)).toEqual({ group: 'thing', name: 'someDetail' });
    expect(methodName(tagged('Museum hours'), template)).toEqual({ group: 'museumHours', name: 'getThing' });
    expect(methodName(tagged('Museum hours', placed.path))).toEqual({ group: 'museumHours', name: 'getThing' });
    expect(methodName(placed)).toEqual({ group: 'api', name: 'getThing' });
  });
  test.each(['events', 'with options', 'then', 'constructor'])('rejects the group %s, which a client has', (tag) => {
    expect(() => clientSurface('', [tagged(tag)], surroundings)).toThrow('getThing: a client has the member');
  });
  test('the rows name the key only where an operation does not take it as most do', () => {
    const securitySchemes = {
      partner: { type: 'apiKey', in: 'query', name: 'partner_key' },
      own: { type: 'apiKey', in: 'header', name: 'X-Own' },
      token: { type: 'http', scheme: 'Bearer' },
      session: { type: 'apiKey', in: 'cookie', name: 'sid' },
    };
    const document = { components: { securitySchemes }, security: [{ own: [] }, { token: [] }] };
    const of = (name: string, security?: object[]): typeof placed => ({
      ...tagged('a', `/${name}`),
      operation: { ...thing, operationId: name, ...(security && { security }) } as typeof thing,
    });
    const operations = [
      of('partners', [{ partner: [] }]),
      of('usual'),
      of('more', [{ partner: [] }, { token: [] }, { own: [] }]),
      of('open', []),
      of('session', [{ session: [] }]),
    ];
    const surface = clientSurface('', operations, { document, channels: {} });
    expect(surface).toContain("keyNames = {'header':'x-own','query':'partner_key','in':'header'} as const");
    const keysOf = (name: string): string | undefined =>
      /'keys':(\[\]|\[\[.*?\]\])/.exec(new RegExp(`'get /${name}': .*`).exec(surface)![0])?.[1];
    expect(['partners', 'usual', 'more', 'open', 'session'].map(keysOf)).toEqual([
      "[['query','partner_key']]",
      undefined,
      undefined,
      '[]',
      undefined,
    ]);
    expect(clientSurface('', [of('open', [])], { document: {}, channels: {} })).not.toContain('keys:');
  });
  test('puts the more specific path first', () => {
    const other = { ...tagged('a', '/things/own'), operation: { ...thing, operationId: 'ownThing' } };
    const surface = clientSurface('', [tagged('a'), other], surroundings);
    expect(surface.indexOf("'get /things/own'")).toBeLessThan(surface.indexOf("'get /things/{id}'"));
  });
  test.each([
    ['a member with the name of a parameter', 'application/json', { properties: { id: {} } }],
    ['no object', 'application/json', { type: 'array' }],
    ['an object with any members', 'application/json', { type: 'object', additionalProperties: true }],
    ['an object or null', 'application/json', { type: ['object', 'null'], properties: { name: {} } }],
    ['no JSON', 'text/plain', {}],
  ])('makes a body with %s the member `body` of the argument', (_, media, schema) => {
    const post = {
      ...tagged('a'),
      method: 'post',
      operation: { ...thing, requestBody: { required: true, content: { [media]: { schema: schema as object } } } },
      parameters: [{ name: 'id', in: 'path', required: true }],
    };
    const surface = clientSurface('', [post], surroundings);
    expect(surface).toContain('whole');
    expect(surface).toMatch(/GetThingParams \{\s+id: Path<'getThing'>\['id'\];\s+body: Content<'getThing'>/);
  });
  test.each(['get', 'head'])('rejects a body of %s, which fetch does not send', (method) => {
    const read = { ...placed, method, operation: { ...thing, requestBody: { content: { 'text/plain': {} } } } };
    expect(() => clientSurface('', [read], surroundings)).toThrow('getThing: a request');
  });
  test('requires x-repeat for every operation', () => {
    const { 'x-repeat': _, ...silent } = operation;
    expect(() => clientSurface('', [{ ...placed, operation: silent }], surroundings)).toThrow(
      'getThing: x-repeat must be one of safe, refused',
    );
    expect(() =>
      clientSurface('', [{ ...placed, operation: { ...operation, 'x-repeat': 'always' } }], surroundings),
    ).toThrow('x-repeat');
  });
  test('rejects two operations with the same name', () => {
    expect(() => clientSurface('', [placed, { ...placed, method: 'post' }], surroundings)).toThrow(
      'the client has a method api.getThing already',
    );
  });
});
