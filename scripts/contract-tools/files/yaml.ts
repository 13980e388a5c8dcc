/** Parses YAML. The steps of a command read the same files, so the last documents are kept. */
import { LineCounter, parse, parseDocument, type Document } from 'yaml';
import { duplicateName } from '../../../server/contract/values.ts';
import { JsonOffsets } from './json-position.ts';
import { keysOf, positionOf } from './pointer.ts';

/** Merge keys (`<<`) of YAML 1.1 too, because the other parsers of OpenAPI documents read them. */
const options = { merge: true } as const;

/** A parsed text, which callers must not change. The messages of its errors have no positions and no excerpts. */
export interface ParsedYaml {
  readonly document: Document.Parsed;
  readonly lines: LineCounter;
}

/** How many characters of parsed texts are kept: some more than the files of a command have. */
const maxKeptLength = 2_000_000;
const kept = new Map<string, ParsedYaml>();
let keptLength = 0;

/** The document of a text, with its syntax errors. */
export function parseYaml(text: string): ParsedYaml {
  const lines = new LineCounter();
  const known = kept.get(text);
  const parsed = known ?? {
    document: parseDocument(text, { ...options, lineCounter: lines, prettyErrors: false }),
    lines,
  };
  if (known === undefined) keptLength += text.length;
  kept.delete(text);
  kept.set(text, parsed);
  for (const oldest of kept.keys()) {
    if (keptLength <= maxKeptLength || oldest === text) break;
    kept.delete(oldest);
    keptLength -= oldest.length;
  }
  return parsed;
}

/** The value of a text in YAML or JSON, and whether it has syntax errors. Callers may change the value. */
export function readYaml(text: string): { readonly value: unknown; readonly hasErrors: boolean } {
  if (jsonValue(text) !== undefined) return { value: JSON.parse(text) as unknown, hasErrors: false };
  const { document } = parseYaml(text);
  return document.errors.length > 0
    ? { value: undefined, hasErrors: true }
    : { value: document.toJS(), hasErrors: false };
}

/** The values of parsed texts. */
const values = new WeakMap<ParsedYaml, unknown>();

/** The value of a text in YAML or JSON, which callers must not change; undefined for a text with syntax errors. */
export function sharedValue(text: string): unknown {
  const json = jsonValue(text);
  if (json !== undefined) return json;
  const parsed = parseYaml(text);
  if (!values.has(parsed)) values.set(parsed, readYaml(text).value);
  return values.get(parsed);
}

/** The value of a text, which the caller may change. Throws a YAMLParseError with the position of a syntax error. */
export function yamlValue(text: string): unknown {
  const { value, hasErrors } = readYaml(text);
  return hasErrors ? parse(text, options) : value;
}

/** The last texts that were read as JSON: with their values, which nothing may change, or undefined where they are no JSON. */
const jsonValues = new Map<string, object | undefined>();

/** The value of a JSON text without duplicate names; undefined for another text. Its parser is many times as fast as that of YAML. */
function jsonValue(text: string): object | undefined {
  if (!text.startsWith('{')) return undefined;
  if (!jsonValues.has(text)) {
    if (jsonValues.size > 1) jsonValues.clear();
    jsonValues.set(text, parsedJson(text));
  }
  return jsonValues.get(text);
}

function parsedJson(text: string): object | undefined {
  try {
    const value = JSON.parse(text) as object;
    return duplicateName(text) === undefined ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The places in the texts of `jsonValues`, by value. */
const jsonPlaces = new WeakMap<object, { readonly offsets: JsonOffsets; readonly lines: LineCounter }>();

function placesInJson(text: string, value: object): { readonly offsets: JsonOffsets; readonly lines: LineCounter } {
  let places = jsonPlaces.get(value);
  if (places === undefined) {
    const lines = new LineCounter();
    lines.addNewLine(0);
    for (const { index } of text.matchAll(/\n/g)) lines.addNewLine(index + 1);
    jsonPlaces.set(value, (places = { offsets: new JsonOffsets(text), lines }));
  }
  return places;
}

/**
 * Where a JSON Pointer stands in a text: line and column, counted from 1, of the member's name or of the item. Where nothing
 * stands there, those of the nearest place around it.
 */
export function placeInText(text: string, pointer: string): { line: number; column: number } {
  const value = jsonValue(text);
  if (value === undefined) {
    const { document, lines } = parseYaml(text);
    return positionOf(document, lines, pointer);
  }
  const places = placesInJson(text, value);
  const { line, col: column } = places.lines.linePos(places.offsets.of(keysOf(pointer)));
  return { line, column };
}
