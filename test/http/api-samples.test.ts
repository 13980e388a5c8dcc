// Tests server/http/docs/pages/api/samples.ts.
/** The samples of the API reference, by the security schemes and the parameters of a contract. */
import { expect, test } from '@jest/globals';
import type { OpenApiDocument } from '../../server/contract/openapi.ts';
import { wholeReference } from '../../server/http/docs/pages/api/page.ts';

const schemes = {
  header: { type: 'apiKey', in: 'header', name: 'X-Museum' },
  query: { type: 'apiKey', in: 'query', name: 'token' },
  cookie: { type: 'apiKey', in: 'cookie', name: 'session' },
  basic: { type: 'http', scheme: 'basic' },
  bearer: { type: 'http', scheme: 'bearer' },
  oauth: { type: 'oauth2', flows: {} },
};

function samples(security: readonly object[]): Record<'curl' | 'TypeScript' | 'Python', string> {
  const document = {
    openapi: '3.1.0',
    info: { title: 'Rooms', version: '1.0.0' },
    paths: {
      '/rooms/{room}/beds/{bed}': {
        get: {
          operationId: 'getBed',
          tags: ['Events'],
          security,
          parameters: [
            { name: 'room', in: 'path', required: true, schema: { type: 'string' }, example: 'a b' },
            { name: 'bed', in: 'path', required: true, schema: { type: 'integer', examples: [7] } },
            { name: 'on', in: 'query', required: true, schema: { enum: ['2026-01-01'] } },
            { name: 'X-Trace', in: 'header', required: true, schema: { type: 'boolean', default: true } },
            { name: 'other', in: 'query', schema: { type: 'string' }, example: 'not needed' },
          ],
          responses: {
            200: { description: 'It.', content: { 'application/json': { schema: {}, example: { open: true } } } },
          },
        },
      },
    },
    components: { schemas: {}, securitySchemes: schemes },
  } as unknown as OpenApiDocument;
  const page = wholeReference({ document, client: './client.ts' }).html;
  const textOf = (language: string): string =>
    (new RegExp(`id="getBed-${language}"[^>]*><code>([^]*?)</code>`).exec(page)?.[1] ?? '')
      .replaceAll('&quot;', '"')
      .replaceAll('&apos;', "'");
  return { curl: textOf('curl'), TypeScript: textOf('TypeScript'), Python: textOf('Python') };
}

test.each([
  ['header', '-H "X-Museum: $API_KEY"', 'headers={"X-Museum": os.environ["API_KEY"], '],
  ['query', '--url-query "token=$API_KEY"', 'params={"on": "2026-01-01", "token": os.environ["API_KEY"]}'],
  ['cookie', '-b "session=$API_KEY"', 'cookies={"session": os.environ["API_KEY"]}'],
  ['basic', '-u "$API_KEY"', 'auth=tuple(os.environ["API_KEY"].split(":", 1))'],
  ['bearer', '-H "Authorization: Bearer $API_KEY"', 'headers={"Authorization": "Bearer " + os.environ["API_KEY"], '],
  ['oauth', '-H "Authorization: Bearer $API_KEY"', 'headers={"Authorization": "Bearer " + os.environ["API_KEY"], '],
])('a credential of the kind %s is where the contract has it', (scheme, curl, python) => {
  const shown = samples([{ [scheme]: [] }]);
  expect(shown.curl).toContain(curl);
  expect(shown.Python).toContain(python);
  expect(shown.TypeScript).toContain('apiKey: process.env.API_KEY');
  expect(Object.values(shown).join()).not.toContain('x-api-key');
});

test('an operation without security has no credential', () => {
  expect(Object.values(samples([])).join()).not.toContain('API_KEY');
});

test('values are those of the contract, in the path too, and the method has the name that the client gives it', () => {
  const { curl, TypeScript, Python } = samples([]);
  expect(curl).toBe(
    [
      "curl -G 'http://127.0.0.1:3000/rooms/a%20b/beds/7'",
      "--data-urlencode 'on=2026-01-01'",
      "-H 'X-Trace: true'",
    ].join(' \\\n  '),
  );
  expect(TypeScript).toContain("import { createClient } from './client.ts';");
  expect(TypeScript).toContain('client.eventsApi.getBed({"room":"a b","bed":7,"on":"2026-01-01","X-Trace":true});');
  expect(Python).toContain('"http://127.0.0.1:3000/rooms/a%20b/beds/7",\n    params={"on": "2026-01-01"},');
});
