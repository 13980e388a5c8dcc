/** Loads a spec of one or several files for a command. */
import { isObject, messageOf } from '../../../server/contract/values.ts';
import { faultReport } from './fault.ts';
import { syntaxFaults } from './syntax.ts';
import { bundleOf, type Bundle } from './bundle.ts';
import { upgraded } from './upgrade.ts';
import { collectFiles, type ReadFile, type SpecFiles } from './spec-files.ts';

/** A document with the files that it was made of. */
export interface LoadedSpec extends Bundle {
  readonly files: SpecFiles;
}

/** A spec that cannot be read; the message has the position and the reason. */
export class UnreadableSpecError extends Error {
  override readonly name = 'UnreadableSpecError';
}

/** The syntax errors of all files, or else the references that lead nowhere. */
export function loadedSpec(files: SpecFiles, keep?: readonly string[]): LoadedSpec {
  const syntax = [...files.texts].flatMap(([file, text]) => syntaxFaults(file, text, file !== files.entry));
  if (syntax.length > 0)
    return { files, value: undefined, faults: syntax, place: () => ({ file: files.entry, line: 1, column: 1 }) };
  const bundle = bundleOf(files, keep);
  return { files, ...bundle, value: upgraded(bundle.value) };
}

/** Reads a spec. Its faults are in the result. Throws an UnreadableSpecError where the entry does not exist. */
export async function loadSpec(entry: string, read: ReadFile, keep?: readonly string[]): Promise<LoadedSpec> {
  const files = await collectFiles(entry, read);
  if (!files.texts.has(entry)) throw new UnreadableSpecError(`there is no file ${entry}`);
  try {
    const spec = loadedSpec(files, keep);
    if (isObject(spec.value) && 'swagger' in spec.value)
      throw new UnreadableSpecError(
        `${entry} is Swagger ${String(spec.value.swagger)}, not OpenAPI: convert it to OpenAPI 3, for example with \`npx swagger2openapi ${entry}\``,
      );
    return spec;
  } catch (error) {
    // A text may be valid YAML whose value has no end, by an alias of itself.
    if (error instanceof RangeError) throw new UnreadableSpecError(`${entry} cannot be read: ${messageOf(error)}`);
    throw error;
  }
}

/** The document of a spec without faults. Throws an UnreadableSpecError with all faults and the `outcome` for the command. */
export function withoutFaults({ files, faults, value }: LoadedSpec, outcome: string): unknown {
  if (faults.length > 0) throw new UnreadableSpecError(faultReport(faults, files.texts, { outcome }));
  return value;
}
