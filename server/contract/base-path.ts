/** The base paths of a contract: the paths of its servers, under which callers reach the operations. */

interface ServerVariable {
  readonly default?: string;
  readonly enum?: readonly string[];
}
interface Server {
  readonly url: string;
  readonly variables?: Readonly<Record<string, ServerVariable>>;
}
/** The part of an OpenAPI document that names its servers. */
export interface DocumentWithServers {
  readonly servers?: readonly Server[];
}

/** The URLs of a server, one for each combination of the values of its variables. */
export function urlsOf({ url, variables = {} }: Server): string[] {
  return Object.entries(variables).reduce(
    (urls, [name, { default: value = '', enum: values = [value] }]) =>
      urls.flatMap((template) => values.map((each) => template.replaceAll(`{${name}}`, each))),
    [url],
  );
}

/**
 * The base paths of a document without a slash at the end, the longest first; none for servers at the root. A relative
 * URL is relative to the root, where the server has its document. A URL that cannot be parsed has no base path.
 */
export function basePaths({ servers = [] }: DocumentWithServers): readonly string[] {
  const paths = servers.flatMap(urlsOf).flatMap((url) => {
    const path = URL.parse(url, 'http://localhost/')?.pathname.replace(/\/+$/, '') ?? '';
    return path === '' ? [] : [path];
  });
  return [...new Set(paths)].sort((one, other) => other.length - one.length);
}

/**
 * A request target without the base path that it starts with; undefined where it starts with none. It always begins
 * with a slash.
 */
export function withoutBasePath(target: string, bases: readonly string[]): string | undefined {
  for (const base of bases) {
    if (!target.startsWith(base)) continue;
    const rest = target.slice(base.length);
    if (rest === '') return '/';
    if (rest.startsWith('?')) return `/${rest}`;
    if (rest.startsWith('/')) return rest;
  }
  return undefined;
}
