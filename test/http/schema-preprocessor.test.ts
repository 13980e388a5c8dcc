import { expect, test } from '@jest/globals';
import { SchemaPreprocessor } from 'express-openapi-validator/dist/middlewares/parsers/schema.preprocessor.js';
import { AjvOptions } from 'express-openapi-validator/dist/framework/ajv/options.js';
import { defaultSerDes } from 'express-openapi-validator/dist/framework/base.serdes.js';
import { readDocument } from '../../server/contract/openapi.ts';
import { readReferences } from '../../server/http/express/schema-preprocessor.ts';
import { validatorSpec } from '../../server/http/express/validator-spec.ts';

test('prepares a document like the preprocessor of the library', async () => {
  const document = await readDocument();
  const options = { validateRequests: {}, validateResponses: {}, serDes: defaultSerDes, formats: {} } as never;
  const prepare = (): unknown =>
    new SchemaPreprocessor(validatorSpec(document).apiDoc, new AjvOptions(options).preprocessor, {}).preProcess();
  const compiled = prepare();
  readReferences();
  const read = prepare();
  expect(JSON.stringify(read)).toBe(JSON.stringify(compiled));
});
