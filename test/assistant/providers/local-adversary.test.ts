// Tests server/assistant/providers/local/words.ts.
/** Posts and questions that invite untrue answers: quoted and negated claims, answers of “no”, namesakes, roles, and other languages. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { glen } from '../../../scripts/evals/archives/glen.ts';
import { archiveReader } from '../../../server/assistant/archive-reader.ts';
import { nodeOf } from '../../../server/assistant/conversation-tree.ts';
import { isInOther, languageOf } from '../../../server/assistant/providers/local/languages.ts';
import { confirms, objects } from '../../../server/assistant/providers/local/stance.ts';
import { localProvider } from '../../../server/assistant/providers/local.ts';
import { subjectOf } from '../../../server/assistant/subject.ts';
import type { Turn } from '../../../server/ports/assistant-provider.ts';
import { options } from '../../support/call-options.ts';
import { openArchiveOf, type ServiceArchive } from '../../support/stored-archive.ts';
import { author, tweet } from './subjects.ts';

const provider = localProvider();
const post = (text: string) => nodeOf(tweet('2', text, { author: author('somebody') }), 'reply', undefined, false);
const known = (code: string) => languageOf(code)!;

describe('a post objects by its wording', () => {
  test.each([
    ['en', 'That is not true.'],
    ['en', 'no this is fake, look it up'],
    ['en', 'This "news" is false.'],
    ['en', 'Wrong year: it opened in 1871.'],
    ['en', 'You have the wrong photo.'],
    ['en', 'Both figures are incorrect.'],
    ['de', 'Das stimmt nicht.'],
    ['de', 'Das ist falsch.'],
    ['es', 'Eso es falso.'],
    ['fr', 'C’est faux.'],
  ])('%s: %s', (code, text) => expect(objects(post(text), known(code))).toBe(true));

  test.each([
    ['en', '“That is not true”, they told us last year. Look at it now.'],
    ['en', 'I do not think this is fake.'],
    ['en', 'It is not a hoax.'],
    ['en', 'I hope these numbers are not incorrect.'],
    ['en', 'Something went wrong with my order.'],
    ['en', 'If this is false, somebody has to pay.'],
    ['de', 'Gibt es schon neue Gerüchte'],
    ['de', 'Das ist nicht falsch.'],
    ['de', '„Das stimmt nicht“, hieß es damals.'],
    ['es', 'No es falso.'],
    ['fr', 'Si c’est faux, tant mieux.'],
  ])('%s, but not: %s', (code, text) => expect(objects(post(text), known(code))).toBe(false));

  test('but the “no” that answers a question denies only what was asked', () => {
    const asking = post('@glen Is this an April fool?');
    const no = nodeOf(tweet('3', 'No, but we wait for the statement.'), 'deeper', asking, true);
    asking.replies.push(no);
    expect(objects(no, known('en'))).toBe(false);
    expect(objects(nodeOf(tweet('3', 'No, I was there.'), 'reply', undefined, false), known('en'))).toBe(true);
  });
});

describe('a post confirms by its wording', () => {
  test.each([
    ['en', 'I can confirm this.'],
    ['de', 'Stimmt, ich war dabei.'],
  ])('%s: %s', (code, text) => expect(confirms(post(text), known(code))).toBe(true));

  test.each([
    ['en', 'If it’s true, we move.'],
    ['en', 'Can anyone confirm'],
    ['en', 'We wait for an official statement.'],
    ['en', 'Officially the best idea ever 🙄'],
    ['en', 'It’s true that pigs fly /s'],
    ['en', 'She wrote: “I can confirm this.” I never saw her there.'],
    ['en', 'Not confirmed yet.'],
    ['de', 'Falls das stimmt, gehen wir.'],
  ])('%s, but not: %s', (code, text) => expect(confirms(post(text), known(code))).toBe(false));
});

test('a short text is in another language only if two methods agree', () => {
  expect(isInOther('We had two. One had prebuilt files, the other turned out to be unused.', known('en'))).toBe(false);
  expect(isInOther('Sí, ducharse no es peligroso. Solo hay que hervir el agua.', known('en'))).toBe(true);
  expect(isInOther('今まで通り無料です。スープがなくなったら閉めます。お待ちしています。', known('en'))).toBe(true);
});

describe('a conversation with namesakes, roles and several languages', () => {
  let archive: ServiceArchive;
  beforeAll(async () => (archive = await openArchiveOf(glen)));
  afterAll(() => archive.close());

  async function answerTo(id: string, ...prompts: readonly (string | null)[]) {
    const subject = await subjectOf(archive.platform, id, options);
    const turns: Turn[] = [];
    for (const prompt of prompts) {
      const reply = await provider.ask(
        { id: 'local-1' },
        {
          ...{ subject, archive: archiveReader(archive.platform, options), turns: [...turns], prompt, model: '' },
          ...{ suggest: null, extract: false },
        },
        { signal: options.signal, questions: 1 },
      );
      turns.push({ prompt, answer: reply.summary });
    }
    return turns.at(-1)!.answer;
  }

  test('a name that two people have names both, and with the second name one', async () => {
    const both = await answerTo('910001', 'what does Anna say?');
    expect(both).toMatch(/^2 people here have this name: “Anna Berg” \(@anna_berg\) and “Anna Dunn” \(@anna_dunn\)\./);
    expect(both).toMatch(/The limit is[^]*hairdresser/);
    const one = await answerTo('910001', 'what does Anna Dunn say about it?');
    expect(one).toContain('hairdresser');
    expect(one).not.toContain('The limit is');
  });

  test('a role is looked up in the profiles, which are quoted; one that nobody has is not guessed', async () => {
    expect(await answerTo('910001', 'what does the chemist say?')).toMatch(
      /^The profile of @anna_berg says: “Chemist\.”[^]*January samples/,
    );
    expect(await answerTo('910001', 'what does the plumber say?')).not.toContain('@anna');
  });

  test('two questions in one get two answers', async () => {
    const answer = await answerTo('920001', 'wer hat das geschrieben und wann ist das Fest?');
    expect(answer).toMatch(/Festplatz Nord[^]*4\. Juli/);
    const other = await answerTo('910001', 'how many bottles does the school get? And can I take a shower?');
    expect(other).toMatch(/1\.5k bottles[^]*ducharse/);
  });

  test('answers in another language are shown as such, because their words cannot be compared', async () => {
    expect(await answerTo('910001', 'can I take a shower?')).toMatch(
      /I compare words, and these posts are in another language:\n@glen_water answered: “Sí, ducharse no es peligroso/,
    );
  });

  test('“is he right?” asks about what was quoted last', async () => {
    expect(await answerTo('930001', 'what does pat_quill say?', 'is he right?')).toContain('she does not resign');
  });

  test('the number of the counted thing is the answer, not that of another word', async () => {
    const answer = await answerTo('910001', 'how many bacteria were in the sample?');
    expect(answer).toContain('your sample had 12');
    expect(answer).not.toMatch(/^Later/);
  });

  test('a reason that the post gives without a word for it is shown beside one given later', async () => {
    expect(await answerTo('910001', 'why do I have to boil it?')).toMatch(/cracked lid[^]*too many bacteria/);
  });

  test('“did they see her?” asks about what happened, not who she is', async () => {
    expect(await answerTo('930001', 'did they see her?')).not.toContain('The author is');
  });

  test('thanks in jest are told as words only, and the report with its correction', async () => {
    expect(await answerTo('910001', 'who praises the company?')).toContain('By the words that I know');
    for (const prompt of [null, 'tl;dr', 'did she really resign?'])
      expect(await answerTo('930001', prompt)).toContain('she does not resign');
  });
});
