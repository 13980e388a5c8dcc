/** Parses bodies of requests and responses. */

/** Parses the body as JSON in UTF-8, or returns the reason why it is invalid. `ignoreBOM` rejects a byte order mark. */
export function parseBody(
  body: Buffer,
  { ignoreBOM = false } = {},
): { readonly value: unknown } | { readonly fault: string } {
  try {
    return { value: JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM }).decode(body)) as unknown };
  } catch (error) {
    return { fault: error instanceof SyntaxError ? 'not JSON' : 'not UTF-8' };
  }
}
