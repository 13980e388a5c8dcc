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
export function visibleText(): VisibleText {
  let waiting = '';
  let hiddenIn: string | undefined;
  let space = '';
  let begun = false;

  /** Takes what is decided from the front of `waiting`; a `last` call decides everything. */
  function take(last: boolean): string {
    let shown = '';
    let at = 0;
    for (;;) {
      if (hiddenIn !== undefined) {
        const end = endOf(waiting, hiddenIn, at);
        if (end === undefined) {
          // The closing tag may have begun in what is here.
          at = last ? waiting.length : Math.max(at, waiting.length - hiddenIn.length - 12);
          break;
        }
        hiddenIn = undefined;
        at = end;
      }
      const tag = waiting.indexOf('<', at);
      shown += waiting.slice(at, tag === -1 ? waiting.length : tag);
      at = tag === -1 ? waiting.length : tag;
      if (tag === -1) break;
      const rest = waiting.slice(tag, tag + longestTag);
      const opened = opening.exec(rest);
      const closed = opened === null ? closing.exec(rest) : null;
      if (opened !== null) hiddenIn = opened[1]!.toLowerCase();
      if (opened !== null || closed !== null) at = tag + (opened ?? closed)![0].length;
      else if (!last && rest.length < longestTag && mayBecomeTag(rest)) break;
      else {
        shown += '<';
        at = tag + 1;
      }
    }
    waiting = waiting.slice(at);
    return shown;
  }

  function trimmed(text: string): string {
    const clean = text.replace(controls, '');
    const visible = clean.trimEnd();
    if (visible === '') {
      if (begun) space += clean;
      return '';
    }
    const front = begun ? space + visible : visible.trimStart();
    begun = true;
    space = clean.slice(visible.length);
    return front;
  }

  let half = '';
  const wellFormed = (text: string, last: boolean): string => {
    const whole = half + text;
    half = !last && /[\ud800-\udbff]$/.test(whole) ? whole.slice(-1) : '';
    return (half === '' ? whole : whole.slice(0, -1)).toWellFormed();
  };

  return {
    push(piece) {
      waiting += wellFormed(piece, false);
      return trimmed(take(false));
    },
    end() {
      waiting += wellFormed('', true);
      return trimmed(take(true));
    },
  };
}

/** The visible part of a whole text. */
export function visiblePart(text: string): string {
  const visible = visibleText();
  return visible.push(text) + visible.end();
}

/** Behind the closing tag of an element, looked for from a place on; undefined where it is not there. */
function endOf(text: string, name: string, from: number): number | undefined {
  const tag = new RegExp(String.raw`</${name}\s{0,9}>`, 'gi');
  tag.lastIndex = from;
  return tag.test(text) ? tag.lastIndex : undefined;
}

/** Whether a text without its end may still turn out to begin with a hidden tag. */
function mayBecomeTag(text: string): boolean {
  const [, slash = '', name = '', rest = ''] = /^<(\/?)([a-z:_]*)([^]*)$/i.exec(text)!;
  const lower = name.toLowerCase();
  if (rest === '') return hiddenNames.some((hidden) => hidden.startsWith(lower));
  return hiddenNames.includes(lower) && (slash === '' ? /^\s[^<>]*$/ : /^\s*$/).test(rest);
}
