/** Finds places in JSON texts. The parser of YAML, which finds them too, takes seconds for large documents. */

/** A string, a bracket or a comma, or any other value. The strings before colons are the names. */
const token = /"(?:[^"\\]|\\.)*"|[{}[\],]|[^\s"{}[\],:]+/g;

/** An open object or list: whether it is a list, the number of complete members, and whether the next token starts a member. */
interface Container {
  readonly isList: boolean;
  index: number;
  startsMember: boolean;
}

/** The text of a name. The same name can have different escapes. */
const nameOf = (text: string): string => (text.includes('\\') ? (JSON.parse(text) as string) : text.slice(1, -1));

/**
 * The offset of the name of a member, or of an item, by the keys that lead to it. Where nothing is there, that of the nearest
 * place around it. `text` must be valid JSON.
 */
export function offsetInJson(text: string, keys: readonly string[]): number {
  let found = 0;
  /** The number of keys whose members are found: the last one of them encloses this token. */
  let matched = 0;
  const open: Container[] = [];
  for (const { 0: part, index } of text.matchAll(token)) {
    if (matched === keys.length) return found;
    const at = open.at(-1);
    // Only the members of the last match can have the next key.
    const isCandidate = open.length === matched + 1;
    if (part === ',') {
      if (at === undefined) continue;
      at.index++;
      at.startsMember = true;
      if (open.length <= matched) return found;
    } else if (part === '}' || part === ']') {
      open.pop();
      if (open.length <= matched) return found;
    } else {
      if (at?.startsMember && isCandidate) {
        const key = at.isList ? String(at.index) : nameOf(part);
        if (key === keys[matched]) {
          found = index;
          matched++;
        }
      }
      if (at !== undefined) at.startsMember = false;
      if (part === '{' || part === '[') open.push({ isList: part === '[', index: 0, startsMember: true });
    }
  }
  return found;
}
