/** `/llms.txt` (llmstxt.org): what the documentation consists of, for programs that read text. */
import type { OpenApiDocument } from '../../contract/openapi.ts';

/** A document that the file names. */
export interface DocumentLink {
  /** Its path from the root of the service. */
  readonly path: string;
  readonly title: string;
  readonly about: string;
}

interface Info {
  readonly version: string;
  readonly summary?: string;
  readonly description?: string;
}

/** The contract about itself in one line: its summary, or the first paragraph of its description. */
function summaryOf({ summary, description = '' }: Info): string | undefined {
  const [first = ''] = description.trim().split(/\n\s*\n/);
  const text = summary ?? (/^(?:[-*#|>]|\d+\.)/.test(first) ? '' : first);
  return text.trim() === '' ? undefined : text.trim().replaceAll(/\s+/g, ' ');
}

const section = (title: string, links: readonly DocumentLink[]): string =>
  links.length === 0
    ? ''
    : `\n## ${title}\n\n${links.map((link) => `- [${link.title}](${link.path}): ${link.about}\n`).join('')}`;

/**
 * Makes the file. Its links are relative, so that they also hold behind a proxy that adds a prefix, and in a copy. `contracts` are documents
 * beside `openapi.json`.
 */
export function llmsText(
  { info }: OpenApiDocument,
  title: string,
  parts: { readonly guides: readonly DocumentLink[]; readonly contracts: readonly DocumentLink[] },
): string {
  const about = info as Info;
  const summary = summaryOf(about);
  const reference = {
    path: 'docs/index.md',
    title: 'API reference',
    about: 'every operation with its parameters, examples and errors',
  };
  const forGenerators = {
    path: 'openapi.generators.json',
    title: 'openapi.generators.json',
    about: 'OpenAPI 3.0.3, for code generators',
  };
  return `# ${title.replaceAll(/\s+/g, ' ')}
${summary === undefined ? '' : `\n> ${summary}\n`}
Version ${about.version} of the contract. The documentation needs no API key, and its pages are in Markdown here.
${section('Documentation', [reference, ...parts.guides])}${section('Contract', parts.contracts)}${section('Optional', [forGenerators])}`;
}
