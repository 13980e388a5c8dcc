import type { Topic } from './topic.ts';

export const football: Topic = {
  lang: 'en',
  tags: ['football', 'matchday', 'nonleague', 'SundayLeague'],
  visual: 0.25,
  words: {
    club: [
      'Harbour Rovers',
      'Millbrook United',
      'Northgate',
      'Quarry Athletic',
      'Saint Elm',
      'Riverside Town',
      'Old Foundry',
    ],
    part: ['the press', 'the left side', 'our keeper', 'the offside trap', 'the young number eight', 'the pitch'],
  },
  posts: [
    'Full time: {club} {0-4}, {club} {0-4}. [Deserved.|How did we lose that?|I have no voice left.] ⚽ #{tag}',
    '{part} was [superb|a mess|the story] today. [Somebody give that coach a biscuit.|Rewind and enjoy.]',
    '{club} away in the rain, {80-900} fans, one flask. [Football as it should be.|Would not swap it.] #{tag}',
    'Goal of the season already: {club}, {18-40} metres, off the bar. [The keeper applauded.|I dropped my pie.]',
    'Penalties again. [I watched through my scarf.|My heart cannot.|Never in doubt, they say.] {club} go through.',
    'Our Sunday team drew {1-5}:{1-5}. {part} [held|fell over|was hungover]. Man of the match: the dog who stole the ball.',
    'Hot take: {part} wins more points for {club} than any signing would. #{tag}',
    'Youth final on [Saturday|Sunday]: {club} against {club}. [Bring a scarf.|Entry is a tin for the food bank.]',
    'Stat of the day: {club} ran {105-121} km and had {28-70} % of the ball. [Guess who lost.|Running is not a plan.]',
    'Preview at {link}. [I say draw.|{who} says three nil, dreamer.|Bring on the derby.]',
    'Groundsman appreciation post: {3-9} hours of sweeping water so that {club} could play. 💚 #{tag}',
  ],
  replies: [
    '[never a penalty|clear penalty], sorry',
    'what a match!',
    '{part} decided it',
    'see you at the derby 💙',
    'bold of {club} to try that',
    'the referee lost his glasses',
  ],
  links: [
    { url: 'https://pitch.example.org/preview', title: 'Weekend preview', description: 'Six matches, six guesses.' },
  ],
};
