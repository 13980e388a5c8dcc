import type { Topic } from './topic.ts';

export const books: Topic = {
  lang: 'en',
  tags: ['reading', 'library', 'bookclub', 'poetry'],
  visual: 0.2,
  words: {
    book: [
      '“The Salt Atlas”',
      '“Nine Winters”',
      '“A Field Guide to Waiting”',
      '“The Beekeeper’s Debt”',
      '“Letters to a Lighthouse”',
      '“Small Hours”',
    ],
    kind: [
      'a crime novel',
      'a slim poetry book',
      'a history of maps',
      'a memoir',
      'a fat fantasy',
      'a book about moss',
    ],
  },
  posts: [
    'Finished {book} at [two in the morning|the bus stop|the kitchen table]. [Need a minute.|The last page!|Starting again at once.] 📚',
    'Library haul: {kind}, {kind} and {kind}. [Due in three weeks, ha.|The librarian nodded.] #{tag}',
    'Book club on {book}: {5-12} people, {5-12} opinions, [one quiche|two bottles|no survivors].',
    'Is {book} [overrated|slow on purpose|secretly funny]? Page {60-240} and I cannot tell.',
    '{who} lent me {kind} with notes in the margins. [The notes are the better book.|I answered in pencil.]',
    'Reading {kind} aloud to my [father|daughter|cat]. {8-22} pages a night. [He falls asleep, I do not.|We both wait for it.] #{tag}',
    'Wrote {200-1400} words. Kept {20-190}. [Normal day.|The cat sat on the rest.]',
    'A sentence from {book} has followed me all day. [Not telling which.|It is about rain.]',
    'Best first pages this year: {book} and {book}. [Argue below.|List at {link}]',
    'Second-hand shop, one euro: {kind} with a [train ticket from 1974|pressed flower|shopping list] inside. #{tag}',
  ],
  replies: [
    'adding it to the pile',
    '[loved|hated] the ending, let us talk',
    'is it sad? I can only do not-sad now',
    'the translator deserves a prize',
    'our library has it on the shelf',
    '{book} next, please',
  ],
  links: [
    {
      url: 'https://shelf.example.org/first-pages',
      title: 'First pages that hold',
      description: 'Twenty openings, no spoilers.',
    },
  ],
};
