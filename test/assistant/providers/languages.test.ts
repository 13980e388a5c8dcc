import { describe, expect, test } from '@jest/globals';
import { localProvider } from '../../../server/assistant/providers/local.ts';
import {
  english,
  languageOfQuestion,
  languages,
  type PhraseName,
} from '../../../server/assistant/providers/local/languages.ts';
import { build, question, subject } from './subjects.ts';

/** The same eleven questions in each language. */
const questions: Readonly<Record<string, readonly string[]>> = {
  en: [
    'Who wrote this?',
    'When was it posted?',
    'What do the replies say?',
    'Does anyone disagree?',
    'How many likes does it have?',
    'Is it true?',
    'Summarise it in one sentence',
    'What does it quote?',
    'Why?',
    'Translate it',
    'What do the replies ask?',
  ],
  es: [
    '¿Quién escribió esto?',
    '¿Cuándo se publicó?',
    '¿Qué dicen las respuestas?',
    '¿Alguien está en desacuerdo?',
    '¿Cuántos me gusta tiene?',
    '¿Es verdad?',
    'Resúmelo en una frase',
    '¿Qué cita?',
    '¿Por qué?',
    'Tradúcelo',
    '¿Qué preguntan las respuestas?',
  ],
  pt: [
    'Quem escreveu isto?',
    'Quando foi publicado?',
    'O que dizem as respostas?',
    'Alguém discorda?',
    'Quantas curtidas tem?',
    'É verdade?',
    'Resuma em uma frase',
    'O que cita?',
    'Por quê? Qual o motivo?',
    'Traduza',
    'O que perguntam as respostas?',
  ],
  fr: [
    'Qui a écrit cela ?',
    'Quand a-t-il été publié ?',
    'Que disent les réponses ?',
    'Quelqu’un conteste ?',
    'Combien de mentions j’aime ?',
    'Est-ce vrai ?',
    'Résume en une phrase',
    'Que cite cette publication ?',
    'Pourquoi ?',
    'Traduis cela',
    'Que demandent les réponses ?',
  ],
  de: [
    'Wer hat das geschrieben?',
    'Wann wurde das gepostet?',
    'Was sagen die Antworten?',
    'Widerspricht jemand?',
    'Wie viele Likes hat es?',
    'Ist das wahr?',
    'Fasse es in einem Satz zusammen',
    'Was zitiert der Beitrag?',
    'Warum?',
    'Übersetze das',
    'Was fragen die Antworten?',
  ],
  ja: [
    'これは誰が書きましたか？',
    'いつ投稿されましたか？',
    '返信は何と言っていますか？',
    '反対している人はいますか？',
    'いいねはいくつですか？',
    '本当ですか？',
    '一文で要約してください',
    '何を引用していますか？',
    'なぜですか？',
    '翻訳してください',
    '返信は何を質問していますか？',
  ],
  ar: [
    'من كتب هذا؟',
    'متى نشر هذا؟',
    'ماذا تقول الردود؟',
    'هل يعارض أحد؟',
    'كم عدد الإعجابات؟',
    'هل هذا صحيح؟',
    'لخص في جملة واحدة',
    'ماذا يقتبس؟',
    'لماذا؟',
    'ترجم هذا',
    'ماذا تسأل الردود؟ ما السؤال؟',
  ],
  hi: [
    'यह किसने लिखा?',
    'यह कब पोस्ट किया गया?',
    'जवाब क्या कहते हैं?',
    'क्या कोई असहमत है?',
    'कितने लाइक हैं?',
    'क्या यह सच है?',
    'एक वाक्य में सारांश दो',
    'यह क्या उद्धृत करता है?',
    'क्यों?',
    'इसका अनुवाद करो',
    'जवाब क्या पूछते हैं?',
  ],
};
const provider = localProvider();
const answer = async (prompt: string): Promise<string> =>
  (
    await provider.ask({ id: 'local-1' }, question(build, { prompt }), {
      signal: new AbortController().signal,
      questions: 1,
    })
  ).summary;

describe.each(languages.map((language) => [language.code, language] as const))('%s', (code, language) => {
  test('has the phrases of English, with the same values', () => {
    const placesOf = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).toSorted();
    for (const [name, phrase] of Object.entries(english.data.phrases))
      expect([name, placesOf(language.data.phrases[name as PhraseName])]).toEqual([name, placesOf(phrase)]);
  });

  test('is recognised in its questions', () => {
    for (const prompt of questions[code]!)
      expect([prompt, languageOfQuestion(prompt, undefined).code]).toEqual([prompt, code]);
  });

  test('states the same figures, names and quotations as English', async () => {
    // Dates have other figures: a month can be a number or a word. Times have the hour first in every language.
    const claims = (text: string): string[] =>
      [
        ...text
          .replace(/\d{1,2}:\d\d.{0,20}UTC|\d+年\d+月\d+日|\b\d{1,2}\.? [^“”:.]{2,14} 2026/gu, ' ')
          .matchAll(/“[^”]*”|@\w+|\d+(?:[.,\s\u202f]\d{3})*/gu),
      ]
        .map(([claim]) => (/^\d/.test(claim) ? claim.replace(/\D/g, '') : claim))
        .toSorted();
    const used = questions[code]!;
    for (const [n, prompt] of used.entries())
      expect([prompt, claims(await answer(prompt))]).toEqual([prompt, claims(await answer(questions.en![n]!))]);
  });
});

describe('the language of an answer', () => {
  test.each([
    ['Which coffee won?', 'en'],
    ['¿Qué está soldando?', 'es'],
    ['What happened there?', 'en'],
    ['Worauf bezieht er sich?', 'de'],
    ['tl;dr pls', 'en'],
    ['ok thx', 'en'],
  ])('of %s is %s', (prompt, code) => {
    expect(languageOfQuestion(prompt, undefined).code).toBe(code);
  });

  test('is that of the conversation, if the question has no words', () => {
    const german = languages.find(({ code }) => code === 'de');
    expect(languageOfQuestion('???', german).code).toBe('de');
    expect(languageOfQuestion('???', undefined).code).toBe('en');
    expect(languageOfQuestion('https://example.org/der-die-das @der_tom', undefined).code).toBe('en');
  });

  test('is that of the conversation for an abbreviation that every language has', async () => {
    const german = subject('Der alte Hafen ist zugefroren, und die Fähre fällt heute leider wieder aus.');
    const { summary } = await provider.ask({ id: 'local-1' }, question(german, { prompt: 'tl;dr pls' }), {
      signal: new AbortController().signal,
      questions: 1,
    });
    expect(summary).toContain('schrieb am');
    expect(await answer('tl;dr pls')).toContain('wrote on');
  });

  test('is English for a language without phrases', async () => {
    expect(languageOfQuestion('Qual è il risultato della partita?', undefined).code).toBe('en');
    expect(languageOfQuestion('Кто это написал?', undefined).code).toBe('en');
  });

  test('says that words are compared, if the post is in another language', async () => {
    const post = subject('Der alte Hafen ist zugefroren, und die Fähre fällt heute leider wieder aus.');
    const { summary } = await provider.ask({ id: 'local-1' }, question(post, { prompt: 'When does the ship leave?' }), {
      signal: new AbortController().signal,
      questions: 1,
    });
    expect(summary).toContain('the post is in another language (German)');
  });
});
