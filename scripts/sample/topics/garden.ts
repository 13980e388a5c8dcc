import type { Topic } from './topic.ts';

export const garden: Topic = {
  lang: 'en',
  tags: ['gardening', 'allotment', 'compost', 'growyourown'],
  visual: 0.45,
  words: {
    plant: [
      'the tomatoes',
      'the runner beans',
      'the kale',
      'the sweet peas',
      'the courgettes',
      'the leeks',
      'the dahlias',
      'the raspberries',
    ],
    pest: ['slugs', 'pigeons', 'one very bold rabbit', 'blackfly', 'my own impatience'],
  },
  posts: [
    'Score so far: {plant} {2-9}, {pest} {3-14}. [The season is long.|I want a recount.] #{tag}',
    'Picked {1-6} kg from {plant} today. [Neighbours now pretend not to be at home.|Recipes, please.] 🌱',
    'Turned the compost. [Warm as a loaf.|Found a spoon I lost in spring.|It smells of forest, finally.] #{tag}',
    'Planted {plant} in [the wrong place|a bucket|the last sunny corner]. [They like it.|We shall see.]',
    'It rained {8-40} mm and {plant} grew a [hand|foot] overnight. [So did the weeds.|Worth the mud.]',
    'First frost [tonight|this week]. [Everything tender is in the hall.|Goodbye, dahlias.] Forgive me, {plant}.',
    'Saved seed from {plant}: {40-300} of them in one envelope. [Next year is in the drawer.|Swap, anyone?]',
    'Lesson {3-30} of this year: [mulch before the heat|water at the root|net it or lose it]. {pest} agree.',
    '{who} gave me cuttings and {plant} now have [company|competition]. #{tag}',
    'Sat by {plant} with tea for [ten minutes|an hour]. Counted {4-19} bees, {2-6} butterflies and no emails. 🐝',
    'Built a cold frame from [two old windows|a shower door|pallets]. [Crooked but airtight.|It closes if you kick it.] #{tag}',
    'Following {link}, half of {plant} get [no water for a month|seaweed feed|a tunnel]. Results in autumn.',
    'The allotment at [six in the morning|dusk|lunch break]: {plant}, fog, and one blackbird who runs the place.',
  ],
  replies: [
    'coffee grounds keep {pest} away, allegedly',
    'what variety is that?',
    'mine never got that far, {pest} saw to it',
    'beautiful 🌼',
    'do you feed them or just hope?',
    'I have spare {plant} if you want some',
  ],
  links: [
    {
      url: 'https://garden.example.org/no-dig',
      title: 'A year without digging',
      description: 'Cardboard, compost and a comparison bed.',
    },
    {
      url: 'https://garden.example.org/seed-saving',
      title: 'Saving seed that comes true',
      description: 'Beans first, pumpkins later.',
    },
  ],
  threads: [
    [
      'One raised bed, one year, everything weighed. Results 🧵',
      '{plant}: {6-19} kg from two square metres. The clear winner.',
      '{plant}: {1-3} kg, most of it eaten by {pest}. Still beautiful.',
      'Cost: {30-60} euros of compost and netting. Value: all my evenings, well spent. #{tag}',
    ],
  ],
};
