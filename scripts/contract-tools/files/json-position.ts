/** Finds places in JSON texts. The parser of YAML, which finds them too, takes seconds for large documents. */

/** A string, a bracket or a comma, or any other value. The strings before colons are the names. */
const token = /"(?:[^"\\]|\\.)*"|[{}[\],]|[^\s"{}[\],:]+/g;

/** A part of a text: the offset of its name or, for an item, of itself; and the parts in it, by name or place in the list. */
interface Part {
  readonly offset: number;
  inner?: Map<string, Part>;
}

/** An open object or list: whether it is a list, the number of complete members, and whether the next token starts a member. */
interface Container {
  readonly part: Part;
  readonly isList: boolean;
  index: number;
  startsMember: boolean;
}

/** The text of a name. The same name can have different escapes. */
const nameOf = (text: string): string => (text.includes('\\') ? (JSON.parse(text) as string) : text.slice(1, -1));

/** The offsets of all parts of a text. The text must be valid JSON without duplicate names. */
export class JsonOffsets {
  readonly #root: Part = { offset: 0 };

  constructor(text: string) {
    let next = this.#root;
    const open: Container[] = [];
    for (const { 0: part, index } of text.matchAll(token)) {
      const at = open.at(-1);
      if (part === ',') {
        if (at !== undefined) {
          at.index++;
          at.startsMember = true;
        }
        continue;
      }
      if (part === '}' || part === ']') {
        open.pop();
        continue;
      }
      if (at?.startsMember) {
        at.startsMember = false;
        next = { offset: index };
        (at.part.inner ??= new Map()).set(at.isList ? String(at.index) : nameOf(part), next);
      }
      if (part === '{' || part === '[') open.push({ part: next, isList: part === '[', index: 0, startsMember: true });
    }
  }

  /** The offset of the name of a member, or of an item, by the keys that lead to it. Where nothing is there, that of the nearest place around it. */
  of(keys: readonly string[]): number {
    let at = this.#root;
    for (const key of keys) {
      const inner = at.inner?.get(key);
      if (inner === undefined) break;
      at = inner;
    }
    return at.offset;
  }
}
