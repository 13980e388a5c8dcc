import type { Topic } from './topic.ts';

export const making: Topic = {
  lang: 'en',
  tags: ['woodwork', 'repair', 'makers', 'handmade', 'retrocomputing'],
  visual: 0.45,
  words: {
    object: [
      'a walnut stool',
      'the neighbour’s radio',
      'a dovetail box',
      'an 8-bit computer',
      'a wall clock',
      'a toaster from 1978',
      'a canoe paddle',
      'a knitted cardigan',
    ],
    fault: [
      'a dry solder joint',
      'one grain of sand',
      'a missing screw',
      'my own tape measure',
      'a capacitor the size of a thumb',
    ],
  },
  posts: [
    'Finished {object} after {2-30} evenings. [Three coats of oil.|It wobbles with character.|Do not look underneath.] 🪚',
    'Repair café: {9-41} things in, {6-38} fixed. Star of the day: {object}. Cause: {fault}. #{tag}',
    'Measure twice, cut once, [curse, drive to the shop|find the measuring error was {fault}].',
    '{object} works again! It was {fault}. [Twenty cents.|It played dance music from another city.]',
    'New in the workshop: [a hand plane that sings|a vice older than me|light, finally]. First job: {object}.',
    '{who} taught me to sharpen. [I have been shaving with butter until now.|Hair-popping.] #{tag}',
    'Sawdust count: [hair, tea, keyboard|everywhere]. Progress on {object}: {10-95} %.',
    'Do not glue {object} [at midnight|without a dry run|to the bench]. Ask me how I know.',
    'Drawings for {object} are free at {link}. [Metric. Sorry.|Send pictures!]',
    'Mistake of the week became the best part of {object}: [a butterfly key|a darker strip|a drawer]. #{tag}',
  ],
  replies: [
    'what finish is that?',
    'the joinery 😮',
    '{fault}, it is always {fault}',
    'can you show the underside?',
    'I have the same one waiting in the cellar',
    'how long did the glue-up take?',
  ],
  links: [
    {
      url: 'https://bench.example.org/plans',
      title: 'Plans for small things',
      description: 'Stools, boxes, one canoe paddle.',
    },
  ],
};
