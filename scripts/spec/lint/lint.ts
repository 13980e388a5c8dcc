/** Lints the spec: each fault has file, line, column, rule and a suggested fix. */
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { hasConventions } from '../conventions.ts';
import {
  bundleOf,
  collectFiles,
  filesOf,
  type SpecFiles,
  type Fault,
  syntaxFaults,
} from '../../contract-tools/files/index.ts';
import { ownFaults } from './own-rules.ts';
import { redoclyFaults } from './redocly.ts';
import { cachedStep } from '../result-cache.ts';

/** The REST operations and all schemas. */
const contract = 'spec/openapi.yaml';
/** What Redocly has rules for; their neighbours are checked as YAML. */
const described = [contract, 'spec/asyncapi.yaml'];
/** The documents of the spec, which may refer to each other. */
const documentNames = [...described, 'spec/archive.yaml'];
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

/** The rules that every contract must keep before any command can work with it. */
export const blockingRules: readonly string[] = [
  'struct',
  'no-unresolved-refs',
  'invalid-pattern',
  'operation-operationId-unique',
];

/** The rules that a contract must keep in a project without conventions: all others are advice. */
const servingRules = [...blockingRules, 'unsupported', 'media-type-name'];

/** The faults as this project judges them. */
const judged = (faults: readonly Fault[]): readonly Fault[] =>
  hasConventions
    ? faults
    : faults.flatMap((fault) => {
        if (fault.rule === 'operation-repeat') return [];
        return servingRules.includes(fault.rule) ? [fault] : [{ ...fault, isWarning: true }];
      });

/** What the lint finds. */
export interface Linted {
  /** In the order of the files. */
  readonly faults: readonly Fault[];
  /** What should be corrected, but does not keep the spec from being used. */
  readonly warnings: readonly Fault[];
  /** The texts of the files of spec/, and of those that they refer to, by path. */
  readonly texts: ReadonlyMap<string, string>;
  /** The files of the contract. */
  readonly contract: SpecFiles;
}

/** Lints the spec of a project. Throws an Error when a file cannot be read. */
export async function lintSpec(folder: string): Promise<Linted> {
  const names = (await readdir(join(folder, 'spec'))).filter((name) => name.endsWith('.yaml')).toSorted();
  const specs = await Promise.all(names.map((name) => collectFiles(`spec/${name}`, filesOf(folder))));
  const texts = new Map(specs.flatMap((spec) => [...spec.texts]));
  const found = JSON.parse(
    await cachedStep('lint', [hasConventions, ...texts], async () =>
      JSON.stringify(await lintTexts(folder, specs, texts)),
    ),
  ) as Fault[];
  return {
    faults: found.filter(({ isWarning }) => isWarning !== true),
    warnings: found.filter(({ isWarning }) => isWarning === true),
    texts,
    contract: specs.find(({ entry }) => entry === contract) ?? { entry: contract, texts: new Map() },
  };
}

async function lintTexts(
  folder: string,
  specs: readonly SpecFiles[],
  texts: ReadonlyMap<string, string>,
): Promise<Fault[]> {
  // A file in the folder may be a part of another one.
  const parts = new Set(specs.flatMap((spec) => [...spec.texts.keys()].filter((file) => file !== spec.entry)));
  const documents = specs.filter(({ entry }) => !parts.has(entry) || documentNames.includes(entry));
  // The other files in the folder, such as waivers.yaml, may be lists.
  const syntax = [...texts].flatMap(([file, text]) => syntaxFaults(file, text, !documentNames.includes(file)));
  if (syntax.length > 0) return syntax;
  const bundles = new Map(documents.map((spec) => [spec.entry, bundleOf(spec)]));
  const unresolved = unique([...bundles.values()].flatMap(({ faults }) => faults));
  if (unresolved.length > 0) return unresolved;

  const own = specs.find(({ entry }) => entry === contract);
  const others = [...texts].filter(([file]) => own?.texts.has(file) !== true).map(([, text]) => text);
  const bundle = bundles.get(contract);
  const byRedocly = await redoclyFaults(
    folder,
    described.filter((file) => texts.has(file)),
    config,
  );
  const all = [...byRedocly, ...(bundle === undefined ? [] : ownFaults(bundle, others))];
  return withoutConsequences(unique(judged(all))).toSorted(
    (a, b) => a.file.localeCompare(b.file) || a.line - b.line || a.column - b.column,
  );
}

/** The faults without repetitions: an example that several places refer to is found faulty from each of them. */
const unique = (faults: readonly Fault[]): Fault[] => [
  ...new Map(
    faults.map((fault) => [[fault.file, fault.line, fault.column, fault.rule, fault.message].join('\n'), fault]),
  ).values(),
];
