import { expect, test } from '@jest/globals';
import { SchemaPreprocessor } from 'express-openapi-validator/dist/middlewares/parsers/schema.preprocessor.js';
import { AjvOptions } from 'express-openapi-validator/dist/framework/ajv/options.js';
import { defaultSerDes } from 'express-openapi-validator/dist/framework/base.serdes.js';
import { readDocument, type OpenApiDocument } from '../../server/contract/openapi.ts';
import { simplifyPreprocessor } from '../../server/http/express/schema-preprocessor.ts';
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
