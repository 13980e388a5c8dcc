/** How the process of a service ends when it fails. */
import { ConfigError } from '../config/variables.ts';
import { StoreError } from '../ports/storage.ts';
import { codeOf } from '../text/error-text.ts';
import { faultText } from '../process/file-fault.ts';

/**
 * Ends the process after an error: prints one line for an error that the operator can fix, the stack for any other
 * error.
 */
export function fail(error: unknown): never {
  const expected = error instanceof ConfigError || error instanceof StoreError || codeOf(error) !== undefined;
  console.error(expected ? faultText(error) : error);
  process.exit(1);
}
