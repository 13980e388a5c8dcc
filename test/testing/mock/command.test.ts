import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { ConfigError } from '../../../server/config/variables.ts';
import { readMockCommand } from '../../../scripts/testing/mock/options.ts';
import { readSpec } from '../../../scripts/testing/mock/spec.ts';
import { expectSchema } from '../../support/contract.ts';
import { run, startServer, temporaryFolder, type RunningServer } from '../../support/server.ts';
import { specText } from './service.ts';
import { nightlyTest } from '../../support/nightly.ts';
import { inTurn, runsAll } from '../../support/rounds.ts';

const script = 'scripts/testing/mock/main.ts';
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder?.dispose());

const start = (args: readonly string[]): Promise<RunningServer> => startServer(folder.path, {}, args, script);

/** Resolves when the text has come on one of the outputs. */
async function said(mock: RunningServer, text: RegExp): Promise<void> {
  while (!text.test(mock.output() + mock.errors())) {
    await Promise.race(
      [mock.child.stdout!, mock.child.stderr!].map((stream) => new Promise((resolve) => stream.once('data', resolve))),
    );
  }
}

/** The contract with an operation that nobody has written a handler for, nor an example. */
const withTrends = (path = '/social/topic/trends'): string =>
  specText.replace(
    '\ncomponents:\n',
    `
  ${path}:
    get:
      operationId: getTrends
      parameters:
        - { name: place, in: query, required: true, schema: { type: string, minLength: 2 }, example: Lagos }
      responses:
        '200':
          description: What is talked about.
          headers:
            X-Trend-Count: { schema: { type: integer, minimum: 1, maximum: 9 } }
          content:
            application/json:
              schema:
                type: object
                additionalProperties: false
                required: [kind, since, best, counts]
                properties:
                  kind: { const: trends }
                  since: { type: [string, 'null'], format: date-time }
                  best: { $ref: '#/components/schemas/Tweet' }
                  counts: { type: array, minItems: 2, maxItems: 2, items: { $ref: '#/components/schemas/Count' } }
        '400': { $ref: '#/components/responses/BadRequest' }
        '418': { $ref: '#/components/responses/NotFound' }
components:
`,
  );

describe('npm run mock', () => {
  test('prints instructions, serves an operation without a handler, and reloads the contract or keeps the last valid one', async () => {
    const file = join(folder.path, 'openapi.yaml');
    await writeFile(file, withTrends());
    const mock = await start(['--spec', file, '--watch', '--keys', 'a-key-of-mine']);
    const ask = (path: string, headers = {}): Promise<Response> =>
      fetch(mock.url + path, { headers: { 'x-api-key': 'a-key-of-mine', ...headers } });
    try {
      await said(mock, /Prefer: code=/);
      expect(mock.output()).toContain(`docs: ${mock.url}/docs`);
      expect(mock.output()).toMatch(/ POST +\/social\/tweet\/unlike +unlikeTweet\n/);
      const [, key, target] = /^try: curl -H 'x-api-key: (.+?)' '(.+)'$/m.exec(mock.output())!;
      expect((await fetch(target!, { headers: { 'x-api-key': key! } })).status).toBe(200);
      expect(await (await fetch(`${mock.url}/openapi.yaml`)).text()).toBe(withTrends());
      expect((await fetch(`${mock.url}/docs/`)).status).toBe(200);
      expect((await fetch(`${mock.url}/docs/search`)).status).toBe(200);

      const response = await ask('/social/topic/trends?place=Lagos');
      const body = (await response.json()) as { kind: string; counts: unknown[]; best: unknown };
      expect([response.status, body.kind, body.counts.length]).toEqual([200, 'trends', 2]);
      expect(Number(response.headers.get('x-trend-count'))).toBeGreaterThan(0);
      await expectSchema('Tweet', JSON.parse(JSON.stringify(body.best)));
      expect(await (await ask('/social/topic/trends?place=L')).json()).toEqual({
        error: "parameter 'place' must have at least 2 characters, not 1",
      });
      expect((await ask('/social/topic/trends?place=Lagos', { prefer: 'code=418' })).status).toBe(418);
      expect((await ask('/social/topic/trends?place=Lagos', { 'x-api-key': 'another-key' })).status).toBe(401);

      await writeFile(
        file,
        withTrends().replace(
          "type: [string, 'null'], format: date-time }\n                  best",
          'type: strung }\n                  best',
        ),
      );
      // A slow write can be seen as an empty file first.
      const fault =
        /openapi\.yaml:\d+:\d+ {2}struct\n[^]*Fix: did you mean string\?[^]*The mock goes on with the contract as it was before\./;
      await said(mock, fault);
      expect((await ask('/social/topic/trends?place=Lagos')).status).toBe(200);

      if (!runsAll) return;
      // As many editors save: a new file takes the place of the old one.
      await writeFile(`${file}.new`, withTrends('/social/topic/hot'));
      await rename(`${file}.new`, file);
      await said(mock, /took in .*openapi\.yaml/);
      expect([
        (await ask('/social/topic/hot?place=Lagos')).status,
        (await ask('/social/topic/trends?place=Lagos')).status,
      ]).toEqual([200, 404]);
    } finally {
      expect(await mock.end('SIGINT')).toBe(0);
    }
  });

  nightlyTest('does not start with an invalid contract, and names the location', async () => {
    const file = join(folder.path, 'broken.yaml');
    await writeFile(file, specText.replace("'#/components/schemas/Space'", "'#/components/schemas/Spaec'"));
    const { code, stderr } = await run(script, ['--spec', file], { PORT: '0' });
    expect(stderr).toMatch(/:\d+:\d+ {2}no-unresolved-refs\n[^]*Fix: did you mean '#\/components\/schemas\/Space'\?/);
    expect(stderr).not.toContain('    at ');
    expect(code).toBe(1);
  });

  nightlyTest('shows its usage', async () => {
    const { code, stdout } = await run(script, ['--help'], {});
    expect([code, stdout]).toEqual([0, expect.stringContaining('Prefer: code=409')]);
  });
});

describe('rejects a contract', () => {
  const contracts: readonly (readonly [what: string, text: string | undefined, message: RegExp])[] = [
    ['that is not there', undefined, /^there is no file .*refused\.yaml$/],
    ['that is not YAML', 'openapi: [3.1.0\n', /yaml-syntax[^]*1 fault: it cannot be mocked\.$/],
    ['that is another document', 'a: 1\n', /is no OpenAPI document$/],
    ['without operations', 'openapi: 3.1.0\ninfo: { title: A, version: 1.0.0 }\npaths: {}\n', /has no operations$/],
    [
      'with two operations of one name',
      specText.replace('operationId: getSpace', 'operationId: searchTweets'),
      /:\d+:\d+ {2}operation-operationId-unique/,
    ],
  ];
  test.each(inTurn(contracts, 3))('%s', async (_what, text, message) => {
    const file = join(folder.path, 'refused.yaml');
    if (text !== undefined) await writeFile(file, text);
    await expect(readSpec(file)).rejects.toThrow(message);
    await rm(file, { force: true });
  });
});

describe('options', () => {
  test('override the variables of the service', () => {
    const env = {
      PORT: '5000',
      HOST: '0.0.0.0',
      LOG_LEVEL: 'silent',
      ASSISTANT: 'nonsense',
      API_KEYS: 'not-for-mocks',
    };
    expect(readMockCommand([], {})).toMatchObject({
      config: { host: '127.0.0.1', port: 4010, apiKeys: [] },
      seed: 1,
      items: undefined,
      delayMs: 0,
      watch: false,
    });
    expect(readMockCommand([], env)).toMatchObject({
      config: { host: '0.0.0.0', port: 5000, apiKeys: [], logLevel: 'silent' },
    });
    const given = readMockCommand(
      [
        '--port=0',
        '--host',
        '::1',
        '--keys',
        'the-first,the-second',
        '--items=50',
        '--seed=7',
        '--delay=20',
        '--watch',
      ],
      env,
    );
    expect(given).toMatchObject({
      config: { host: '::1', port: 0, apiKeys: ['the-first', 'the-second'] },
      items: 50,
      seed: 7,
      delayMs: 20,
      watch: true,
    });
  });

  test.each([
    [['--prot', '80'], "--prot: unknown option; did you mean '--port'?"],
    [['--port', '99999'], '--port=99999: expected a whole number from 0 (a free port) to 65535'],
    [['--port'], '--port: it needs a value; `npm run mock -- --help` lists the options'],
    [['--watch=no'], '--watch: it takes no value'],
    [['--seed', 'x'], '--seed=x: expected a whole number from 0 to 2147483647'],
    [
      ['--keys', 'short'],
      '--keys=…: expected keys of at least 8 printable characters without spaces, separated by commas',
    ],
    [['serve'], 'serve: not an option of npm run mock; `npm run mock -- --help` lists the options'],
  ])('%j are rejected in one line', (args, line) => {
    expect(() => readMockCommand(args, {})).toThrow(new ConfigError([line]));
  });

  test('names an invalid environment variable', () => {
    expect(() => readMockCommand([], { PORT: 'x' })).toThrow(/^PORT=x: expected/);
  });
});
