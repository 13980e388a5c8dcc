import type { Topic } from './topic.ts';

export const coffee: Topic = {
  lang: 'en',
  tags: ['homeroasting', 'coffee', 'espresso', 'pourover', 'firstcrack'],
  visual: 0.4,
  words: {
    bean: [
      'a washed Ethiopian',
      'a natural from Huila',
      'a Kenyan peaberry',
      'a honey from Costa Rica',
      'a Sumatran',
      'a decaf from Mexico',
      'a Rwandan bourbon',
    ],
    taste: ['apricot', 'black tea', 'cocoa', 'bergamot', 'toffee', 'red apple', 'roasted nuts', 'plum jam'],
  },
  posts: [
    'Roasted {bean} this [morning|evening]: first crack at {7-9}:{10-59}, dropped {60-110} seconds later. [Smells of|Cup has] {taste} and {taste}. #{tag}',
    '{bean}, day {3-12} off roast. Finally [opened up|stopped tasting of hay]: {taste}, {taste}, a little {taste}. ☕',
    'New burrs are in. [Espresso|Filter] at {15-19} g in, {30-42} g out, {24-33} seconds, and suddenly there is {taste}.',
    'The smoke alarm has [opinions|strong feelings] about {bean}. [Sorry, neighbours.|Window open next time.]',
    'Cupped five coffees blind with {who}. [I rated my own roast last.|We both picked the cheapest one.|Nobody found the decaf.]',
    'Tip: [weigh the water too|rest a light roast for ten days|clean the chaff collector before, not after]. Your coffee will be more even. #{tag}',
    'Is it me or does {bean} taste of {taste} only on [rainy days|Sundays|the second cup]?',
    'My kettle was {3-9} degrees off. [Two years of blaming the beans.|Explains everything about winter.] #{tag}',
    '{link} is the clearest page on [roast curves|extraction|water] I know. [Bookmark it.|Read the footnotes.]',
    'Traded {200-500} g of {bean} for [a jar of honey|tomato seedlings|a repaired bicycle]. Best currency in the street.',
    'Espresso log, week {20-45}: {3-9} good shots, {2-6} sink shots, one that tasted of {taste} and that I cannot repeat.',
    'Roast {100-400} since I began. The notebook says the [worst|best] one was {bean}. The nose agrees.',
    'Made cold brew with {bean}: {12-20} hours, coarse, 1:{8-12}. {taste} and {taste}, and no bitterness at all.',
    'The neighbours now knock when I roast. [I take it as a compliment.|They bring cake, I give coffee.] #{tag}',
    'Anybody else roast in a [popcorn machine|wok|bread maker]? {bean} came out [surprisingly even|striped like a zebra].',
    'Green coffee delivery! {2-9} kg of {bean}. [The shelf is full and I regret nothing.|Spring is sorted.]',
  ],
  replies: [
    'try it a bit coarser and [two|three] grams less',
    'rest it until {taste} shows up, it will',
    'which [grinder|roaster|water] is that?',
    'my smoke alarm says hello',
    'I get {taste} from that one, are we drinking the same coffee? 😄',
    'looks perfectly even, no tipping at all',
    'save me a bag please ☕',
    'first crack that early? [What was the charge temperature|How much did you load]?',
  ],
  links: [
    {
      url: 'https://roast.example.org/curves',
      title: 'Reading a roast curve',
      description: 'What the bend before first crack tells.',
    },
    {
      url: 'https://roast.example.org/water',
      title: 'Water for coffee, at home',
      description: 'Two minerals, one jug, no laboratory.',
    },
    {
      url: 'https://example.org/green-beans',
      title: 'How to store green coffee',
      description: 'Cool, dark, dry, and not next to the onions.',
    },
  ],
  threads: [
    [
      'I roasted the same coffee {4-7} ways so that you do not have to. {bean}, one bag, one weekend 🧵',
      'Light and fast: {taste}, very bright, a bit of grass. Lovely as filter after ten days.',
      'Medium with a long middle: {taste} and {taste}. The one that everybody at the table finished.',
      'Dark: the house smelled of {taste}, the cup of smoke. Fine with milk, and never again. #{tag}',
    ],
  ],
};
