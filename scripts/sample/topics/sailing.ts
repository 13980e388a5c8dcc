import type { Topic } from './topic.ts';

export const sailing: Topic = {
  lang: 'en',
  tags: ['sailing', 'harbour', 'boatlife', 'knots'],
  visual: 0.45,
  words: {
    place: [
      'the lagoon',
      'the outer buoy',
      'the old pier',
      'the north channel',
      'the river mouth',
      'the lee of the island',
    ],
    wind: [
      '{8-14} knots from the west',
      '{15-24} knots and gusting',
      'a soft south-easterly',
      'no wind to speak of',
      'a proper sea breeze',
    ],
  },
  posts: [
    'Out past {place} at [dawn|six|first light] with {wind}. [Nobody else awake.|Coffee in the cockpit.|Two dolphins, one jealous gull.] ⛵',
    'Broken today: [the topping lift|one shackle|the depth sounder|my favourite mug]. Mended today: [the topping lift|nothing|the mood]. #{tag}',
    '{wind}, [one reef|two reefs|full sail], and the boat simply hums. [Days like this pay for the winter.|I could sail to the moon.]',
    'Anchored in {place}. [Holding in mud, sleeping like a stone.|Dragged twice, then the third set held.] #{tag}',
    'Learned the [rolling hitch|carrick bend|icicle hitch] from {who} today. [It holds.|My fingers disagree.]',
    'Forecast said {wind}. [The sea had not read it.|For once, exactly that.|We got the other thing.]',
    'Hull scrubbed: {2-5} hours, {1-3} new muscles discovered, half a knot gained. #{tag}',
    'Crewing for {who} at the autumn regatta. [My job is ballast and snacks.|I am told not to touch the vang.]',
    'Sunset from {place}, {wind}. [No filter, no signal.|Phones stay below.]',
    'The tide tables say {place} is passable until {6-11}. [The tide tables have never met our keel.|Plenty of time, famous last words.]',
    'Sewed a new [sail cover|spray hood|flag] over {2-4} evenings. [Crooked, strong, mine.|The machine needs a rest too.] #{tag}',
    'Someone asked what a boat costs. [All your Saturdays.|Ask me about the anchor chain.|It is free if you do not count.]',
    '{link}: [every sailor should read it twice|print it and keep it by the chart table]. #{tag}',
    'Night sail home from {place}. {wind}, stars down to the water, [phosphorescence in the wake|nobody spoke for an hour].',
  ],
  replies: [
    '[fair winds|stay safe out there] ⛵',
    'which anchor do you use there?',
    'that channel has a new sandbank, keep to the east',
    'jealous. We had {wind} all week',
    'is that the boat with the green sprayhood?',
    'reef early, as {who} always says',
  ],
  links: [
    {
      url: 'https://harbour.example.org/reefing',
      title: 'Reef before you think of it',
      description: 'A drill for two people in five minutes.',
    },
    {
      url: 'https://harbour.example.org/anchors',
      title: 'Choosing an anchorage',
      description: 'Depth, swing and the view at three in the morning.',
    },
  ],
  threads: [
    [
      'Three days along the coast in a very small boat. The log 🧵',
      'Day one: {wind}. Late start, as ever. Anchored in {place} and ate everything that was meant for day two.',
      'Day two: {wind}. Seasick crew of one. Ginger biscuits: effective.',
      'Day three: {wind}, home by noon, salt on every surface. When do we go again? #{tag}',
    ],
  ],
};
