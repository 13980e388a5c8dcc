/** What a question asks for: its kind of fact. */
import { expect, test } from '@jest/globals';
import { languageOf } from '../../../../server/assistant/providers/local/languages.ts';
import { requestOf } from '../../../../server/assistant/providers/local/question.ts';
import { lexisOf } from '../../../../server/assistant/providers/local/words.ts';

test.each([
  ['en', 'when did the organisers measure the course?', 'time'],
  ['en', 'what did the organisers say when he asked?', 'any'],
  ['en', 'how many volunteers measured it when it rained?', 'number'],
  ['en', 'the organisers measured the course when exactly?', 'time'],
  ['en', 'so where did the organisers measure it?', 'place'],
  ['de', 'was sagten die Veranstalter, wo sie die Strecke vermaßen?', 'any'],
  ['de', 'wo vermaßen die Veranstalter die Strecke?', 'place'],
  ['fr', 'que disaient les organisateurs quand il pleuvait ?', 'any'],
  ['es', '¿cuándo midieron los organizadores el recorrido?', 'time'],
])('%s: “%s” asks for %s', async (code, prompt, fact) => {
  const language = languageOf(code)!;
  const situation = { previous: undefined, hasItems: false, hasReplies: true };
  expect(requestOf(prompt, language, await lexisOf(language, ''), situation)).toMatchObject({ kind: 'search', fact });
});
