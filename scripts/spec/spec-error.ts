/** What keeps a script from working with a spec that is legal OpenAPI, as a fault with its place. */
import type { Bundle, Fault } from '../contract-tools/files/index.ts';

/** The spec says something that a generator cannot work with. */
export class SpecError extends Error {
  override readonly name = 'SpecError';
  /** The JSON Pointer of the place in the contract. */
  readonly pointer: string;
  /** What to do about it. */
  readonly fix: string;

  constructor(message: string, pointer: string, fix: string) {
    super(message);
    this.pointer = pointer;
    this.fix = fix;
  }
}

/**
 * The error as a fault with file, line and column. What is no SpecError stands at the start of the document. `place` gives the
 * position of a JSON Pointer in the contract.
 */
export function faultOf(error: unknown, place: Bundle['place']): Fault {
  const { message, pointer, fix } =
    error instanceof SpecError
      ? error
      : new SpecError(oneLine(error), '', 'undo the last change of the spec, and report this message as a defect.');
  return { ...place(pointer), rule: 'generate', message, fix };
}

const oneLine = (error: unknown): string => (error instanceof Error ? error.message : String(error)).split('\n', 1)[0]!;
