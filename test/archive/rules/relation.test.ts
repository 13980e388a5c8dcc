import { describe, expect, test } from '@jest/globals';
import { Relation, Relations } from '../../../server/archive/rules/relation.ts';

/** A start (`+`) or a removal (`-`) of member 1 at a time. */
type Step = readonly ['+' | '-', at: number];

/** The outcomes of the steps, the starts of the member that matter then, and its removal. */
function after(...steps: Step[]) {
  const relation = new Relation();
  const outcomes = steps.map(([what, at]) => (what === '+' ? relation.add('1', at) : relation.remove('1', at)));
  const times = (members: Iterable<{ readonly at: number }>): number[] => Array.from(members, ({ at }) => at);
  return { outcomes, starts: times(relation.starts()), removals: times(relation.removals()) };
}

test.each<[string, Step[], string[], number[], number[]]>([
  ['a first start', [['+', 5]], ['added'], [5], []],
  [
    'the same start again',
    [
      ['+', 5],
      ['+', 5],
    ],
    ['added', 'unchanged'],
    [5],
    [],
  ],
  [
    'a later start',
    [
      ['+', 5],
      ['+', 8],
    ],
    ['added', 'updated'],
    [5, 8],
    [],
  ],
  [
    'an earlier start',
    [
      ['+', 8],
      ['+', 5],
    ],
    ['added', 'updated'],
    [5, 8],
    [],
  ],
  [
    'a start between two',
    [
      ['+', 5],
      ['+', 8],
      ['+', 6],
    ],
    ['added', 'updated', 'unchanged'],
    [5, 8],
    [],
  ],
  [
    'a start before two',
    [
      ['+', 5],
      ['+', 8],
      ['+', 4],
    ],
    ['added', 'updated', 'updated'],
    [4, 8],
    [],
  ],
  [
    'a start after two',
    [
      ['+', 5],
      ['+', 8],
      ['+', 9],
    ],
    ['added', 'updated', 'updated'],
    [5, 9],
    [],
  ],
  ['an unknown start', [['+', 0]], ['added'], [0], []],
  [
    'an unknown start again',
    [
      ['+', 0],
      ['+', 0],
    ],
    ['added', 'unchanged'],
    [0],
    [],
  ],
  [
    'a known start after an unknown one',
    [
      ['+', 0],
      ['+', 5],
    ],
    ['added', 'updated'],
    [5],
    [],
  ],
  [
    'an unknown start after a known one',
    [
      ['+', 5],
      ['+', 0],
    ],
    ['added', 'unchanged'],
    [5],
    [],
  ],
  [
    'two known starts after an unknown one',
    [
      ['+', 0],
      ['+', 5],
      ['+', 3],
    ],
    ['added', 'updated', 'updated'],
    [3, 5],
    [],
  ],
  ['a removal of nobody', [['-', 5]], ['added'], [], [5]],
  [
    'a removal after the start',
    [
      ['+', 5],
      ['-', 8],
    ],
    ['added', 'updated'],
    [],
    [8],
  ],
  [
    'a removal at the start',
    [
      ['+', 5],
      ['-', 5],
    ],
    ['added', 'updated'],
    [],
    [5],
  ],
  [
    'a removal before the start',
    [
      ['+', 5],
      ['-', 4],
    ],
    ['added', 'updated'],
    [5],
    [4],
  ],
  [
    'a removal between two starts',
    [
      ['+', 5],
      ['+', 8],
      ['-', 6],
    ],
    ['added', 'updated', 'updated'],
    [8],
    [6],
  ],
  [
    'a removal of an unknown start',
    [
      ['+', 0],
      ['-', 3],
    ],
    ['added', 'updated'],
    [],
    [3],
  ],
  [
    'a removal at an unknown time',
    [
      ['+', 0],
      ['-', 0],
    ],
    ['added', 'updated'],
    [],
    [0],
  ],
  [
    'a later removal',
    [
      ['-', 5],
      ['-', 8],
    ],
    ['added', 'updated'],
    [],
    [8],
  ],
  [
    'an earlier removal',
    [
      ['-', 8],
      ['-', 5],
    ],
    ['added', 'unchanged'],
    [],
    [8],
  ],
  [
    'the same removal again',
    [
      ['-', 8],
      ['-', 8],
    ],
    ['added', 'unchanged'],
    [],
    [8],
  ],
  [
    'a start before the removal',
    [
      ['-', 8],
      ['+', 5],
    ],
    ['added', 'unchanged'],
    [],
    [8],
  ],
  [
    'a start at the removal',
    [
      ['-', 8],
      ['+', 8],
    ],
    ['added', 'unchanged'],
    [],
    [8],
  ],
  [
    'a start after the removal',
    [
      ['-', 8],
      ['+', 9],
    ],
    ['added', 'added'],
    [9],
    [8],
  ],
  [
    'two starts after the removal',
    [
      ['-', 8],
      ['+', 9],
      ['+', 12],
    ],
    ['added', 'added', 'updated'],
    [12],
    [8],
  ],
  [
    'an earlier start after the removal',
    [
      ['-', 8],
      ['+', 12],
      ['+', 9],
    ],
    ['added', 'added', 'unchanged'],
    [12],
    [8],
  ],
])('%s', (_what, steps, outcomes, starts, removals) => {
  expect(after(...steps)).toEqual({ outcomes, starts, removals });
});

describe('a relation', () => {
  test('is empty without members and without removals', () => {
    const relation = new Relation();
    expect(relation.isEmpty).toBe(true);
    relation.add('1', 5);
    expect(relation.isEmpty).toBe(false);
    relation.remove('1', 5);
    expect(relation.isEmpty).toBe(false);
    relation.forgetRemoval('1');
    expect(relation.isEmpty).toBe(true);
  });

  test('forgets a member with its removal, or the removal only', () => {
    const relation = new Relation();
    for (const id of ['1', '2']) {
      relation.remove(id, 5);
      relation.add(id, 8);
    }
    relation.forget('1');
    relation.forgetRemoval('2');
    expect([[...relation.members()], [...relation.removals()]]).toEqual([[{ id: '2', at: 8 }], []]);
    expect([relation.add('1', 3), relation.add('2', 3)]).toEqual(['added', 'updated']);
  });

  test('shows no members that are hidden, and has them again later', () => {
    const hidden = new Set(['1', '3']);
    const relations = new Relations((id) => hidden.has(id));
    const relation = relations.of('owner');
    for (const id of ['1', '2']) relation.add(id, 5);
    for (const id of ['3', '4']) relation.remove(id, 5);
    const ids = (members: Iterable<{ readonly id: string }>): string[] => Array.from(members, ({ id }) => id);
    expect([ids(relation.members()), ids(relation.starts()), ids(relation.removals())]).toEqual([['2'], ['2'], ['4']]);
    hidden.clear();
    expect([ids(relation.members()), ids(relation.removals())]).toEqual([
      ['1', '2'],
      ['3', '4'],
    ]);
  });

  test('exists once for each owner', () => {
    const relations = new Relations();
    relations.of('a').add('1', 5);
    expect([[...relations.of('a').members()], [...relations.of('b').members()], relations.size]).toEqual([
      ...[[{ id: '1', at: 5 }], [], 2],
    ]);
  });
});
