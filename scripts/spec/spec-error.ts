/** What keeps a script from working with a spec that is legal OpenAPI, as a fault with its place. */
import type { Fault } from './lint/fault.ts';
import { positionOf } from './pointer.ts';
import { parseYaml } from './yaml.ts';

/** The spec says something that a generator cannot work with. */
export class SpecError extends Error {
  override readonly name = 'SpecError';
  /** The JSON Pointer of the place in spec/openapi.yaml, or in `file`. */
  readonly pointer: string;
  readonly file: string;
  /** What to do about it. */
  readonly fix: string;

  constructor(message: string, pointer: string, fix: string, file = 'spec/openapi.yaml') {
    super(message);
    this.pointer = pointer;
    this.fix = fix;
    this.file = file;
  }
}

/** The error as a fault with line and column; `texts` holds the files. What is no SpecError stands at the start of the contract. */
export function faultOf(error: unknown, texts: ReadonlyMap<string, string>): Fault {
  const { message, pointer, file, fix } =
    error instanceof SpecError
      ? error
      : new SpecError(oneLine(error), '', 'undo the last change of the spec, and report this message as a defect.');
  const { document, lines } = parseYaml(texts.get(file) ?? '');
  return { file, ...positionOf(document, lines, pointer), rule: 'generate', message, fix };
}

const oneLine = (error: unknown): string => (error instanceof Error ? error.message : String(error)).split('\n', 1)[0]!;
