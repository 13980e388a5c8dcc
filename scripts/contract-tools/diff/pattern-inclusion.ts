/**
 * Decides whether one regular expression matches every text that another one matches. The two are compared part by part, with
 * the parser of ESLint's plugins, so the answer is certain where it is yes; where two expressions are built differently it is
 * unknown. Whether a text matches depends neither on the order of alternatives nor on greediness.
 */
import { RegExpParser, visitRegExpAST, type AST } from '@eslint-community/regexpp';

type Range = readonly [low: number, high: number];
type Disjunction = AST.Pattern | AST.Group | AST.CapturingGroup | AST.LookaroundAssertion;

const parser = new RegExpParser({ ecmaVersion: 2025 });

/** The parts of a pattern; undefined for one that is invalid, or refers to what it matched before. */
function parsed(source: string): AST.Pattern | undefined {
  try {
    const pattern = parser.parsePattern(source, 0, source.length, { unicode: true });
    let refersBack = false;
    visitRegExpAST(pattern, { onBackreferenceEnter: () => void (refersBack = true) });
    return refersBack ? undefined : pattern;
  } catch {
    return undefined;
  }
}

/** Whether `wide` certainly matches every text that `narrow` matches. Both are patterns of JSON Schema. */
export function matchesAll(wide: string, narrow: string): boolean {
  const [w, n] = [parsed(wide), parsed(narrow)];
  return w !== undefined && n !== undefined && includesAny(w, n);
}

/** Whether each alternative of `narrow` is within one of `wide`. */
const includesAny = (wide: Disjunction, narrow: Disjunction): boolean =>
  narrow.alternatives.every((n) => wide.alternatives.some((w) => includesSequence(w.elements, n.elements)));

/** Whether the parts of `narrow`, in turn, are within those of `wide`. */
function includesSequence(wide: readonly AST.Element[], narrow: readonly AST.Element[]): boolean {
  const known = new Map<string, boolean>();
  const from = (i: number, j: number): boolean => {
    const [w, n] = [wide[i], narrow[j]];
    if (w === undefined && n === undefined) return true;
    const key = `${i} ${j}`;
    const found =
      known.get(key) ??
      ((w !== undefined && n !== undefined && includes(w, n) && from(i + 1, j + 1)) ||
        // Without a condition more texts match; what may be left out need not match anything.
        (n?.type === 'Assertion' && from(i, j + 1)) ||
        (w?.type === 'Quantifier' && w.min === 0 && from(i + 1, j)));
    known.set(key, found);
    return found;
  };
  return from(0, 0);
}

function includes(wide: AST.Element, narrow: AST.Element): boolean {
  if (wide.raw === narrow.raw) return true;
  if (wide.type === 'Quantifier' || narrow.type === 'Quantifier') {
    const [w, n] = [wide, narrow].map((each) =>
      each.type === 'Quantifier' ? each : { min: 1, max: 1, element: each },
    ) as [AST.Quantifier, AST.Quantifier];
    return w.min <= n.min && w.max >= n.max && includes(w.element, n.element);
  }
  if (wide.type === 'Assertion' || narrow.type === 'Assertion') return includesCondition(wide, narrow);
  const [w, n] = [rangesOf(wide), rangesOf(narrow)];
  if (w !== undefined && n !== undefined) return within(n, w);
  const [outer, inner] = [alternativesOf(wide), alternativesOf(narrow)];
  // Two parts that are no groups, and not equal.
  if (outer[0]?.[0] === wide && inner[0]?.[0] === narrow) return false;
  return inner.every((b) => outer.some((a) => includesSequence(a, b)));
}

/** What a part consists of: a group of its alternatives, anything else of itself. */
const alternativesOf = (element: AST.Element): readonly (readonly AST.Element[])[] =>
  (element.type === 'Group' && element.modifiers === null) || element.type === 'CapturingGroup'
    ? element.alternatives.map(({ elements }) => elements)
    : [[element]];

function includesCondition(wide: AST.Element, narrow: AST.Element): boolean {
  if (wide.type !== 'Assertion' || narrow.type !== 'Assertion') return false;
  if (!('alternatives' in wide) || !('alternatives' in narrow)) return false;
  if (wide.kind !== narrow.kind || wide.negate !== narrow.negate) return false;
  return wide.negate ? includesAny(narrow, wide) : includesAny(wide, narrow);
}

const lineEnds: readonly Range[] = [
  [0x0a, 0x0a],
  [0x0d, 0x0d],
  [0x20_28, 0x20_29],
];
const digits: Range = [0x30, 0x39];
const wordCharacters: readonly Range[] = [digits, [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]];

/** The ranges in order, joined where they touch. */
function joined(ranges: readonly Range[]): Range[] {
  const all: [number, number][] = [];
  for (const [low, high] of ranges.toSorted(([a], [b]) => a - b)) {
    const last = all.at(-1);
    if (last !== undefined && low <= last[1] + 1) last[1] = Math.max(last[1], high);
    else all.push([low, high]);
  }
  return all;
}

function complement(ranges: readonly Range[]): Range[] {
  const gaps: Range[] = [];
  let next = 0;
  for (const [low, high] of joined(ranges)) {
    if (low > next) gaps.push([next, low - 1]);
    next = high + 1;
  }
  return next <= 0x10_ff_ff ? [...gaps, [next, 0x10_ff_ff]] : gaps;
}

const within = (inner: readonly Range[], outer: readonly Range[]): boolean => {
  const all = joined(outer);
  return joined(inner).every(([low, high]) => all.some(([from, to]) => from <= low && high <= to));
};

/** The characters that a part matches, where it matches one character; undefined for anything else, or if they are not known. */
function rangesOf(element: AST.Element | AST.CharacterClassElement): readonly Range[] | undefined {
  switch (element.type) {
    case 'Character':
      return [[element.value, element.value]];
    case 'CharacterClassRange':
      return [[element.min.value, element.max.value]];
    case 'CharacterSet': {
      if (element.kind === 'any') return complement(lineEnds);
      if (element.kind !== 'digit' && element.kind !== 'word') return undefined;
      const ranges = element.kind === 'digit' ? [digits] : wordCharacters;
      return element.negate ? complement(ranges) : ranges;
    }
    case 'CharacterClass': {
      if (element.unicodeSets) return undefined;
      const parts = element.elements.map(rangesOf);
      if (parts.includes(undefined)) return undefined;
      const ranges = parts.flatMap((part) => part ?? []);
      return element.negate ? complement(ranges) : ranges;
    }
    default:
      return undefined;
  }
}
