/** Parses YAML. The steps of a command read the same files, so the last documents are kept. */
import { LineCounter, parse, parseDocument, type Document } from 'yaml';

/** Merge keys (`<<`) of YAML 1.1 too, because the other parsers of OpenAPI documents read them. */
const options = { merge: true } as const;

/** A parsed text, which callers must not change. The messages of its errors have no positions and no excerpts. */
export interface ParsedYaml {
  readonly document: Document.Parsed;
  readonly lines: LineCounter;
}

/** As many as a command reads: the files of the spec and the released contract. */
const maxKept = 6;
const kept = new Map<string, ParsedYaml>();

/** The document of a text, with its syntax errors. */
export function parseYaml(text: string): ParsedYaml {
  const lines = new LineCounter();
  const parsed = kept.get(text) ?? {
    document: parseDocument(text, { ...options, lineCounter: lines, prettyErrors: false }),
    lines,
  };
  kept.delete(text);
  kept.set(text, parsed);
  for (const oldest of kept.keys()) {
    if (kept.size <= maxKept) break;
    kept.delete(oldest);
  }
  return parsed;
}

/** The value of a text, which the caller may change. Throws a YAMLParseError with the position of a syntax error. */
export function yamlValue(text: string): unknown {
  const { document } = parseYaml(text);
  return document.errors.length > 0 ? parse(text, options) : document.toJS();
}
