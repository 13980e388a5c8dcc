/** Answers in JSON: their schemas, and the parser of the responses. */
import type { ValidateFunction } from 'ajv';
import { jsonrepair } from 'jsonrepair';
import type { Schemas } from '../../../contract/operations.ts';
import { schemaCompiler } from '../../../contract/schema-compiler.ts';
import type { Subject } from '../../../ports/assistant-provider.ts';
import { tickersIn } from '../../token-mentions.ts';
import type { AnswerSchema } from './form.ts';
import { member, textIn } from './part.ts';

/** A schema for the request and a validator for the answer. Additional members are allowed. */
interface ExpectedAnswer<T> extends AnswerSchema {
  readonly accepts: ValidateFunction<T>;
}

const ajv = schemaCompiler();

function object<T>(name: string, properties: Record<string, unknown>): ExpectedAnswer<T> {
  const schema = { type: 'object', required: Object.keys(properties), properties };
  return { name, schema: { ...schema, additionalProperties: false }, accepts: ajv.compile<T>(schema) };
}

const text = { type: 'string' };
const orNull = { anyOf: [text, { type: 'null' }] };
const tickers = { type: 'array', items: text };
const extracted = { ticker: orNull, name: orNull, contract: orNull, chain: orNull };

export interface Suggested {
  readonly summary: string;
  readonly tickers: readonly string[];
}
export type Extracted = Schemas['Extracted'] & { readonly tickers?: readonly string[] };

export const suggestion = object<Suggested>('suggestion', { summary: text, tickers });
export const extraction = object<Extracted>('extraction', extracted);
export const extractionWithTickers = object<Extracted>('extraction', { tickers, ...extracted });
/** A small question that tests whether an endpoint answers in JSON. */
export const readiness = object<{ ok: boolean }>('readiness', { ok: { type: 'boolean' } });

export type { ExpectedAnswer };

/** The object in an answer if it is valid; undefined otherwise. */
export function parseAnswer<T>({ accepts }: ExpectedAnswer<T>, answer: string): T | undefined {
  const json = objectIn(answer);
  return accepts(json) ? json : undefined;
}

/** The usable text of an invalid suggestion: its summary, or plain text instead of JSON. */
export function recoverSummary(answer: string): string | undefined {
  const summary = textIn(member(objectIn(answer), 'summary'));
  return summary ?? (/^\s*(?:[{[]|```)/.test(answer) ? undefined : answer);
}

/** The outermost object of a text, repaired if it is not valid JSON. */
function objectIn(answer: string): unknown {
  const from = answer.indexOf('{');
  if (from === -1) return undefined;
  const to = answer.lastIndexOf('}');
  const object = answer.slice(from, to > from ? to + 1 : undefined);
  for (const read of [JSON.parse, (broken: string) => JSON.parse(jsonrepair(broken))]) {
    try {
      return read(object);
    } catch {
      // Tries the repair next, or gives up. Unbounded nesting overflows the stack; that error is caught here too.
    }
  }
  return undefined;
}

const maxTickers = 10;

/**
 * The valid tickers of a model: on a post that names tickers only those, otherwise symbols of up to ten letters and
 * digits.
 */
export function validTickers(given: readonly string[], subject: Subject): string[] {
  const named = tickersIn(subject);
  const symbols = given
    .flatMap((each) => /^\s*\$?([A-Za-z\d]{1,10})\s*$/.exec(each)?.[1] ?? [])
    .filter((each) => /[A-Za-z]/.test(each));
  const valid = [...new Set(symbols.map((symbol) => `$${symbol.toUpperCase()}`))].filter(
    (ticker) => named.length === 0 || named.includes(ticker),
  );
  return (valid.length > 0 ? valid : named).slice(0, maxTickers);
}
