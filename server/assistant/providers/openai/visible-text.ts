/** Filters the visible part of a model's text while it is streamed. */

/** Elements for reasoning or tool calls that some endpoints leave in the text. */
const hiddenNames = [
  'think',
  'thinking',
  'thought',
  'reasoning',
  'tool_call',
  'tool_response',
  'function_call',
  'xai:tool_usage_card',
  'grok:render',
];
const names = hiddenNames.join('|');
const opening = new RegExp(String.raw`^<(${names})(?:\s[^<>]{0,500})?>`, 'i');
const closing = new RegExp(String.raw`^</(?:${names})\s{0,9}>`, 'i');
/** Maximum length of a tag in UTF-16 units. */
const longestTag = 530;
const controls = /[\0-\x08\x0b-\x1f\x7f]/g;

export interface VisibleText {
  /** Adds a piece and returns the text that has become visible. */
  push(piece: string): string;
  /** Ends the text and returns its last visible part. */
  end(): string;
}

/** Removes hidden elements, however the pieces are cut. An element without an end hides the rest of the text. */
export const visibleText = (): VisibleText => new VisibleTextFilter();

class VisibleTextFilter implements VisibleText {
  readonly #wellFormed = new WellFormedText();
  readonly #trimmed = new TrimmedText();
  readonly #elements = new ElementFilter();

  push(piece: string): string {
    return this.#trimmed.push(this.#elements.push(this.#wellFormed.push(piece, false), false));
  }

  end(): string {
    return this.#trimmed.push(this.#elements.push(this.#wellFormed.push('', true), true));
  }
}

/** Removes hidden elements and their tags. */
class ElementFilter {
  #waiting = '';
  /** The name of the hidden element that is open. */
  #hiddenIn: string | undefined;

  /** Adds a piece and returns the text that is decided; the `last` call decides everything. */
  push(piece: string, last: boolean): string {
    this.#waiting += piece;
    let shown = '';
    while (this.#waiting !== '') {
      if (this.#hiddenIn !== undefined && !this.#skipHidden(this.#hiddenIn, last)) break;
      const tag = this.#waiting.indexOf('<');
      shown += this.#consume(tag === -1 ? this.#waiting.length : tag);
      if (tag === -1) break;
      const length = this.#tagLength(last);
      if (length === undefined) break;
      if (length === 0) shown += this.#consume(1);
      else this.#consume(length);
    }
    return shown;
  }

  /** Removes the text up to the end of the hidden element; false if the end is not there yet. */
  #skipHidden(name: string, last: boolean): boolean {
    const end = endOf(this.#waiting, name);
    // The closing tag may have begun in the text that is there.
    const start = last ? this.#waiting.length : Math.max(0, this.#waiting.length - name.length - 12);
    this.#consume(end ?? start);
    if (end !== undefined) this.#hiddenIn = undefined;
    return end !== undefined;
  }

  /** The length of the hidden tag at the start; 0 if there is none, undefined if it may still become one. */
  #tagLength(last: boolean): number | undefined {
    const text = this.#waiting.slice(0, longestTag);
    const [opened, name] = opening.exec(text) ?? [];
    if (opened !== undefined) {
      this.#hiddenIn = name?.toLowerCase();
      return opened.length;
    }
    const [closed] = closing.exec(text) ?? [];
    if (closed !== undefined) return closed.length;
    return !last && text.length < longestTag && mayBecomeTag(text) ? undefined : 0;
  }

  #consume(length: number): string {
    const text = this.#waiting.slice(0, length);
    this.#waiting = this.#waiting.slice(length);
    return text;
  }
}

/** Removes control characters, and white space at the start and at the end of the whole text. */
class TrimmedText {
  #space = '';
  #begun = false;

  push(text: string): string {
    const clean = text.replace(controls, '');
    const visible = clean.trimEnd();
    if (visible === '') {
      if (this.#begun) this.#space += clean;
      return '';
    }
    const front = this.#begun ? this.#space + visible : visible.trimStart();
    this.#begun = true;
    this.#space = clean.slice(visible.length);
    return front;
  }
}

/** Replaces lone surrogates; a pair that two pieces share stays whole. */
class WellFormedText {
  #half = '';

  push(text: string, last: boolean): string {
    const whole = this.#half + text;
    this.#half = !last && /[\ud800-\udbff]$/.test(whole) ? whole.slice(-1) : '';
    return (this.#half === '' ? whole : whole.slice(0, -1)).toWellFormed();
  }
}

/** The visible part of a whole text. */
export function visiblePart(text: string): string {
  const visible = visibleText();
  return visible.push(text) + visible.end();
}

/** The end of the closing tag of an element; undefined if it is not there. */
function endOf(text: string, name: string): number | undefined {
  const tag = new RegExp(String.raw`</${name}\s{0,9}>`, 'gi');
  return tag.test(text) ? tag.lastIndex : undefined;
}

/** Whether an incomplete text may become a hidden tag. */
function mayBecomeTag(text: string): boolean {
  const [, slash = '', name = '', rest = ''] = /^<(\/?)([a-z:_]*)([^]*)$/i.exec(text) ?? [];
  const lower = name.toLowerCase();
  if (rest === '') return hiddenNames.some((hidden) => hidden.startsWith(lower));
  return hiddenNames.includes(lower) && (slash === '' ? /^\s[^<>]*$/ : /^\s*$/).test(rest);
}
