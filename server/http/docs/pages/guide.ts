/**
 * Guides that are written in Markdown (GitHub Flavored Markdown): one file for each section, which begins with its heading. The page and
 * the Markdown that machines read are made of the same text.
 *
 * - `{{name}}` alone on a line stands for Markdown that the code makes: a table of what it accepts, or a file that it ships.
 * - The info string of a fenced block is its language and its name: a reader can copy it, and tests run it by its name. A block whose name
 *   is the path of a file is folded.
 * - The name of the file is the anchor of its section.
 */
import { readFile } from 'node:fs/promises';
import { Marked, type Tokens } from 'marked';
import { html, type Html } from './html.ts';
import { anchor, withMarkdownLinks } from './markdown-text.ts';
import { relative } from './prose.ts';
import { sample } from './sample.ts';
import { row, table } from './table.ts';

export interface Section {
  /** The anchor of the section, and the name of its file. */
  readonly id: string;
  readonly title: string;
  /** Its text with the heading, placeholders filled. */
  readonly markdown: string;
}

/** Makes the Markdown for a placeholder; `argument` is what follows its name. */
export type Fill = Readonly<Record<string, (argument: string) => Promise<string>>>;

const placeholder = /^\{\{(\w+)(?: ([^}]+))?\}\}$/gm;

/** Fills the placeholders of a text. Rejects for one that has no function. */
async function filled(text: string, fill: Fill): Promise<string> {
  const found = [...text.matchAll(placeholder)];
  const values = await Promise.all(
    found.map(async ([whole, name = '', argument = '']) => {
      const make = fill[name];
      if (make === undefined) throw new Error(`the guide has the unknown placeholder ${whole}`);
      return make(argument);
    }),
  );
  return text.replaceAll(placeholder, () => values.shift() ?? '');
}

/** Reads the sections `ids` of the guide in `folder`. */
export const readGuide = (folder: URL, ids: readonly string[], fill: Fill): Promise<readonly Section[]> =>
  Promise.all(
    ids.map(async (id) => {
      const text = await readFile(new URL(`${id}.md`, folder), 'utf8');
      const title = /^## (.+)$/m.exec(text)?.[1];
      if (title === undefined) throw new Error(`the section '${id}' of the guide has no heading`);
      return { id, title, markdown: await filled(text, fill) };
    }),
  );

/** A text for a cell of a table, in which nothing is Markdown but what is between backticks. */
export const cell = (text: string): string =>
  text
    .split(/(`[^`]*`)/)
    .map((part, place) => (place % 2 === 1 ? part : part.replaceAll(/[\\*_<[\]~]|:(?=\/\/)/g, String.raw`\$&`)))
    .join('')
    .replaceAll('|', String.raw`\|`);

const shippedFiles = 'server/deploy/';

function drawSample({ lang = '', text }: Tokens.Code): Html {
  const [, name = ''] = lang.split(' ');
  if (!name.startsWith(shippedFiles)) return sample(text, `sample-${name}`);
  return html`<details><summary><code>${name}</code></summary>
${sample(`${text}\n`, name.slice(shippedFiles.length))}
</details>`;
}

const renderer = new Marked({
  renderer: {
    code: (token) => `${drawSample(token).html}\n`,
    // The class, from the first word of the head, gives the columns their widths.
    table({ header, rows }) {
      const inline = ({ tokens }: Tokens.TableCell): Html => ({ html: this.parser.parseInline(tokens) });
      const [name = ''] = header[0]?.text.toLowerCase().split(' ') ?? [];
      const body = html`${rows.map((cells) => row(...cells.map(inline)))}`;
      const heads = header.map(inline);
      return html`<div class="of-${name}">${table(heads, [body])}</div>
`.html;
    },
  },
});

/** A section as HTML. An anchor before a heading becomes the id of the heading. */
export function sectionOf({ id, markdown }: Section): Html {
  const rendered = relative(renderer.parse(markdown, { async: false }))
    .replace('<h2>', `<h2 id="${id}">`)
    .replaceAll(/<p>(<a id="[^"]+")><\/a><\/p>\n<h3>/g, (_whole, anchor: string) => `<h3${anchor.slice(2)}>`);
  return html`<section>
${{ html: rendered }}</section>
`;
}

/** The contents of a guide, beside its sections. */
export const contentsOf = (sections: readonly Pick<Section, 'id' | 'title'>[]): Html =>
  html`<nav class="contents" aria-label="On this page">${sections.map(({ id, title }) => html`<a href="#${id}">${title}</a> `)}</nav>`;

/** The guide as one Markdown document, with an anchor before each section. */
export const documentOf = (title: string, lead: string, sections: readonly Section[]): string =>
  `# ${title}\n\n${lead}\n\n${sections
    .map(({ id, markdown }) => `${anchor(id)}\n\n${withMarkdownLinks(markdown.trim())}\n`)
    .join('\n')}`;
