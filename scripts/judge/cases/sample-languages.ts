/** Questions about the sample in seven other languages, and conversations. */
import type { JudgedCase } from '../rubric.ts';
import { about } from './make.ts';

const sample = (tweet: string, rows: Parameters<typeof about>[2]): JudgedCase[] => about('sample', tweet, rows);

export const sampleLanguages: readonly JudgedCase[] = [
  ...sample('2071313391111839893', [
    ['¿De qué trata?', ['$author', 'escribió'], { max: 2200 }],
    ['¿Quién es el autor del tuit?', '$author'],
    ['¿Cuánto se retrasó el tren?', '13 minutos'],
    ['¿La gente está de acuerdo?', 'de 2|palabras'],
    ['¿Cuántos me gusta tiene?', '12'],
    ['¿Es cierto?', 'No puedo juzgar'],
    ['¿Terminó el libro?', 'terminé el libro'],
  ]),
  ...sample('2070918040749339970', [
    ['Quem escreveu isso?', '$author'],
    ['Qual foi o placar?', '5 a 2|placar'],
    ['O que as pessoas respondem?', 'palavras', { has: ['$reply'] }],
    ['Resuma em uma frase', '$words'],
    ['Quando foi postado?', '2026'],
    ['Traduza para o inglês', 'traduzir'],
  ]),
  ...sample('2089769198647026793', [
    ['Qui a publié ça ?', '$author'],
    ['Combien de kilomètres ?', '23 kilomètres'],
    ['Que répondent les gens ?', 'mots', { has: ['$reply'] }],
    ["Combien de j'aime ?", '12'],
    ['Est-ce que quelqu’un critique ?', 'sur 2'],
    ['Résume en une phrase', '$words'],
  ]),
  ...sample('2069066143532887832', [
    ['Wer ist der Autor?', '$author'],
    ['Was wurde beobachtet?', 'Saturn|beobachtet'],
    ['Wie kalt war es?', '3 Grad|kalt'],
    ['Was sagen die Leute dazu?', 'Wortlaut', { has: ['$reply'] }],
    ['Wann wurde das gepostet?', '22\\. Juni 2026'],
    ['Ist das viel für diesen Autor?', 'üblich|zu wenige'],
    ['Worum geht es?', '$words', { max: 2200 }],
  ]),
  ...sample('1890000000000000001', [
    ['誰の投稿ですか？', '$author'],
    ['返信の雰囲気はどうですか？', '肯定|否定|賛否|中立'],
    ['要約して', '$words'],
    ['リンクは何ですか？', 'example\\.org'],
    ['いつ投稿されましたか？', '2026年3月4日'],
    ['من صاحب التغريدة؟', '$author'],
    ['ماذا يقول الناس؟', 'صياغتها'],
    ['كم عدد المشاهدات؟', '7,842'],
    ['لخص المنشور', '$words'],
  ]),
  ...sample('2080250244444903105', [
    ['यह पोस्ट किसने की?', '$author'],
    ['लोग क्या कह रहे हैं?', 'शब्दों', { has: ['$reply'] }],
    ['कितने किलोमीटर दौड़ा?', '9 किलोमीटर'],
    ['इसे कितने लाइक मिले?', '96'],
    ['सारांश दीजिए', '$words'],
    ['क्या यह सच है?', 'नहीं कह सकता'],
  ]),
  ...sample('1890000000000000001', [
    [['What do the replies say?', 'and the second one?'], 'Number 2'],
    [['What do people ask?', 'who asked the first one?'], '@\\w+'],
    [['What do the replies say?', 'the third one', 'how many likes does it have?'], 'likes: \\d+'],
    [['What do the replies say?', 'show me more'], '@\\w+: ‘'],
    [['Who wrote it?', 'and when?'], '$date'],
    [['How many likes does it have?', 'is that a lot?'], 'more than usual'],
    [['Summarise it', 'shorter please'], '$words', { max: 250 }],
    [['What do the replies say?', 'do they agree?'], 'of 14'],
    [['What else is there about this?', 'the second one?', 'who wrote that?'], 'author is'],
    [['¿Qué dicen las respuestas?', '¿Y el segundo?'], 'Número 2'],
    [['Was sagen die Antworten?', 'und die zweite?'], 'Nummer 2'],
  ]),
];
