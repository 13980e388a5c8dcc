/** Grammar and punctuation of the fixed phrases, in answers that have many of them. */
import { describe, expect, test } from '@jest/globals';
import { localProvider } from '../../../server/assistant/providers/local.ts';
import {
  languages,
  languageOf,
  type Language,
  type PhraseName,
} from '../../../server/assistant/providers/local/languages.ts';
import { wordingOf } from '../../../server/assistant/providers/local/wording.ts';
import { build, question, subject, tweet } from './subjects.ts';

const [ar, de, en, es, fr, ja, pt] = ['ar', 'de', 'en', 'es', 'fr', 'ja', 'pt'].map((code) => languageOf(code)!) as [
  Language,
  Language,
  Language,
  Language,
  Language,
  Language,
  Language,
];
const names = Object.keys(en.data.phrases) as PhraseName[];
const unknownUser = (language: Language): string => wordingOf(language).say('userWithId', { id: '7' });

/** All phrases of a language, with an unknown user as each person, and places and moods in their sentences. */
function sentences(language: Language): string[] {
  const wording = wordingOf(language);
  const say = (name: PhraseName, values = {}): string => wording.say(name, values);
  const values = {
    ...{
      who: unknownUser(language),
      whom: unknownUser(language),
      quote: '“x”',
      list: '“x”',
      label: say('asks'),
    },
    ...{
      when: wording.moment('2026-03-04T05:06:07Z'),
      id: '7',
      number: 2,
      count: 1234,
      total: 5678,
      what: 'x',
      language: 'x',
    },
    ...{ posts: 3, median: 1, needed: 3, positive: 1, negative: 2, scored: 3, other: 4, level: say('more') },
  };
  return names.map((name) => say(name, values));
}

describe.each(languages.map((language) => [language.code, language] as const))('%s', (code, language) => {
  const all = sentences(language);

  test('no sentence has an empty place, two spaces, or a sign twice', () => {
    for (const each of all) expect(each).not.toMatch(/\{|\}|undefined| {2}|,,|\.\.|。。|।।|: :|：：| $|^ /);
  });

  test('numbers and dates have the form of the language', () => {
    const wording = wordingOf(language);
    const number = new Intl.NumberFormat(language.data.locale).format(1234);
    expect(wording.say('repliesHere', { count: 1234 })).toContain(number);
    expect(wording.moment('2026-03-04T05:06:07Z')).toContain(
      new Intl.DateTimeFormat(language.data.locale, { dateStyle: 'long', timeZone: 'UTC' }).format(
        Date.UTC(2026, 2, 4),
      ),
    );
  });

  test('articles are joined, and no case is wrong', () => {
    const wrong: Readonly<Record<string, RegExp>> = {
      es: /(?<!\p{L})(?:a|de) el\b/iu,
      pt: /(?<!\p{L})(?:em|de|a|por) (?:o|a|os|as)\b(?! \p{Ll}+r\b)/iu,
      fr: /(?<!\p{L})(?:(?:à|de) les?\b|(?:que|de|le|la) [aeiouéèâ])/iu,
      de: /\b(?:von|mit|zu) der Nutzer\b|antwortet der\b/,
      hi: /को [^।(]*को लिखा|पोस्ट[^।]*करता है/,
    };
    for (const each of all) expect(each).not.toMatch(wrong[code] ?? /(?!)/);
  });
});

test('a sentence that begins with a person has a capital letter', () => {
  const at = { when: 'x', quote: '“x”' };
  for (const language of [en, es, pt, fr, de])
    expect(wordingOf(language).say('wrote', { who: unknownUser(language), ...at })).toMatch(/^\p{Lu}/u);
  expect(wordingOf(en).say('wrote', { who: '@mira', ...at })).toMatch(/^@mira/);
});

test('a colon has a space before it in French, and is wide in Japanese', () => {
  for (const each of sentences(fr)) expect(each).not.toMatch(/[^\s\d]:(?!\/)/);
  for (const each of sentences(ja)) expect(each).not.toMatch(/(?<!\d)[:,.?!]/);
  expect(wordingOf(fr).figure('likes', 12)).toBe('mentions j’aime : 12');
  expect(wordingOf(ja).figure('likes', 12)).toBe('いいね：12');
});

test('in Arabic each value keeps its own direction, and the marks are balanced', async () => {
  expect(wordingOf(ar).say('repliesTo', { who: '@mira_codes', quote: '“Done.”' })).toBe(
    'هو رد على \u2068@mira_codes\u2069: \u2068“Done.”\u2069',
  );
  const hostile = subject('A \u2067trick\u202e.', {}, { replies: [tweet('2', '\u2069\u2069 Out?')] });
  for (const about of [build, hostile])
    for (const prompt of ['من كتب هذا؟', 'ماذا تقول الردود؟', 'لخص المنشور']) {
      const options = { signal: new AbortController().signal, questions: 1 };
      const { summary } = await localProvider().ask({ id: 'local-1' }, question(about, { prompt }), options);
      let depth = 0;
      for (const mark of summary.match(/[\u2066-\u2069\u202a-\u202e]/gu) ?? []) {
        expect(['\u2068', '\u2069']).toContain(mark);
        depth += mark === '\u2068' ? 1 : -1;
        expect(depth).toBeGreaterThanOrEqual(0);
      }
      expect(depth).toBe(0);
    }
});
