/** JSON Pointers (RFC 6901), and where they stand in a YAML file. */
import { isAlias, isMap, isScalar, isSeq, type Document, type LineCounter, type Node, type Scalar } from 'yaml';

/** A key as a pointer has it. */
export const escapeKey = (key: string): string =>
  /[~/]/.test(key) ? key.replaceAll('~', '~0').replaceAll('/', '~1') : key;
const unescapeKey = (token: string): string =>
  token.includes('~') ? token.replaceAll('~1', '/').replaceAll('~0', '~') : token;
/** The keys that a pointer goes through. */
export const keysOf = (pointer: string): string[] => pointer.split('/').slice(1).map(unescapeKey);

/**
 * Where a pointer stands in a YAML file: line and column, counted from 1, of the member's name or of the item.
 * Where nothing stands there, those of the nearest place around it.
 */
export function positionOf(document: Document, lines: LineCounter, pointer: string): { line: number; column: number } {
  let node = document.contents as Node | null | undefined;
  let offset = 0;
  for (const key of keysOf(pointer)) {
    if (isAlias(node)) node = node.resolve(document);
    if (isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === key);
      if (!pair) break;
      offset = (pair.key as Scalar).range?.[0] ?? offset;
      node = pair.value as Node | null;
    } else if (isSeq(node)) {
      node = node.items[Number(key)] as Node | undefined;
      if (!node) break;
      offset = node.range?.[0] ?? offset;
    } else break;
  }
  const { line, col } = lines.linePos(offset);
  return { line, column: col };
}
