/** The paths as the log names them: an address can be a search term, a username or a typing error of a person. */
import { bySpecificity } from '../../contract/path-template.ts';

/** The paths outside the contract. `{}` stands for one part that callers choose, `{+}` for one or more. */
const ownPaths = [
  ...['/', '/explore', '/u/{}', '/t/{}', '/c/{}', '/s/{}', '/ask', '/live', '/live/following', '/live/overview'],
  ...['/import', '/operate', '/operate/api/{+}', '/assets/{}', '/favicon.ico', '/robots.txt', '/llms.txt'],
  ...['/ws', '/mcp'],
  ...['/apple-touch-icon.png', '/apple-touch-icon-precomposed.png'],
  ...['/docs', '/docs/', '/docs/try', '/docs/search', '/docs/events', '/docs/operations', '/docs/agents'],
  ...['/docs/index.md', '/docs/search.md', '/docs/events.md', '/docs/operations.md', '/docs/agents.md', '/docs/{+}'],
  ...['/openapi.json', '/openapi.yaml', '/openapi.generators.json', '/asyncapi.json', '/asyncapi.yaml'],
  ...['/healthz', '/readyz', '/metrics'],
];

/**
 * Returns the function that names a path for the log: by the template of the contract or of this service, else `unknown`.
 * `templates`: the paths of the contract.
 */
export function createPathNames(templates: readonly string[]): (path: string) => string {
  const known = [...templates].sort(bySpecificity).concat(ownPaths);
  const literal = new Set(known.filter((template) => !template.includes('{')));
  const patterns = known
    .filter((template) => !literal.has(template))
    .map((template) => {
      const parts = template.split(/(\{[^}]*\})/);
      const pattern = parts.map((part) =>
        part === '{+}' ? '.+' : part.startsWith('{') ? '[^/]+' : part.replaceAll(/[^\w/]/g, String.raw`\$&`),
      );
      return { template, pattern: new RegExp(`^${pattern.join('')}$`) };
    });
  return (path) =>
    literal.has(path) ? path : (patterns.find(({ pattern }) => pattern.test(path))?.template ?? 'unknown');
}
