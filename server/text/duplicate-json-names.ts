/**
 * Finds names that are given more than once in one JSON object: JSON.parse keeps the last of them and says nothing
 * (RFC 8259 §4).
 */

/** The parts of a valid JSON text that names depend on: strings, and what begins, ends or separates. */
const token = /"(?:[^"\\]|\\.)*"|[{}[\],]/g;

/**
 * The first name that an object of the text has twice, with the names of the members that it is in, joined by dots;
 * undefined where each name is given once. `text` must be valid JSON. Works without recursion, because a text can be
 * nested as deeply as it is long.
 */
export function duplicateName(text: string): string | undefined {
  /** For each object or list that is open: the names so far, undefined for a list. */
  const open: { readonly names: Set<string> | undefined; name: string | undefined }[] = [];
  for (const [part] of text.matchAll(token)) {
    const at = open.at(-1);
    if (part === '{') open.push({ names: new Set(), name: undefined });
    else if (part === '[') open.push({ names: undefined, name: undefined });
    else if (part === '}' || part === ']') open.pop();
    else if (part === ',' && at !== undefined) at.name = undefined;
    else if (at?.names !== undefined && at.name === undefined) {
      // The first string of a member is its name; escapes are other ways to write the same name.
      at.name = part.includes('\\') ? (JSON.parse(part) as string) : part.slice(1, -1);
      if (at.names.has(at.name)) return open.flatMap(({ name }) => name ?? []).join('.');
      at.names.add(at.name);
    }
  }
  return undefined;
}
