/** Lints the spec: each fault has file, line, column, rule and a suggested fix. */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Fault } from './fault.ts';
import { ownFaults } from './own-rules.ts';
import { redoclyFaults } from './redocly.ts';
import { cachedStep } from '../result-cache.ts';
import { syntaxFaults } from './syntax.ts';

/** The REST operations and all schemas. */
const contract = 'spec/openapi.yaml';
/** What Redocly has rules for; their neighbours are checked as YAML. */
const described = [contract, 'spec/asyncapi.yaml'];
const config = 'spec/redocly.yaml';

/** What follows from another fault is not worth saying beside it. */
function isConsequence(fault: Fault, all: readonly Fault[]): boolean {
  if (fault.message.startsWith('Example validation errored'))
    return all.some(({ rule }) => rule === 'struct' || rule === 'invalid-pattern');
  if (fault.rule === 'unused-component')
    return all.some(({ fix }) => fix?.includes(`#/components/${fault.message.split(' ').at(-1)!.slice(0, -1)}'`));
  // Of two findings about one reference, the one with a suggestion remains.
  return (
    fault.rule === 'no-unresolved-refs' &&
    all.some(
      (other) =>
        other !== fault &&
        other.rule === fault.rule &&
        other.line === fault.line &&
        other.fix?.startsWith('did you mean'),
    )
  );
}

/** The faults without those that only follow from others. */
export const withoutConsequences = (faults: readonly Fault[]): Fault[] =>
  faults.filter((fault) => !isConsequence(fault, faults));

/** What the lint finds. */
export interface Linted {
  /** In the order of the files. */
  readonly faults: readonly Fault[];
  /** What should be corrected, but does not keep the spec from being used. */
  readonly warnings: readonly Fault[];
  /** The texts of the files of spec/ by path. */
  readonly texts: ReadonlyMap<string, string>;
}

/** Lints the spec of a project. Throws an Error when a file cannot be read. */
export async function lintSpec(folder: string): Promise<Linted> {
  const files = (await readdir(join(folder, 'spec')))
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => `spec/${name}`);
  const texts = new Map(
    await Promise.all(files.map(async (file) => [file, await readFile(join(folder, file), 'utf8')] as const)),
  );
  // A reference to a file outside the folder makes the result depend on that file.
  const refersOutside = [...texts.values()].some((text) => /\$ref['"]?:\s*['"]?\.\.\//.test(text));
  const find = (): Promise<Fault[]> => lintTexts(folder, texts);
  const found = refersOutside
    ? await find()
    : (JSON.parse(await cachedStep('lint', [...texts], async () => JSON.stringify(await find()))) as Fault[]);
  return {
    faults: found.filter(({ isWarning }) => isWarning !== true),
    warnings: found.filter(({ isWarning }) => isWarning === true),
    texts,
  };
}

async function lintTexts(folder: string, texts: ReadonlyMap<string, string>): Promise<Fault[]> {
  const syntax = [...texts].flatMap(([file, text]) => syntaxFaults(file, text));
  if (syntax.length > 0) return syntax;

  const others = [...texts].filter(([file]) => file !== contract).map(([, text]) => text);
  const byRedocly = await redoclyFaults(
    folder,
    described.filter((file) => texts.has(file)),
    config,
  );
  const all = [...byRedocly, ...ownFaults(contract, texts.get(contract) ?? '', others)];
  // An example that several places refer to is found faulty from each of them.
  const found = [
    ...new Map(
      all.map((fault) => [[fault.file, fault.line, fault.column, fault.rule, fault.message].join('\n'), fault]),
    ).values(),
  ];
  return withoutConsequences(found).sort(
    (a, b) => a.file.localeCompare(b.file) || a.line - b.line || a.column - b.column,
  );
}
