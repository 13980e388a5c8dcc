/** The communities of the sample. */

interface Community {
  name: string;
  description: string;
  topic: string;
  policy: 'open' | 'restricted' | 'closed';
}

/** The first one appears in the examples of the contract. */
export const communities: Community[] = [
  { name: 'Home Roasters', description: 'Beans, machines and mistakes.', topic: 'coffee', policy: 'open' },
  {
    name: 'Small Archives',
    description: 'Keeping things readable for a long time.',
    topic: 'code',
    policy: 'restricted',
  },
  {
    name: 'Small Boats',
    description: 'Under eight metres, over all sorts of water.',
    topic: 'sailing',
    policy: 'open',
  },
  { name: 'Slow Runners United', description: 'Any pace. Especially that one.', topic: 'running', policy: 'open' },
  {
    name: 'Allotment Fence',
    description: 'Talk over the fence: seeds, slugs and sheds.',
    topic: 'garden',
    policy: 'open',
  },
  {
    name: 'Endgame Study',
    description: 'One position a day, no engines before noon.',
    topic: 'chess',
    policy: 'restricted',
  },
  {
    name: 'Balcony Astronomers',
    description: 'City skies, small telescopes, big patience.',
    topic: 'stars',
    policy: 'open',
  },
  { name: 'Bread & Brine', description: 'Things that rise and things that ferment.', topic: 'cooking', policy: 'open' },
  {
    name: 'Count the Bikes',
    description: 'Volunteers who count traffic, and what they find.',
    topic: 'cycling',
    policy: 'restricted',
  },
  {
    name: 'Contract Check',
    description: 'Is this the right token? Ask before you click. Not advice.',
    topic: 'crypto',
    policy: 'closed',
  },
  {
    name: 'Footnote Readers',
    description: 'Annual reports, from the back. Not advice.',
    topic: 'markets',
    policy: 'closed',
  },
  { name: 'Patch Birders', description: 'One patch, all year.', topic: 'birds', policy: 'open' },
  { name: 'Repair Café Online', description: 'Show the fault, get a hint.', topic: 'making', policy: 'open' },
];
