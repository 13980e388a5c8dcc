import type { Topic } from './topic.ts';

export const chess: Topic = {
  lang: 'en',
  tags: ['chess', 'endgame', 'clubchess', 'tactics'],
  visual: 0.15,
  words: {
    opening: ['the Caro-Kann', 'the French', 'the London', 'the Najdorf', 'the Scotch', 'a King’s Indian', 'the Dutch'],
    move: ['Rxe6', 'Nf5', 'h4', 'Kd2', 'Bxh7+', 'c5', 'Qd1', 'exf6'],
  },
  posts: [
    'Lost from a winning rook ending [again|for the third week running]. [Activity before pawns.|The king wanted to walk and I did not let it.] #{tag}',
    'Played {opening} as [White|Black] tonight. Move {9-24} {move} was [brave|bad|both]. [The engine laughs.|I regret nothing.]',
    'Club night: {1-4} wins, {1-3} draws, one {opening} that we shall not speak of. ♟️',
    'Puzzle from my own game: after {move} there is only one move that holds. [It took me a day to see it.|I found it in the shower.]',
    'My {7-11}-year-old [niece|neighbour|pupil] just beat me with {opening}. [Proud. Crushed. Proud.|I resigned with dignity.]',
    'Simul by {who} on [Friday|Sunday]: {18-32} boards, {1-3} draws, one very happy teenager.',
    'Blunder of the week: {move}, with {2-40} minutes left on the clock. [Sit on your hands.|Count the checks.] #{tag}',
    'Reading {link}. [Opposition finally makes sense.|Every diagram is a small shock.]',
    'Does anyone still play {opening} [for a win|on purpose|without memorising 20 moves]?',
    'Analysed without an engine for [an hour|a whole evening]. We were wrong {5-12} times and learned {5-12} things.',
    'Correspondence game, move {20-48}: {move}. My opponent now has {3-14} days to suffer. #{tag}',
    'New rating: {1380-2090}. [Down eleven, wiser by one.|Up four, and I feel every point.]',
  ],
  replies: [
    'was {move} possible there?',
    'zugzwang is a lifestyle',
    'good game! [Analysis|Rematch] on Tuesday?',
    'I lose that ending too, you are in good company',
    'engine says +{1-3}.{1-9}, heart says draw',
    'the knight belongs on f5, always',
  ],
  links: [
    {
      url: 'https://chess.example.org/rook-endings',
      title: 'Seven rook endings to know',
      description: 'Enough to save half a point a month.',
    },
  ],
};
