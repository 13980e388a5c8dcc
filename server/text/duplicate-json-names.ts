/** Finds duplicate names in a JSON object: JSON.parse silently uses the last one (RFC 8259 §4). */

/** The tokens of a valid JSON text that determine names: strings, brackets, braces and commas. */
const token = /"(?:[^"\\]|\\.)*"|[{}[\],]/g;

/**
 * The path of the first duplicate name, joined by dots; undefined if there is none. `text` must be valid JSON. The
 * function is not recursive, because the nesting can be as deep as the text is long.
 */
export function duplicateName(text: string): string | undefined {
  /** The open objects and lists, each with the names so far; undefined for a list. */
  const open: { readonly names: Set<string> | undefined; name: string | undefined }[] = [];
  for (const [part] of text.matchAll(token)) {
    const at = open.at(-1);
    if (part === '{') open.push({ names: new Set(), name: undefined });
    else if (part === '[') open.push({ names: undefined, name: undefined });
    else if (part === '}' || part === ']') open.pop();
    else if (part === ',' && at !== undefined) at.name = undefined;
    else if (at?.names !== undefined && at.name === undefined) {
      // The first string of a member is its name. The same name can have different escapes.
      at.name = part.includes('\\') ? (JSON.parse(part) as string) : part.slice(1, -1);
      if (at.names.has(at.name)) return open.flatMap(({ name }) => name ?? []).join('.');
      at.names.add(at.name);
    }
  }
  return undefined;
}
