/**
 * Filters the visible part of a model's text while it is streamed: what is neither reasoning nor a call of a tool that the
 * server left in the text.
 */

const reasoning =
  'think(?:ing)?|thoughts?|reason(?:ing)?|reflection|analysis|scratchpad|chain_of_thought|cot_budget_reflect|(?:inner|internal)_(?:thoughts?|monologue)|(?:thinking|thought|reasoning)_(?:process|content)';
const calls =
  'tools?_?calls?|tool_response|tool_use|function_?calls?|function=[\\w.-]{1,64}|function|invoke|tool_usage_card|render';
/** `<think>`, `<seed:think>`, `</think >`, `<|begin_of_thought|>`, `<｜tool▁calls▁begin｜>`, `[THINK]`, `◁/think▷`, `<|channel>`, `<channel|>`. */
const angle = /^<(\/?)(?:[a-z]{1,20}:)?([a-z_]+(?:=[\w.-]{1,64})?)(?:\s[^<>]{0,500})?>/i;
const token = /^<([|｜]?)\/?([\w▁/.-]{1,60})([|｜]?)>/i;
/** Only capital letters in square brackets: `[analysis](…)` is a link. */
const bracket = /^(?:\[(?=\/?[A-Z_]+\](?!\())|◁)(\/?)([A-Za-z_]{4,20})[\]▷]/;
const reasoningName = new RegExp(`^(?:${reasoning})$`, 'i');
const callName = new RegExp(`^(?:${calls})$`, 'i');
/** Maximum length of a marker in UTF-16 units. */
const longestTag = 560;
/** Maximum distance from a marker to the end of its code span. */
const longestSpan = 200;
const controls = /[\0-\x08\x0b-\x1f\x7f]/g;

/** Beginnings of whole answers that are reasoning, and where their answer begins. */
const headings: readonly (readonly [RegExp, RegExp])[] = [
  [/^\s*here(?:'s| is|’s) my thought process:/i, /here(?:'s| is|’s) my response:\s*/i],
  [/^\s*analysis(?=[A-Z])/, /assistantfinal/],
  [/^\s*thinking\.\.\.\s*\n/i, /\.\.\.done thinking\.?/i],
];

type Kind = 'reasoning' | 'call';
/** `answer`: the answer begins, so that the text before it is none. `mark`: a marker without a meaning for the text. */
type Marker = { readonly length: number } & (
  | { readonly type: 'open' | 'close'; readonly kind: Kind }
  | { readonly type: 'header' | 'mark' | 'answer' }
);

export interface VisibleText {
  /** Adds a piece and returns the text that has become visible. */
  push(piece: string): string;
  /** Ends the text and returns its last visible part. */
  end(): string;
  /** Whether there was reasoning in the text, whether a call of a tool, and whether the text before was reasoning. */
  readonly found: { readonly reasoning: boolean; readonly call: boolean; readonly leaked: boolean };
}

/**
 * Removes reasoning, calls and markers, however the pieces are cut. An element without an end hides the rest of the text;
 * an end without a beginning hides all text before it, because templates of models put the beginning into the prompt.
 * `streams`: the text is returned as it arrives, until there is the first marker; otherwise all of it at the end.
 */
export const visibleText = (streams = false): VisibleText => new VisibleTextFilter(streams);

class VisibleTextFilter implements VisibleText {
  readonly #wellFormed = new WellFormedText();
  readonly #trimmed = new TrimmedText();
  readonly #elements: ElementFilter;
  readonly found;

  constructor(streams: boolean) {
    this.#elements = new ElementFilter(streams);
    this.found = this.#elements.found;
  }

  push(piece: string): string {
    return this.#trimmed.push(this.#elements.push(this.#wellFormed.push(piece, false), false));
  }

  end(): string {
    return this.#trimmed.push(this.#elements.push(this.#wellFormed.push('', true), true));
  }
}

class ElementFilter {
  readonly found = { reasoning: false, call: false, leaked: false };
  #streams: boolean;
  #waiting = '';
  /** The text that is visible if no end of reasoning follows. */
  #held = '';
  #hasShown = false;
  #hidden: Kind | undefined;
  /** The text of a header of a message with channels, from its marker on. */
  #header: string | undefined;
  /** Whether the hidden text is a message of a channel. */
  #isChannel = false;
  /** The length of the run of backticks that began the open code span on this line; 0 if there is none. */
  #span = 0;

  constructor(streams: boolean) {
    this.#streams = streams;
  }

  /** Adds a piece and returns the text that is decided; the `last` call decides everything. */
  push(piece: string, last: boolean): string {
    const text = this.#waiting + piece;
    let at = 0;
    while (at < text.length) {
      const start = indexOfMark(text, at);
      this.#add(text.slice(at, start));
      at = start;
      if (start === text.length) break;
      if (text[start] === '`') {
        const end = endOfRun(text, start);
        if (end === text.length && !last) break;
        this.#toggleSpan(end - start);
        this.#add(text.slice(start, end));
        at = end;
        continue;
      }
      const marker = this.#markerAt(text, start, last);
      if (marker === undefined) break;
      if (marker === null) this.#add(text[start]!);
      else this.#apply(marker, text.slice(start, start + marker.length));
      at = start + (marker?.length ?? 1);
    }
    this.#waiting = text.slice(at);
    return this.#release(last);
  }

  /** The marker at a place; null if there is none, undefined if the text must go on to know it. */
  #markerAt(text: string, start: number, last: boolean): Marker | null | undefined {
    const rest = text.slice(start, start + longestTag);
    const marker = markerIn(rest);
    if (marker === null) return !last && rest.length < longestTag && mayBecomeMarker(rest) ? undefined : null;
    // Only what is visible has code: the end of hidden text counts wherever it stands.
    if (this.#span === 0 || this.#hidden !== undefined) return marker;
    const after = text.slice(start + marker.length, start + marker.length + longestSpan);
    const span = spanEnd(after, this.#span);
    return span === 'open' && !last && after.length < longestSpan ? undefined : span === 'closed' ? null : marker;
  }

  #apply(marker: Marker, source: string): void {
    switch (marker.type) {
      case 'open':
        if (this.#hidden === undefined) this.#hidden = marker.kind;
        return this.#note(marker.kind);
      case 'close':
        // After a call, the end of what is around it has no beginning of its own.
        if (this.#hidden === undefined && (marker.kind === 'reasoning' || !this.found.call)) this.#drop(marker.kind);
        else if (this.#hidden === marker.kind) this.#hidden = undefined;
        this.#span = 0;
        return this.#note(marker.kind);
      case 'header':
        if (/message/i.test(source)) return this.#endHeader();
        this.#note('reasoning');
        this.#header = '';
        this.#hidden = undefined;
        this.#span = 0;
        return;
      case 'answer':
        if (this.found.reasoning) this.#drop('reasoning');
        this.#hidden = undefined;
        return;
      case 'mark':
        // The end of a message, which is also the end of its channel.
        if (this.#isChannel && this.#header === undefined) this.#hidden = undefined;
        return;
    }
  }

  /** The header names the channel: only `final` is for the reader. */
  #endHeader(): void {
    const header = this.#header;
    this.#header = undefined;
    if (header === undefined) return;
    const channel = header.replace(/^\s*assistant/i, '').trim();
    if (/\bto=/.test(channel)) this.#note('call');
    if (channel === '' || /^final\b/i.test(channel)) this.#drop('reasoning');
    else this.#hidden = 'reasoning';
    this.#isChannel = this.#hidden !== undefined;
  }

  #note(kind: Kind): void {
    this.found[kind] = true;
    this.#streams = false;
  }

  /** The text so far was hidden text whose beginning is in the prompt. */
  #drop(kind: Kind): void {
    if (kind === 'reasoning' && this.#hasShown) this.found.leaked = true;
    this.#held = '';
  }

  #toggleSpan(run: number): void {
    if (this.#span === 0) this.#span = run;
    else if (this.#span === run) this.#span = 0;
  }

  #add(text: string): void {
    if (text.includes('\n')) this.#span = 0;
    if (this.#header !== undefined) this.#header = (this.#header + text).slice(0, 200);
    else if (this.#hidden === undefined) this.#held += text;
  }

  #release(last: boolean): string {
    if (!last && !this.#streams) return '';
    // A heading can still be incomplete.
    if (!last && !this.#hasShown && this.#held.length < 40) return '';
    if (!this.#hasShown && !this.#withoutHeading(last)) return '';
    const text = this.#held;
    this.#held = '';
    this.#hasShown ||= text.trim() !== '';
    return text;
  }

  /** Leaves out reasoning with a heading; false while its end is not there. */
  #withoutHeading(last: boolean): boolean {
    const heading = headings.find(([beginning]) => beginning.test(this.#held));
    if (heading === undefined) return true;
    this.#note('reasoning');
    if (!last) return false;
    const end = heading[1].exec(this.#held);
    this.#held = end === null ? '' : this.#held.slice(end.index + end[0].length);
    return true;
  }
}

const marks = /[<[◁`]/g;
function indexOfMark(text: string, from: number): number {
  marks.lastIndex = from;
  return marks.exec(text)?.index ?? text.length;
}

function endOfRun(text: string, start: number): number {
  let end = start;
  while (text[end] === '`') end++;
  return end;
}

/** Whether a code span ends in a text on the same line. */
function spanEnd(text: string, run: number): 'closed' | 'open' | 'none' {
  for (const [found] of text.matchAll(/`+|\n/g)) {
    if (found === '\n') return 'none';
    if (found.length === run) return 'closed';
  }
  return 'open';
}

/** The marker at the beginning of a text; null if there is none. */
function markerIn(text: string): Marker | null {
  const [tag, slash, name = ''] = angle.exec(text) ?? bracket.exec(text) ?? [];
  if (tag !== undefined) {
    const type = slash === '/' ? 'close' : 'open';
    if (reasoningName.test(name)) return { length: tag.length, type, kind: 'reasoning' };
    if (callName.test(name) || /^TOOL_(?:CALLS|RESULTS)$/.test(name)) return { length: tag.length, type, kind: 'call' };
    if (/^(?:answer|response|final_answer)$/i.test(name) && tag.startsWith('<'))
      return { length: tag.length, type: type === 'open' ? 'answer' : 'mark' };
  }
  return specialToken(text);
}

/** The special tokens of models: `<|…|>`, with wide bars, and `<|…>` and `<…|>`; also two of MedGemma. */
function specialToken(text: string): Marker | null {
  const unused = /^<unused9([45])>/.exec(text);
  if (unused !== null)
    return { length: unused[0].length, type: unused[1] === '4' ? 'open' : 'close', kind: 'reasoning' };
  const [tag = '', before, name = '', after] = token.exec(text) ?? [];
  if (tag === '' || (before === '' && after === '')) return null;
  const { length } = tag;
  if (/^(?:channel|start|message)$/i.test(name) && before !== '' && after !== '') return { length, type: 'header' };
  if (/response|solution|answer/i.test(name)) return { length, type: /end/i.test(name) ? 'mark' : 'answer' };
  const isEnd = before === '' || /^<[|｜]?\/|end|suffix/i.test(tag);
  const type = isEnd ? 'close' : 'open';
  if (/think|thought|reason|^inner_|^\/?channel$/i.test(name)) return { length, type, kind: 'reasoning' };
  if (/tool|function|action|python_tag/i.test(name)) return { length, type, kind: 'call' };
  return { length, type: 'mark' };
}

/** Whether an incomplete text may become a marker. */
const mayBecomeMarker = (text: string): boolean =>
  /^(?:<\/?(?:[a-z]{1,20}:)?[\w=.▁-]{0,70}|<[|｜][\w▁/.-]{0,60}[|｜]?|<[\w▁/.-]{0,60}[|｜]|[[◁]\/?[a-z_]{0,20})$/i.test(
    text,
  ) || mayHaveAttributes(text);

function mayHaveAttributes(text: string): boolean {
  const name = /^<\/?(?:[a-z]{1,20}:)?([a-z_]+(?:=[\w.-]{1,64})?)\s[^<>]*$/i.exec(text)?.[1];
  return name !== undefined && (reasoningName.test(name) || callName.test(name));
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
