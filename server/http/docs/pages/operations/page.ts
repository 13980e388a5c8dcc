/** The page /docs/operations: running the service in production. The texts are in the Markdown files of this folder. */
import { readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { settings } from '../../../../config/config.ts';
import { cell, contentsOf, documentOf, readGuide, sectionOf, type Section } from '../guide.ts';
import { html } from '../html.ts';
import { fenced } from '../markdown-text.ts';
import type { Page } from '../page.ts';
import { phrase } from '../prose.ts';

/** The sections in their order, each the name of a file. */
const ids = [
  ...['start', 'configuration', 'keys', 'operator', 'proxy', 'health', 'metrics', 'follow', 'webhooks', 'instances'],
  ...['sizes', 'import', 'data', 'erasure', 'upgrades', 'limits'],
];

const lead = `How to run the service in production: one process, one data folder, and a TLS proxy in front. All files on this page are in
\`server/deploy/\` of the repository.`;

/** The table of all environment variables. */
const settingTable = (): string =>
  [
    '| Variable | Default | Meaning | Takes |',
    '| --- | --- | --- | --- |',
    ...settings.map(({ name, defaultText, description, expected }) => {
      const preset = defaultText === '' ? 'none' : `\`${defaultText.replaceAll('|', String.raw`\|`)}\``;
      return `| <span id="${name}">\`${name}\`</span> | ${preset} | ${cell(description)} | ${cell(expected)} |`;
    }),
  ].join('\n');

const languages: Readonly<Record<string, string>> = {
  ...{ '.yaml': 'yaml', '.yml': 'yaml', '.service': 'ini', '.env': 'sh', '.conf': 'nginx' },
  ...{ Dockerfile: 'dockerfile', Caddyfile: 'caddy' },
};

/** A file that the repository ships, to be copied from the page. */
async function shipped(name: string): Promise<string> {
  const text = await readFile(new URL(`../../../../deploy/${name}`, import.meta.url), 'utf8');
  return fenced(`${languages[extname(name)] ?? languages[name] ?? 'text'} server/deploy/${name}`, text);
}

/** The sections of the guide, placeholders filled. */
export const readOperations = (): Promise<readonly Section[]> =>
  readGuide(new URL('./', import.meta.url), ids, { settings: async () => settingTable(), file: shipped });

export async function operationsPage(): Promise<Page> {
  const sections = await readOperations();
  return {
    name: 'operations',
    place: 'operate',
    styles: ['operations'],
    title: 'Operations',
    lead: phrase(lead),
    markdown: documentOf('Operations', lead, sections),
    skip: { to: 'start', words: 'Skip to the guide' },
    main: html`${contentsOf(sections)}
${sections.map(sectionOf)}`,
  };
}
