/**
 * The mark of a contract that `npm run generate` has checked. A start does not repeat the checks of the contract that has it: they take an eighth
 * of its time. The mark depends on the bytes of the contract and on the packages that route and validate requests, so a contract that
 * was edited by hand, and one that another version of these packages would serve, are checked at the start.
 */
import { createHash } from 'node:crypto';
import { createRequire } from 'node:module';

const packages = ['express', 'router', 'express-openapi-validator'];

/** The mark of a contract, given as the text of `generated/openapi.json`. */
export function markOf(text: string): string {
  const require = createRequire(import.meta.url);
  const versions = packages.map(
    (name) => `${name}@${(require(`${name}/package.json`) as { version: string }).version}`,
  );
  return createHash('sha256')
    .update(`${versions.join(' ')}\n`)
    .update(text)
    .digest('hex');
}

const checked = new WeakSet<object>();

/** Records that a document, which was read from this text, is checked, if it has the mark. */
export function recordMark(document: object, text: string, mark: string): void {
  if (mark.trim() === markOf(text)) checked.add(document);
}

/** Whether `npm run generate` has checked a document. A copy of it counts as another one. */
export const isChecked = (document: object): boolean => checked.has(document);
