import { describe, expect, test } from '@jest/globals';
import { edited, outputLike, stepsOf } from './document.ts';

const document = `# A title
### First
Words. In \`a.yaml\`, above
\`b: …\`

\`\`\`yaml
  a: 1
\`\`\`

In \`d.md\`, below \`## New\`

\`\`\`md

### Added
\`\`\`

Now: \`c.ts\` becomes

\`\`\`ts
export {};
\`\`\`
### Second
In a second terminal:

\`\`\`console
$ run it
it runs
\`\`\`

\`\`\`console
$ one
$ two 'x'
says
…
\`\`\`
`;

test('parses a document as steps: edits with their positions, commands with their output', () => {
  expect(stepsOf(document)).toEqual([
    {
      heading: 'First',
      actions: [
        { file: 'a.yaml', how: 'above', at: 'b: …', text: '  a: 1\n' },
        { file: 'd.md', how: 'below', at: '## New', text: '\n### Added\n' },
        { file: 'c.ts', how: 'becomes', at: undefined, text: 'export {};\n' },
      ],
    },
    {
      heading: 'Second',
      actions: [
        { command: 'run it', prints: ['it runs'], stays: true },
        { command: 'one', prints: [], stays: false },
        { command: "two 'x'", prints: ['says', '…'], stays: false },
      ],
    },
  ]);
});

test('reports a block without a position', () => {
  expect(() => stepsOf('### A\nSomewhere put this:\n\n```ts\nx\n```\n')).toThrow(
    'do not say where it belongs: Somewhere put this',
  );
});

describe('an edit', () => {
  const text = 'one\n  two: 2\nthree\n';
  test.each([
    ['above', 'one\nnew\n  two: 2\nthree\n'],
    ['below', 'one\n  two: 2\nnew\nthree\n'],
    ['in place of', 'one\nnew\nthree\n'],
  ] as const)('%s a line', (how, result) => {
    expect(edited(text, { file: 'f', how, at: 'two: …', text: 'new\n' })).toBe(result);
  });
  test('fails if its line is missing or occurs twice', () => {
    expect(() => edited(text, { file: 'f', how: 'above', at: 'four', text: '' })).toThrow(
      'f has 0 lines `four`, not one',
    );
    expect(() => edited(text, { file: 'f', how: 'above', at: '…o…', text: '' })).toThrow('f has 2 lines');
  });
});

describe('the output of a command', () => {
  test.each([
    ['a\nb\n', ['a', 'b'], true],
    ['a\nb\n', ['a'], false],
    ['x\na\nb\n', ['…', 'b'], true],
    ['a\nb\nc\n', ['a', '…'], true],
    ['a\n', ['a', '…'], true],
    ['b at 12:3 says (x)\n', ['b at … says (x)'], true],
    ['b at 12:3\nsays (x)\n', ['b at … says (x)'], false],
    ['', [], true],
    ['a fault\n', [], false],
  ] as const)('%j matches %j: %s', (output, lines, is) => {
    expect(outputLike(lines).test(output)).toBe(is);
  });
});
