/** Path templates of OpenAPI, such as `/users/{id}/posts`. */

/** One part of a template: literal text, or the name of a parameter. */
type Part = { readonly text: string } | { readonly parameter: string };

/** The parts of a template in their order. */
const partsOf = (template: string): Part[] =>
  template
    .split(/(\{[^{}]*\})/)
    .filter((part) => part !== '')
    .map((part) => (/^\{.*\}$/.test(part) ? { parameter: part.slice(1, -1) } : { text: part }));

/** The names of the parameters of a template in their order. */
export const parametersOfPath = (template: string): string[] =>
  partsOf(template).flatMap((part) => ('parameter' in part ? [part.parameter] : []));

/** The template in the syntax of path-to-regexp 8, which Express and express-openapi-validator use. */
export const expressPath = (template: string): string =>
  partsOf(template)
    .map((part) =>
      'parameter' in part
        ? `:${/^[A-Za-z_]\w*$/.test(part.parameter) ? part.parameter : JSON.stringify(part.parameter)}`
        : part.text.replace(/[{}()[\]+?!:*\\]/g, '\\$&'),
    )
    .join('');

/** The values of the parameters in a path that the template matches, as they were sent; empty where it does not match. */
export function rawPathValues(template: string, path: string): Map<string, string> {
  const names = parametersOfPath(template);
  const pattern = partsOf(template).map((part) =>
    'parameter' in part ? '([^/]+?)' : part.text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
  );
  const values = new RegExp(`^${pattern.join('')}$`).exec(path) ?? [];
  return new Map(names.flatMap((name, index) => (values[index + 1] === undefined ? [] : [[name, values[index + 1]!]])));
}

/** The path with these texts for its parameters, as they are. */
export const filledPath = (template: string, texts: ReadonlyMap<string, string>): string =>
  partsOf(template)
    .map((part) => ('parameter' in part ? (texts.get(part.parameter) ?? '') : part.text))
    .join('');

/** The path with the values of its parameters, percent-encoded. */
export const pathWith = (template: string, values: Readonly<Record<string, unknown>>): string =>
  partsOf(template)
    .map((part) => ('parameter' in part ? encodeURIComponent(String(values[part.parameter])) : part.text))
    .join('');

/** A segment of a template, by how many paths it matches: a literal matches one. */
const freedom = (segment: string): number => (segment.includes('{') ? 1 + Number(/^\{[^{}]*\}$/.test(segment)) : 0);

/**
 * Compares two templates so that the more specific one comes first: it has a literal segment where the other one has a
 * parameter (OpenAPI 3.1, "Path Templating Matching"). A router that takes the first match then matches as OpenAPI says.
 */
export function bySpecificity(one: string, other: string): number {
  const [segments, others] = [one.split('/'), other.split('/')];
  for (const [index, segment] of segments.entries()) {
    const difference = freedom(segment) - freedom(others[index] ?? '');
    if (difference !== 0) return difference;
  }
  return 0;
}
