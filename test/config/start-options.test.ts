import { expect, test } from '@jest/globals';
import { settings } from '../../server/config/config.ts';
import { ConfigError } from '../../server/config/variables.ts';
import { readStartOptions, startUsage } from '../../server/config/start-options.ts';

test.each<[string[], object]>([
  [[], { help: false, replay: undefined, follow: [] }],
  [['--'], { help: false, replay: undefined, follow: [] }],
  [['--replay'], { help: false, replay: 2, follow: [] }],
  [['--replay=0.5'], { help: false, replay: 0.5, follow: [] }],
  [['--replay=20', '--help'], { help: true, replay: 20, follow: [] }],
  [
    ['--follow', 'x:Ada', '--follow=bluesky:*'],
    {
      help: false,
      replay: undefined,
      follow: [
        { source: 'x', kind: 'account', value: 'ada' },
        { source: 'bluesky', kind: 'network', value: '' },
      ],
    },
  ],
  [['-h'], { help: true, replay: undefined, follow: [] }],
])('accepts %j', (args, options) => {
  expect(readStartOptions(args)).toEqual(options);
});

test.each<[string[], string]>([
  [['--repaly'], "--repaly: unknown option; did you mean '--replay'?"],
  [['--verbose'], '--verbose: unknown option; `npm start -- --help` lists the options'],
  [['-x'], '-x: unknown option; `npm start -- --help` lists the options'],
  [['--no-replay'], "--no-replay: unknown option; did you mean '--replay'?"],
  [['--replay', '5'], '5: not an option of npm start; `npm start -- --help` lists the options'],
  [['--replay='], '--replay=: expected events per second, a number from 0.01 to 20'],
  [['--replay=0'], '--replay=0: expected events per second, a number from 0.01 to 20'],
  [['--replay=1e1'], '--replay=1e1: expected events per second, a number from 0.01 to 20'],
  [['--replay=21'], '--replay=21: expected events per second, a number from 0.01 to 20'],
  [
    ['--follow'],
    '--follow: expected a target, one of bluesky:HANDLE, bluesky:did:…, bluesky:list:AT-URI, bluesky:search:QUERY, bluesky:*, x:USERNAME, x:search:QUERY',
  ],
  [['--follow=x:'], "--follow: 'x:' is no target: expected x:USERNAME or x:search:QUERY"],
  [['--help=x'], '--help: it takes no value'],
])('rejects %j with a one-line instruction', (args, line) => {
  expect(() => readStartOptions(args)).toThrow(new ConfigError([line]));
});

test('the help lists every option and variable, in lines that fit a terminal', () => {
  expect(startUsage).toContain('--replay');
  expect(startUsage).toContain('--help');
  for (const { name, defaultText } of settings)
    expect(startUsage).toMatch(new RegExp(`^  ${name} .*(\n {10,}.*)?${defaultText === '' ? '' : '\\[.+\\]'}$`, 'm'));
  // An address is not divided.
  const lines = startUsage.split('\n').filter((line) => !line.includes('[wss://'));
  for (const line of lines) expect(line.length).toBeLessThanOrEqual(130);
});
