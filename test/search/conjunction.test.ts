import { expect, test } from '@jest/globals';
import { documentOf } from '../../server/search/document.ts';
import { compileQuery } from '../../server/search/language/compile.ts';
import { nothing, type Condition } from '../../server/search/language/condition.ts';
import { conjunction } from '../../server/search/language/conjunction.ts';
import { matches } from '../../server/search/language/evaluate.ts';
import { parse } from '../../server/search/language/parse.ts';
import { Percolator } from '../../server/search/percolator/percolator.ts';
import fc from '../support/property.ts';

const conditionOf = (query: string): Condition => compileQuery(parse(query));

test.each([
  'cat -cat',
  '-cat dog cat',
  '"black cat" -"black cat"',
  'from:tom -from:tom',
  '#cat -#cat',
  '(cat OR dog) -cat -dog',
  '((cat cow) OR dog) -dog -cow',
  'filter:media -filter:media',
])('no tweet matches the contradiction %s', (query) => {
  expect(conditionOf(query)).toBe(nothing);
});

const words = ['cat', 'dog', 'cow'];
const texts = words.reduce((before, word) => [...before, ...before.map((text) => `${text} ${word}`)], ['the']);
const alone = { user: () => undefined, authorOf: () => undefined };
const documents = texts.map((text, index) =>
  documentOf({ id: String(index), text, created_at: '2026-03-04T05:06:07Z', author_id: '1' }, alone),
);

test('a standing query with a contradiction matches no tweet', () => {
  const standing = new Percolator<string>();
  for (const query of ['cat -cat', 'cat (dog -dog)', 'cow OR (dog -dog)']) standing.set(query, conditionOf(query));
  expect(documents.map((document) => standing.match(document, 0))).toEqual(
    texts.map((text) => (text.includes('cow') ? ['cow OR (dog -dog)'] : [])),
  );
});

test('a conjunction matches what all its parts match', () => {
  const { condition } = fc.letrec<{ condition: Condition }>((tie) => ({
    condition: fc.oneof(
      { maxDepth: 3 },
      fc.constantFrom(...words).map((word): Condition => ({ is: 'words', within: 'text', tokens: [word] })),
      tie('condition').map((part): Condition => ({ is: 'not', part })),
      fc.record({ is: fc.constantFrom('all', 'any'), parts: fc.array(tie('condition'), { maxLength: 3 }) }),
    ),
  }));
  fc.assert(
    fc.property(fc.array(condition, { maxLength: 5 }), (parts) => {
      for (const document of documents)
        expect(matches(conjunction(parts), document, 0)).toBe(parts.every((part) => matches(part, document, 0)));
    }),
  );
});
