import type { Topic } from './topic.ts';

export const stars: Topic = {
  lang: 'en',
  tags: ['astronomy', 'nightsky', 'astrophotography', 'stargazing'],
  visual: 0.5,
  words: {
    object: [
      'Saturn',
      'the Andromeda galaxy',
      'the Ring Nebula',
      'the Double Cluster',
      'Jupiter',
      'the Orion Nebula',
      'the Veil',
      'the Moon at {11-96} %',
    ],
    sky: ['steady air', 'thin cloud', 'dew on everything', 'no Moon at all', 'a neighbour’s floodlight'],
  },
  posts: [
    '{object} [through the small refractor|at {80-240}×|from the balcony] last night, {sky}. [Worth every mosquito.|I said "oh" out loud.] 🔭',
    'Clear sky forecast for [tonight|three whole nights]. [So of course: {sky}.|Battery charging, soup in the flask.] #{tag}',
    '{40-320} frames of {object}, {60-180} s each, stacked. [Noise is patience you have not spent yet.|First time I see the dust.]',
    'Showed {object} to {6-40} people at the street corner. [The whisper afterwards is why I do this.|One asked if it was a sticker.]',
    'Sketched {object} with pencil instead of a camera. [You see more when you draw.|My Saturn has ears.] #{tag}',
    'Collimation took [an hour|one star and many words]. Now {object} is a point and not a comet. ✨',
    'Counted {9-70} meteors between midnight and {2-4}. [One lit up the field.|Neck: broken. Mood: excellent.]',
    'The station passed over at {19-22}:{10-59}. [My daughter waved.|It is brighter than you think.] #{tag}',
    '{sky}, so I [cleaned eyepieces|read {link}|labelled two years of images] instead.',
    'If you buy one thing this year: [a red torch|a planisphere|a reclining chair], not a bigger telescope. {who} is right.',
    'Measured the sky from [the park|the hill|my roof]: magnitude {17-21}.{1-9}. [Better than feared.|Blame the car park.]',
    '{object} rises over the [chimneys|bakery|hospital] now. [Autumn is here.|Set your alarm for five.] #{tag}',
  ],
  replies: [
    'what did you stack it with?',
    'the seeing was awful here: {sky}',
    'stunning 🌌',
    'how dark is it where you are?',
    'I can never find that one without a finder chart',
    'my kids want to see {object} now, thanks',
  ],
  links: [
    {
      url: 'https://sky.example.org/first-telescope',
      title: 'A first telescope, honestly',
      description: 'Aperture, mount, and the one you will carry.',
    },
    {
      url: 'https://sky.example.org/dark-places',
      title: 'Map of dark places',
      description: 'Measured by volunteers, night by night.',
    },
  ],
  threads: [
    [
      'You can see these {5-7} things from a city balcony with binoculars. No telescope needed 🧵',
      'One: {object}. Wait half an hour first so that your eyes get used to the dark.',
      'Two: {object}. Lean on the railing, breathe out, look again.',
      'Three: the moons of Jupiter, changing sides from night to night. Draw them for a week. #{tag}',
    ],
  ],
};
