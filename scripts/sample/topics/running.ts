import type { Topic } from './topic.ts';

export const running: Topic = {
  lang: 'en',
  tags: ['running', 'trailrunning', 'marathon', 'parkrun', 'slowisfine'],
  visual: 0.3,
  words: {
    route: [
      'along the canal',
      'up the quarry hill',
      'round the reservoir',
      'through the pine forest',
      'on the track',
      'past the lighthouse',
      'over the moor',
    ],
    state: [
      'legs like wood',
      'legs like springs',
      'fog on my glasses',
      'a stitch from the start',
      'a robin for company',
      'rain from all sides',
    ],
  },
  posts: [
    '{5-24} km {route} before [breakfast|work|the heat]. {state}. #{tag}',
    'Intervals: {4-8} × {400-1200} m. [The last one hurt most.|The third is always the worst.|Never look at the watch in number four.]',
    'Long run {route}: {18-34} km, {1-3} gels, {state}, and one very [proud|muddy|judgemental] dog. 🏃',
    'Rest day. [Allegedly.|I have cleaned the whole flat.|The shoes look at me.] #{tag}',
    'New personal best over {5-10} km by {4-48} seconds! [I am never doing that again. Until Saturday.|Cake for everyone.]',
    'Marathon in {3-12} weeks. Today: {20-36} km {route}. [Starting to believe it.|Starting to doubt it.]',
    'Ran with {who} {route}. [Talked so much that we forgot to stop the watch.|Slow, and exactly right.]',
    'Shoe report after {300-900} km: [sole gone, love intact|one lace replaced, still quick|retired to gardening]. #{tag}',
    'The hill {route} has {80-240} metres of climb and [no mercy|a bench at the top]. [We are friends now.|I walked some. So what.]',
    'Knee update: [quiet for two weeks|grumbling|fine on trails, moody on roads]. [Strength work is boring and it works.|Thanks for asking.]',
    'Saturday 5 km in the park: {120-410} runners, {12-40} volunteers, {state}. #{tag}',
    'What do you [listen to|eat|think about] on runs over two hours? I am out of [podcasts|ideas|raisins].',
    'Plan from {link}, week {2-11}. [Easy days truly easy, for once.|I trust it more than my own judgement.]',
    'Heart rate {118-142} for {60-100} minutes {route}. [Slow is a skill.|Overtaken by a pushchair.|Boring, lovely.]',
  ],
  replies: [
    '[well done|brilliant|strong running]! 👏',
    'what is your plan for the [taper|hills|last ten km]?',
    'that hill {route} broke me last year',
    'easy days easy, hard days hard 💪',
    'how are the calves today?',
    'see you at the start line',
    'I had {state} too, must be the season',
  ],
  links: [
    {
      url: 'https://run.example.org/first-marathon',
      title: 'A first marathon in 16 weeks',
      description: 'Four runs a week and one honest rest day.',
    },
    {
      url: 'https://run.example.org/hills',
      title: 'Hills for flatlanders',
      description: 'Bridges, stairs and patience.',
    },
  ],
  threads: [
    [
      'Race report: my first [mountain|coastal|night] marathon 🧵',
      'Km 1 to 15: {state}. Everybody says start slowly. I nearly did.',
      'Km 16 to 32: {state}. Walked the steep part, ate a potato, felt human.',
      'Km 33 to the end: somebody played the trumpet at the corner and I cried a bit. {4-5} hours, {2-58} minutes. Worth it. #{tag}',
    ],
  ],
};
