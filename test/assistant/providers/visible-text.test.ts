import { afterAll, describe, expect, test } from '@jest/globals';
import fc from '../../support/property.ts';
import { CharacterCounter } from '../../support/counted-characters.ts';
import { visiblePart } from '../../../server/assistant/providers/openai/visible-text.ts';
import { rounds } from '../../support/rounds.ts';
import { inPieces } from './visible-text.counted.ts';

const counter = new CharacterCounter(new URL('visible-text.counted.ts', import.meta.url));
afterAll(() => counter.end());

describe('the visible text of a model', () => {
  test.each([
    ['plain', 'plain'],
    ['<think>hm</think>Answer', 'Answer'],
    ['<think>\nhm\n</think>\n\nAnswer', 'Answer'],
    ['<THINK>hm</Think >Answer', 'Answer'],
    ['<think class="a">hm</think>Answer', 'Answer'],
    ['One <think>hm</think>two', 'One two'],
    ['<think>a</think><think>b</think>Answer', 'Answer'],
    ['<think>a <b> </thin </thinking> b</think>Answer', 'Answer'],
    ['<think>never ends', ''],
    ['Answer<think>never ends', 'Answer'],
    ['</think>Answer', 'Answer'],
    ['<tool_call>{"name":"search"}</tool_call>Answer', 'Answer'],
    ['<xai:tool_usage_card><x>search</x></xai:tool_usage_card>Answer', 'Answer'],
    ['a < b and <b>bold</b>', 'a < b and <b>bold</b>'],
    ['a <thin', 'a <thin'],
    ['<thinker>stays</thinker>', '<thinker>stays</thinker>'],
    ['  \n Answer \n ', 'Answer'],
    ['Bell\u0007 and\u0000 null', 'Bell and null'],
    ['line\n\tone', 'line\n\tone'],
    ['half \ud83d', 'half \ufffd'],
    ['', ''],
  ])('%j becomes %j for any chunk borders', (text, expected) => {
    expect(visiblePart(text)).toBe(expected);
    expect(inPieces([...text].flatMap((each) => each.split(''))).join('')).toBe(expected);
    for (let cut = 0; cut <= text.length; cut++)
      expect(inPieces([text.slice(0, cut), text.slice(cut)]).join('')).toBe(expected);
  });

  test('chunk borders do not change the visible text, and each chunk is well formed', () => {
    const words = fc.constantFrom(
      '<think>',
      '</think>',
      '<',
      '>',
      '</',
      'think',
      '<tool_call>',
      '</tool_call>',
      ' ',
      '\n',
      'a',
      '😀',
      '\ud83d',
      '<think',
      ' x="1"',
      'é',
    );
    fc.assert(
      fc.property(fc.array(words, { maxLength: 30 }), fc.array(fc.nat(200), { maxLength: 10 }), (parts, cuts) => {
        const text = parts.join('');
        const places = [0, ...cuts.filter((cut) => cut < text.length).sort((a, b) => a - b), text.length];
        const pieces = inPieces(places.slice(1).map((to, n) => text.slice(places[n], to)));
        expect(pieces.join('')).toBe(visiblePart(text));
        for (const piece of pieces) expect(piece.isWellFormed()).toBe(true);
      }),
      { numRuns: rounds(500) },
    );
  });

  test.each(['<', '<think>', '</think>', '<think ', '<think x', ' ', '<a', '<think></think>', '\ud83d', 'x'])(
    'processes unlimited repetition of %j in small chunks in linear time',
    async (piece) => {
      const work = (times: number): Promise<number> =>
        counter.count(
          'inPieces',
          Array.from({ length: times }, () => piece),
        );
      // A text that was read again with each piece would take 64 times the work.
      expect((await work(16_000)) / (await work(2_000))).toBeLessThan(9);
    },
  );
});
