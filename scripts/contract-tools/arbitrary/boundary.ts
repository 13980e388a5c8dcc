/** The boundary values of a schema: each is the last valid value in one direction. */
import {
  follow,
  satisfies,
  syntaxExamples,
  typesOf,
  type Json,
  type SchemaNode,
  type SchemaDocument,
} from './schema.ts';

export interface Boundary {
  readonly value: Json;
  /** The JSON Pointer of the keyword that sets the boundary. */
  readonly pointer: string;
}

/** The characters that boundary strings repeat; the validation drops those that the pattern rejects. */
const fillCharacters = ['a', '1', 'A', '0', '😀'];

/** The boundary values of the schema itself, without those of nested schemas. */
export function boundaryValues(document: SchemaDocument, node: SchemaNode): Boundary[] {
  const at = follow(document, node);
  const { schema } = at;
  const examples = syntaxExamples(schema);
  if (examples !== undefined) return examples.map((value) => ({ value, pointer: `${at.pointer}/examples` }));
  const edges: [string, Json][] = [];
  if (schema.const !== undefined) edges.push(['const', schema.const]);
  for (const value of schema.enum ?? []) edges.push(['enum', value]);
  if (schema.minimum !== undefined) edges.push(['minimum', schema.minimum]);
  if (schema.maximum !== undefined) edges.push(['maximum', schema.maximum]);
  const types = typesOf(schema);
  if (types.includes('string') && schema.enum === undefined && schema.const === undefined) {
    const { minLength = 0, maxLength } = schema;
    for (const character of fillCharacters) {
      edges.push(['minLength', character.repeat(minLength)]);
      if (maxLength !== undefined) edges.push(['maxLength', character.repeat(maxLength)]);
      if (schema.pattern !== undefined) edges.push(...patternEdges(schema.pattern, character));
    }
  }
  if (schema.type === 'array') edges.push(['minItems', []]);
  const seen = new Set<string>();
  return edges
    .filter(
      ([, value]) =>
        satisfies(document, at, value) && !seen.has(JSON.stringify(value)) && seen.add(JSON.stringify(value)),
    )
    .map(([keyword, value]) => ({ value, pointer: `${at.pointer}/${keyword}` }));
}

/** The minimum and maximum lengths that the quantifiers of a pattern permit, and one character more or less. */
export function patternEdges(pattern: string, character: string): [string, string][] {
  const counts = [...pattern.matchAll(/\{(\d+)(?:,(\d+))?\}/g)].flatMap(([, low, high]) => [
    Number(low),
    Number(high ?? low),
  ]);
  const lengths = new Set(
    counts.flatMap((count) => [count - 1, count, count + 1, count + 2]).filter((length) => length >= 0),
  );
  return [...lengths].map((length) => ['pattern', character.repeat(length)]);
}
