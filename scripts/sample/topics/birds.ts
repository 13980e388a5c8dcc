import type { Topic } from './topic.ts';

export const birds: Topic = {
  lang: 'en',
  tags: ['birding', 'nature', 'wildlife', 'migration'],
  visual: 0.6,
  words: {
    bird: [
      'a kingfisher',
      'two goldcrests',
      'a marsh harrier',
      'a wryneck',
      'forty lapwings',
      'a tawny owl',
      'a hoopoe',
      'the first redwings',
    ],
    place: [
      'the reed bed',
      'the sewage works (glamorous, I know)',
      'the back garden',
      'the old gravel pit',
      'the ferry deck',
      'the cemetery',
    ],
  },
  posts: [
    '{bird} at {place} [this morning|at dusk|in the drizzle]! [Still smiling.|Hands shook, photo blurred.] 🐦',
    'Patch list: {88-164} species after {bird} at {place}. #{tag}',
    'Sat {40-180} minutes by {place} for {bird}. [Got a cold and no bird.|Then it landed two metres away.]',
    'Ringed {12-90} birds with {who} today. [One came from {600-2400} km away.|A goldcrest weighs as much as a coin.] #{tag}',
    'Heard {bird} over {place} at night. [Migration is on.|Window open, head out, neighbours puzzled.]',
    'Nest box news: {3-9} chicks, {1-3} very tired parents. [Live picture at {link}|No cats, please.]',
    '{bird} does not read field guides. [Wrong month, wrong habitat, right mood.|At {place}, of all places.]',
    'Count day: {bird}, {bird}, {40-800} starlings and one lost [parrot|swan|kite (the toy)]. #{tag}',
    'A beginner asked how I knew. [The tail. It is always the tail.|I did not, I guessed well.] It was {bird}.',
    'Coffee, fog, {place}, {bird}. [That is the whole post.|Work can wait.]',
  ],
  replies: [
    'where exactly? (no problem if secret)',
    'what a find! 😍',
    'I missed it by ten minutes',
    'looks more like a female to me',
    'beautiful light',
    'we had {bird} at {place} too',
  ],
  links: [
    {
      url: 'https://birds.example.org/nest-box',
      title: 'The nest box, live',
      description: 'A still picture every minute until they fledge.',
    },
  ],
};
