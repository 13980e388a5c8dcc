/** Reads OpenAPI 3.0 as 3.1, whose schemas are JSON Schema. The places of all parts stay the same. */
import { isObject } from '../../../server/contract/values.ts';
import { isDataMember } from './references.ts';

type Json = Record<string, unknown>;

/** A document in version 3.0 as one in version 3.1; any other value unchanged. */
export function upgraded(document: unknown): unknown {
  if (!isObject(document) || typeof document.openapi !== 'string' || !document.openapi.startsWith('3.0'))
    return document;
  return { ...(upgradedPart(document, '') as Json), openapi: '3.1.0' };
}

function upgradedPart(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return value.map((item) => upgradedPart(item, key));
  if (!isObject(value)) return value;
  const parts = Object.entries(value).map(([name, inner]) => [
    name,
    isDataMember(name, key, inner) ? inner : upgradedPart(inner, name),
  ]);
  return upgradedSchema(Object.fromEntries(parts) as Json);
}

/** A schema whose keywords have the meaning of 3.1. An object without these keywords is unchanged. */
function upgradedSchema(schema: Json): Json {
  const { nullable, ...rest } = schema;
  if (typeof nullable !== 'boolean') return withBounds(schema);
  const bounded = withBounds(rest);
  if (!nullable || typeof bounded.type !== 'string') return bounded;
  const { enum: values } = bounded;
  const listed = Array.isArray(values) && !values.includes(null) ? { enum: [...(values as unknown[]), null] } : {};
  return { ...bounded, type: [bounded.type, 'null'], ...listed };
}

/** The bounds that are exclusive have their values in 3.1, where 3.0 has a mark beside the bound. */
function withBounds(schema: Json): Json {
  let result = schema;
  for (const [bound, mark] of [
    ['minimum', 'exclusiveMinimum'],
    ['maximum', 'exclusiveMaximum'],
  ] as const) {
    if (typeof result[mark] !== 'boolean') continue;
    const { [bound]: value, [mark]: isExclusive, ...rest } = result;
    result = value === undefined ? rest : { ...rest, [isExclusive === true ? mark : bound]: value };
  }
  return result;
}
