/** Renders the CommonMark descriptions of the contract documents as HTML. */
import { marked } from 'marked';
import type { Html } from './html.ts';

/** The pages are one level below the root of the service: so its links also hold behind a proxy that adds a prefix. */
export const relative = (rendered: string): string => rendered.replaceAll('href="/', 'href="../');

/** Renders block elements: paragraphs, lists and headings. */
export const prose = (text: string): Html => ({ html: relative(marked.parse(text, { async: false })) });

/** Renders inline elements only. */
export const phrase = (text: string): Html => ({
  html: relative(marked.parseInline(text, { async: false })),
});
