import { readFile } from 'node:fs/promises';
import { expect, test } from '@jest/globals';
import { SchemaPreprocessor } from 'express-openapi-validator/dist/middlewares/parsers/schema.preprocessor.js';
import { AjvOptions } from 'express-openapi-validator/dist/framework/ajv/options.js';
import { defaultSerDes } from 'express-openapi-validator/dist/framework/base.serdes.js';
import { readDocument, type OpenApiDocument } from '../../server/contract/openapi.ts';
import { documentSchemaFile, simplifyPreprocessor } from '../../server/http/express/validator-library.ts';
import { validatorSpec } from '../../server/http/express/validator-spec.ts';

type Parts = Readonly<Record<'paths' | 'components', object>>;
type Processed = { readonly apiDoc: Parts; readonly apiDocRes: Parts };

function prepare(document: OpenApiDocument): Processed {
  const options = { validateRequests: {}, validateResponses: {}, serDes: defaultSerDes, formats: {} } as never;
  const { preprocessor } = new AjvOptions(options);
  return new SchemaPreprocessor(validatorSpec(document).apiDoc, preprocessor, {}).preProcess() as unknown as Processed;
}

/** A part of a document with all its members, those that are hidden, too. */
const whole = (part: object): object =>
  Object.fromEntries(
    Object.entries(Object.getOwnPropertyDescriptors(part)).map(([name, { value }]) => [name, value as unknown]),
  );
const wholeOf = ({ paths, components }: Parts): object => ({ paths: whole(paths), components: whole(components) });

test('prepares a document like the preprocessor of the library, but hides what each compiled schema contains', async () => {
  const document = await readDocument();
  const compiled = prepare(document);
  simplifyPreprocessor();
  const read = prepare(document);
  for (const part of ['apiDoc', 'apiDocRes'] as const) {
    expect(JSON.stringify(wholeOf(read[part]))).toBe(JSON.stringify(wholeOf(compiled[part])));
    // Ajv looks at the enumerable members.
    expect([Object.keys(read[part].paths), Object.keys(read[part].components)]).toEqual([[], []]);
  }
});

test('the library has the version whose private parts are used', async () => {
  const manifest = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  // Before another version: compare the modules that `validator-library.ts` imports, run the tests of the validator, and change this line.
  expect(manifest.dependencies['express-openapi-validator']).toBe('5.6.2');
  expect(await readFile(documentSchemaFile(), 'utf8')).toContain('"https://spec.openapis.org/oas/3.1/schema/');
});
