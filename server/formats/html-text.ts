/** The text of HTML that posts of Mastodon have, and its links. Nothing of it is kept as HTML. */
import { Parser } from 'htmlparser2';

/** A link in the text. */
export interface HtmlLink {
  readonly href: string;
  /** The text that is shown: without the parts that the platform hides. */
  readonly shown: string;
  readonly classes: readonly string[];
}

/** The maximum number of links: more than a text of the maximum length has. */
const maxLinks = 1000;
/**
 * The maximum number of open elements: the parser searches all of them for each end. What is nested deeper, and what follows it, is
 * left out. `pieceLength`: what the parser gets between two checks, in characters.
 */
const maxDepth = 256;
const pieceLength = 1000;
/** Elements whose content is no text. */
const silent = new Set(['script', 'style', 'template', 'title']);
/** Elements that begin on a line of their own, and those with an empty line before them. */
const lines = new Set(['li', 'div', 'tr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'pre', 'dt', 'dd']);
const paragraphs = new Set(['p', 'blockquote', 'ul', 'ol']);

/** The text of HTML with its paragraphs and line breaks, and the links in it. */
export function htmlText(html: string): { readonly text: string; readonly links: readonly HtmlLink[] } {
  const links: HtmlLink[] = [];
  let text = '';
  let muted = 0;
  let depth = 0;
  let open: { href: string; shown: string; classes: string[] } | undefined;
  /** The classes of the open `span` elements, which can hide a part of an address or shorten it. */
  const spans: string[] = [];
  const startLine = (count: number): void => {
    const has = /\n*$/.exec(text.slice(-count))![0].length;
    if (text !== '' && has < count) text += '\n'.repeat(count - has);
  };
  const startBlock = (name: string): void => {
    if (paragraphs.has(name)) startLine(2);
    else if (lines.has(name)) startLine(1);
  };
  const parser = new Parser(
    {
      onopentag(name, { href, class: classes = '' }) {
        depth++;
        if (silent.has(name)) muted++;
        else if (name === 'br') text += '\n';
        else if (name === 'span') spans.push(classes);
        else if (name === 'a' && href !== undefined) open = { href, shown: '', classes: classes.split(/\s+/) };
        else startBlock(name);
      },
      ontext(piece) {
        if (muted > 0) return;
        // A line break in HTML is a blank.
        const written = piece.replaceAll(/[\t\n\f\r]+/g, ' ');
        text += written;
        if (open !== undefined && !spans.includes('invisible')) open.shown += written;
      },
      onclosetag(name) {
        depth--;
        if (silent.has(name)) muted = Math.max(0, muted - 1);
        else if (name === 'span' && spans.pop() === 'ellipsis' && open !== undefined) open.shown += '…';
        else if (name === 'a' && open !== undefined) {
          if (links.length < maxLinks) links.push(open);
          open = undefined;
        } else startBlock(name);
      },
    },
    { decodeEntities: true, lowerCaseTags: true },
  );
  for (let at = 0; at < html.length && depth <= maxDepth; at += pieceLength)
    parser.write(html.slice(at, at + pieceLength));
  parser.end();
  return { text: text.trim(), links };
}
