import { afterAll, expect, test } from '@jest/globals';
import { setShouldValidateSchema } from '@hyperjump/json-schema';
import { registerSchema, validate } from '@hyperjump/json-schema/openapi-3-1';
import openapi from '../../generated/openapi.json' with { type: 'json' };

const dialect = 'https://spec.openapis.org/oas/3.1/schema-base';
const compile = (document: object, uri: string, schema: string): Promise<unknown> => {
  registerSchema(document as never, uri, dialect);
  return validate(`${uri}#/components/schemas/${schema}`);
};

// The other test files of this worker share the validator.
afterAll(() => setShouldValidateSchema(false));

test('an independent validator accepts the contract by the meta-schema of OpenAPI 3.1', async () => {
  setShouldValidateSchema(true);
  await compile(openapi, 'https://contract.test/valid', 'Tweet');
  const broken = JSON.parse(JSON.stringify(openapi)) as { components: { schemas: { Tweet: { required: unknown } } } };
  broken.components.schemas.Tweet.required = 'id';
  await expect(compile(broken, 'https://contract.test/broken', 'Tweet')).rejects.toThrow('Invalid Schema');
});
