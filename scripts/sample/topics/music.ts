import type { Topic } from './topic.ts';

export const music: Topic = {
  lang: 'en',
  tags: ['nowplaying', 'modularsynth', 'choir', 'vinyl', 'livemusic'],
  visual: 0.3,
  words: {
    gear: [
      'the old upright piano',
      'a borrowed cello',
      'the modular',
      'my four-track',
      'a cheap melodica',
      'the loop pedal',
    ],
    band: ['Paper Lanterns', 'The Quiet Foxes', 'Nine Rivers', 'Salt & Ladder', 'Odd Cathedral', 'Ana and the Tides'],
  },
  posts: [
    'Recorded {2-7} minutes on {gear} after midnight. [It might be a song.|The neighbours call it a phase.] 🎹',
    '{band} live in a [library|boathouse|former bank] last night. [Eighty people, no phones.|Goose bumps from the first bar.] #{tag}',
    'Choir learned all {3-6} voices in one evening. [The altos carried us.|The last chord hung in the stairwell.]',
    'Repeat listening: side {1-2} of the new {band}. [Track three is a small miracle.|It ends too soon.] #{tag}',
    'Sold a lens to buy {gear}. [Zero regret.|Ask me again in a month.]',
    'Practice streak: {12-190} days. Today: scales, {gear}, [patience|a very slow waltz|metronome at {50-90}].',
    'Found {band} in the one-euro box. [The scratch is part of the rhythm.|Cover art by somebody’s cousin.] #{tag}',
    'Song idea hummed into the phone at [the bus stop|the dentist|a traffic light]. [It is 5/4. I am sorry, drummer.|It has a bridge already.]',
    'Street concert with {who}: {gear}, one hat, {14-90} euros, three requests for the same song.',
    'Tuned {gear}. [It took longer than the concert.|Stable until the next rain.]',
    'Notes on home recording: {link}. [Blankets beat plugins.|Move the mic first.]',
    'Drummer is ill, so tonight {band} play [without drums|with a biscuit tin]. [Might be better.|Come and see.] 🥁',
  ],
  replies: [
    'is there a recording? 🎧',
    'that bridge gives me chills',
    '{band} were even better last year',
    'what tuning is that?',
    'come and play here please',
    'the hiss is the best part',
  ],
  links: [
    {
      url: 'https://sound.example.org/blankets',
      title: 'Recording at home with blankets',
      description: 'Quiet rooms for little money.',
    },
  ],
};
