/** Renders the CommonMark descriptions of the contract documents as HTML. */
import { marked } from 'marked';
import type { Html } from './html.ts';

/** Renders block elements: paragraphs, lists and headings. */
export const prose = (text: string): Html => ({ html: marked.parse(text, { async: false }) });

/** Renders inline elements only. */
export const phrase = (text: string): Html => ({ html: marked.parseInline(text, { async: false }) });
