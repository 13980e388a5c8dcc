/** The descriptions of our own documents, which are CommonMark, as HTML. */
import { marked } from 'marked';
import type { Html } from './html.ts';

/** Whole paragraphs, lists and headings. */
export const prose = (text: string): Html => ({ html: marked.parse(text, { async: false }) });

/** What stands within a line. */
export const phrase = (text: string): Html => ({ html: marked.parseInline(text, { async: false }) });
