import type { Topic } from './topic.ts';

export const cooking: Topic = {
  lang: 'en',
  tags: ['cooking', 'sourdough', 'onepot', 'fermentation', 'homemade'],
  visual: 0.4,
  words: {
    dish: [
      'lentil soup',
      'sourdough',
      'jollof rice',
      'mushroom risotto',
      'kimchi',
      'plum cake',
      'chickpea stew',
      'dumplings',
      'flatbread',
    ],
    secret: [
      'brown the onions longer',
      'salt the water like you mean it',
      'a spoon of miso',
      'lemon at the very end',
      'leave it alone',
    ],
  },
  posts: [
    'Made {dish} for {4-16} people in [one pot|a kitchen the size of a boat|forty minutes]. Secret: {secret}. 🍲',
    'Sourdough number {20-240}: hydration {68-82} %, proof {10-26} hours. [Ear like a shark fin.|Flat as a book. Tasty as ever.] #{tag}',
    '{dish}, [grandmother’s way|third attempt|the lazy way]. The difference: {secret}.',
    'Tasted {who}’s {dish} and [asked for the recipe before sitting down|went quiet]. The answer was: {secret}.',
    'The jar of {dish} in the cellar [sighs when opened|is {3-14} months old and perfect]. [Open a window.|Worth the wait.] #{tag}',
    'What do you cook when there is only [rice, one egg and hope|half a cabbage|a tin of tomatoes]? I made {dish}.',
    'Burnt: {dish}. Saved: the pan, after {2-3} days of soaking. [We ordered noodles.|Toast is a meal.]',
    'Sunday is for {dish}. [Slow heat, radio on.|Everyone chops.|The house smells of it until Tuesday.] #{tag}',
    'A sharp knife is [a kindness to onions|half the recipe|cheaper than a gadget]. {link} shows how.',
    'Market haul: [{2-5} kg of plums|figs|chanterelles|too many leeks]. So: {dish}, and jam. 🍐',
    'Kids rated {dish}: {5-10}/10, "[could be rounder|less green please|again tomorrow]".',
    'Three ingredients, one rule: {secret}. That is the whole recipe for {dish}.',
  ],
  replies: [
    'recipe please! 🙏',
    'try: {secret}',
    'that crust though',
    'I need this on a rainy day',
    'can it be made without [garlic|butter|an oven]?',
    'my grandmother would approve, and she approves of nothing',
  ],
  links: [
    {
      url: 'https://kitchen.example.org/knives',
      title: 'Sharp in ten minutes',
      description: 'One stone, two angles, no drama.',
    },
    {
      url: 'https://kitchen.example.org/starter',
      title: 'A starter that forgives',
      description: 'Feed it when you remember.',
    },
  ],
};
