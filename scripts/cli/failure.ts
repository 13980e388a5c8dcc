/** How the commands of the operator end when they fail. */
import { faultText } from '../../server/process/file-fault.ts';
import { codeOf } from '../../server/text/error-text.ts';

/** Invalid arguments. */
export class UsageError extends Error {}

const isUsage = (error: unknown): boolean =>
  error instanceof UsageError || String(codeOf(error)).startsWith('ERR_PARSE_ARGS');

/** Prints an error, and sets the exit code: 2 for invalid arguments, 1 for any other failure. `name`: of the command. */
export function fail(error: unknown, name: string): void {
  const text = faultText(error);
  const hint = `npm run ${name} -- --help shows the options`;
  console.error(isUsage(error) && !text.startsWith('Usage:') ? `${text}\n${hint}` : text);
  process.exitCode = isUsage(error) ? 2 : 1;
}
