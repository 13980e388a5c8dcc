/** Finds the whole entries in the text of a damaged JSON document. */

/** The maximum length of a text that is searched, in UTF-16 code units: the cost can grow with its square. */
const maxLength = 4 * 1024 * 1024;

/** The index after the object that begins at `start`; undefined if it has no end. Recognises strings, not complete JSON. */
function endOfObject(text: string, start: number): number | undefined {
  let depth = 0;
  let isString = false;
  for (let index = start; index < text.length; index++) {
    const character = text[index];
    if (isString) {
      if (character === '\\') index++;
      else if (character === '"') isString = false;
    } else if (character === '"') isString = true;
    else if (character === '{') depth++;
    else if (character === '}' && --depth === 0) return index + 1;
  }
  return undefined;
}

function parseObject(text: string, start: number): { value: unknown; end: number } | undefined {
  const end = endOfObject(text, start);
  if (end === undefined) return undefined;
  try {
    return { value: JSON.parse(text.slice(start, end)), end };
  } catch {
    return undefined;
  }
}

/** The objects inside a document of the form `{"name":[{…},{…}]}` that are whole and for which `isEntry` holds. */
export function wholeEntries(text: string, isEntry: (value: unknown) => boolean): unknown[] {
  const entries: unknown[] = [];
  if (text.length > maxLength) return entries;
  for (let at = text.indexOf('{', 1); at !== -1; at = text.indexOf('{', at)) {
    const found = parseObject(text, at);
    if (found !== undefined && isEntry(found.value)) {
      entries.push(found.value);
      at = found.end;
    } else at++;
  }
  return entries;
}
