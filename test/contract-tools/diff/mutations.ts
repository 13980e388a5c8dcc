/** Plants one difference at a time in the real contract, and knows whom it hurts without the help of the comparison. */
import type { Json } from './documents.ts';

export type Side = 'request' | 'response';
/**
 * `narrower` takes values away, `wider` adds some, `both` does both, `unknown` is for people to judge.
 * `offered` is a new member that may be left out, `demanded` one that may not.
 */
export type Effect = 'narrower' | 'wider' | 'both' | 'unknown' | 'offered' | 'demanded';
/** `back` is the effect of taking it back. */
export type Mutation = {
  readonly name: string;
  readonly effect: Effect;
  readonly back: Effect;
  readonly apply: (schema: Json) => void;
};
const opposite = { narrower: 'wider', wider: 'narrower', both: 'both', unknown: 'unknown' } as const;

const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const escape = (key: string): string => key.replaceAll('~', '~0').replaceAll('/', '~1');

/** The value at a JSON Pointer. */
export const at = (document: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .reduce<unknown>((value, token) => (value as Json)[token.replaceAll('~1', '/').replaceAll('~0', '~')], document);

/** Every schema that callers meet, by its pointer, and on which side. */
export function schemasByPointer(document: Json): Map<string, Set<Side>> {
  const found = new Map<string, Set<Side>>();
  const visit = (value: unknown, pointer: string, side: Side): void => {
    if (!isObject(value)) return;
    if (typeof value.$ref === 'string') return visit(at(document, value.$ref.slice(1)), value.$ref.slice(1), side);
    const sides = found.get(pointer) ?? new Set();
    if (sides.has(side)) return;
    found.set(pointer, sides.add(side));
    for (const [name, member] of Object.entries((value.properties ?? {}) as Json))
      visit(member, `${pointer}/properties/${escape(name)}`, side);
    for (const keyword of ['items', 'additionalProperties']) visit(value[keyword], `${pointer}/${keyword}`, side);
    for (const keyword of ['anyOf', 'oneOf', 'allOf']) {
      ((value[keyword] ?? []) as unknown[]).forEach((part, index) =>
        visit(part, `${pointer}/${keyword}/${index}`, side),
      );
    }
  };
  /** Finds the schemas in parameters, bodies, headers and answers. */
  const seek = (value: unknown, pointer: string, side: Side): void => {
    if (Array.isArray(value)) return value.forEach((item, index) => seek(item, `${pointer}/${index}`, side));
    if (!isObject(value)) return;
    if (typeof value.$ref === 'string') return seek(at(document, value.$ref.slice(1)), value.$ref.slice(1), side);
    for (const [name, member] of Object.entries(value)) {
      if (name === 'schema') visit(member, `${pointer}/schema`, side);
      else if (name !== 'example' && name !== 'examples') seek(member, `${pointer}/${escape(name)}`, side);
    }
  };
  for (const [path, methods] of Object.entries(document.paths as Record<string, Json>)) {
    for (const [method, operation] of Object.entries(methods as Record<string, Json>)) {
      const pointer = `/paths/${escape(path)}/${method}`;
      for (const part of ['parameters', 'requestBody']) seek(operation[part], `${pointer}/${part}`, 'request');
      seek(operation.responses, `${pointer}/responses`, 'response');
    }
  }
  const messages = { WsClientMessage: 'request', WsServerMessage: 'response' } as const;
  for (const [name, side] of Object.entries(messages))
    visit(at(document, `/components/schemas/${name}`), `/components/schemas/${name}`, side);
  return found;
}

const number = (value: unknown, otherwise: number): number => (typeof value === 'number' ? value : otherwise);
const types = ({ type }: Json): string[] =>
  Array.isArray(type) ? (type as string[]) : typeof type === 'string' ? [type] : [];

/** Everything that can be planted in a schema as it is. */
export function mutationsOf(schema: Json): Mutation[] {
  const found: Mutation[] = [];
  const plant = (
    name: string,
    effect: keyof typeof opposite,
    apply: (schema: Json) => void,
    back: Effect = opposite[effect],
  ): void => void found.push({ name, effect, back, apply });
  const is = (type: string): boolean => types(schema).includes(type);
  const free = !('enum' in schema) && !('const' in schema);

  if (is('null'))
    plant('refuse null', 'narrower', (it) => {
      it.type = types(it).filter((type) => type !== 'null');
    });
  else if (types(schema).length > 0 && free)
    plant('allow null', 'wider', (it) => {
      it.type = [...types(it), 'null'];
    });
  if (types(schema).length > 0 && free) {
    plant('another type', 'both', (it) => {
      for (const keyword of Object.keys(it)) delete it[keyword];
      it.type = is('array') ? 'boolean' : 'array';
    });
    plant('any type', 'wider', (it) => {
      delete it.type;
    });
  }
  if (is('integer') && free)
    plant('fractions too', 'wider', (it) => {
      it.type = types(it).map((type) => (type === 'integer' ? 'number' : type));
    });
  if (is('number'))
    plant('whole numbers only', 'narrower', (it) => {
      it.type = types(it).map((type) => (type === 'number' ? 'integer' : type));
    });
  if (Array.isArray(schema.enum)) {
    if (schema.enum.length > 1)
      plant('one value less', 'narrower', (it) => {
        it.enum = (it.enum as unknown[]).slice(1);
      });
    plant('one value more', 'wider', (it) => {
      (it.enum as unknown[]).push(types(it).includes('integer') ? 424242 : 'planted');
    });
    plant('any value', 'wider', (it) => {
      delete it.enum;
    });
  }
  if ('const' in schema)
    plant('another constant', 'both', (it) => {
      it.const = typeof it.const === 'number' ? it.const + 1 : 'planted';
    });
  if (is('string') && free) {
    plant('shorter', 'narrower', (it) => {
      it.maxLength = number(it.maxLength, 500) - 1;
    });
    plant('not so short', 'narrower', (it) => {
      it.minLength = number(it.minLength, 0) + 1;
    });
    plant('a list of values', 'narrower', (it) => {
      it.enum = ['planted'];
    });
    if ('maxLength' in schema)
      plant('longer', 'wider', (it) => {
        it.maxLength = number(it.maxLength, 0) + 1;
      });
    if ('minLength' in schema)
      plant('any length', 'wider', (it) => {
        delete it.minLength;
      });
    if ('pattern' in schema) {
      plant('any text', 'wider', (it) => {
        delete it.pattern;
      });
      plant('another pattern', 'unknown', (it) => {
        it.pattern = `${String(it.pattern)}$`;
      });
    } else
      plant('a pattern', 'narrower', (it) => {
        it.pattern = '^planted';
      });
    if ('format' in schema)
      plant('no format', 'wider', (it) => {
        delete it.format;
      });
    else
      plant('a format', 'narrower', (it) => {
        it.format = 'date';
      });
  }
  if ((is('integer') || is('number')) && free) {
    plant('not so small', 'narrower', (it) => {
      it.minimum = number(it.minimum, -1000) + 1;
    });
    plant('not so large', 'narrower', (it) => {
      it.maximum = number(it.maximum, 1e6) - 1;
    });
    if ('minimum' in schema)
      plant('smaller', 'wider', (it) => {
        it.minimum = number(it.minimum, 0) - 1;
      });
    if ('maximum' in schema)
      plant('larger', 'wider', (it) => {
        delete it.maximum;
      });
  }
  if (is('array')) {
    plant('not so few', 'narrower', (it) => {
      it.minItems = number(it.minItems, 0) + 1;
    });
    plant('not so many', 'narrower', (it) => {
      it.maxItems = number(it.maxItems, 100) - 1;
    });
    plant('without repeats', 'narrower', (it) => {
      it.uniqueItems = true;
    });
    if ('items' in schema)
      plant('items of any kind', 'wider', (it) => {
        delete it.items;
      });
  }
  if (is('object') && isObject(schema.properties)) {
    const names = Object.keys(schema.properties);
    const required = (schema.required ?? []) as string[];
    const optional = names.find((name) => !required.includes(name));
    if (optional !== undefined)
      plant('one more is required', 'narrower', (it) => {
        it.required = [...required, optional];
      });
    if (required.length > 0)
      plant('one less is required', 'wider', (it) => {
        it.required = required.slice(1);
      });
    if (schema.additionalProperties === false)
      plant('members of any name', 'wider', (it) => {
        delete it.additionalProperties;
      });
    for (const gone of [optional, required[0]]) {
      if (gone === undefined) continue;
      const back = gone === optional ? 'offered' : 'demanded';
      plant(
        'one member less',
        'both',
        (it) => {
          delete (it.properties as Json)[gone];
          it.required = required.filter((name) => name !== gone);
        },
        back,
      );
    }
    plant('one member renamed', 'both', (it) => {
      const { [names[0]!]: first, ...rest } = it.properties as Json;
      it.properties = { ...rest, planted: first };
    });
  }
  for (const keyword of ['anyOf', 'oneOf']) {
    if (!Array.isArray(schema[keyword])) continue;
    plant('one alternative less', 'narrower', (it) => {
      it[keyword] = (it[keyword] as unknown[]).slice(0, -1);
    });
    plant('one alternative more', 'wider', (it) => {
      (it[keyword] as unknown[]).push({ type: 'boolean' });
    });
  }
  return found;
}
