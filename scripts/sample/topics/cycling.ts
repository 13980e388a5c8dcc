import type { Topic } from './topic.ts';

export const cycling: Topic = {
  lang: 'en',
  tags: ['cycling', 'bikelane', 'cargobike', 'urbancycling'],
  visual: 0.35,
  words: {
    load: [
      'two children and a cello',
      'a washing machine',
      'forty kilos of soil',
      'a Christmas tree',
      'six boxes of books',
      'the dog',
    ],
    spot: ['the ring road', 'the station bridge', 'Mill Street', 'the new roundabout', 'the canal path'],
  },
  posts: [
    'Carried {load} across town by cargo bike. [{20-45} minutes, zero parking tickets.|Drivers smiled. Really.] 🚲',
    'Counted {180-940} bikes and {20-260} cars at {spot} between seven and nine. [Guess which has the space.|Data for the council.] #{tag}',
    '{spot} finally has a [kerb|protected lane|green wave for bikes]. [It took {3-11} years.|Thank you, {who}, for the letters.]',
    'Flat tyre at {spot}, fixed in {5-14} minutes by a stranger with [a patch kit|better jokes than mine]. [Cities are good.|Paid in apples.]',
    'Commute report: {4-15} km, tailwind both ways, [impossible but true|one heron|all lights green]. #{tag}',
    'Winter tyres on. [Bring the ice.|The hum is back.|Earlier than last year.]',
    'Chain: {2-6} thousand km, measured, replaced. [Cheaper than a cassette.|Do it before the grinding.] #{tag}',
    'Kidical ride on Sunday: {90-600} small bikes on {spot}. [The bells!|Best traffic jam of the year.]',
    'Dear delivery vans on {spot}: [the lane is not a loading bay|I know you have ten minutes, so do I].',
    'Bike school, lesson {1-6}: {4-12} adults, one car park, [everyone rolled|two cried with joy]. 💛',
    'Design notes for junctions that work: {link}. [Send it to your council.|Look at the corner radius.]',
    'What do you carry that surprises people? Today for me: {load}.',
  ],
  replies: [
    'which bike is that?',
    '{spot} is still a nightmare at five',
    'more of this please 🚲',
    'how do you lock it?',
    'send the count to the city, they do read them',
    'I moved {load} last week, same smiles',
  ],
  links: [
    {
      url: 'https://streets.example.org/junctions',
      title: 'Junctions that forgive',
      description: 'Drawings, radii and a year of counts.',
    },
  ],
  threads: [
    [
      'We counted traffic at {spot} for a week with {8-20} volunteers. What we found 🧵',
      'Bikes: {4-9} thousand. Cars: {2-4} thousand. Space for bikes: a painted line.',
      'Near misses: {14-60}, nearly all at the same driveway. One mirror would help.',
      'The council has the table since Monday. They answered the same day. Hope! #{tag}',
    ],
  ],
};
