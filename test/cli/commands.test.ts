/** Every command of package.json names an option that it does not have, and explains itself. */
import { expect, test } from '@jest/globals';
import manifest from '../../package.json' with { type: 'json' };
import { inTurn } from '../support/rounds.ts';
import { run } from '../support/server.ts';

const commands = Object.entries(manifest.scripts).flatMap(([name, command]) => {
  const script = /^(?:\w+=\S+ )*(?:exec )?node ((?:server|scripts)\/\S+\.ts)$/.exec(command)?.[1];
  return script === undefined ? [] : [[name, script] as const];
});

test('the project has commands', () => expect(commands.length).toBeGreaterThan(10));

test.each(['start', 'import'] as const)(
  'npm run %s compiles its modules once, unless another folder is set',
  (name) => {
    expect(manifest.scripts[name]).toContain('NODE_COMPILE_CACHE=${NODE_COMPILE_CACHE:-node_modules/.cache/compiled} ');
  },
);

/** Their options are variables, too, so that an invalid one is a fault of the configuration. */
const isConfigured = new Set(['server/main.ts', 'scripts/testing/mock/main.ts']);

const some = Math.ceil(commands.length / 4);
test.each(inTurn(commands, some))(
  'npm run %s rejects an unknown option by name, without a stack',
  async (_name, script) => {
    const { code, stdout, stderr } = await run(script, ['--no-such-option'], {});
    expect(code).toBe(isConfigured.has(script) ? 1 : 2);
    expect(stdout).toBe('');
    expect(stderr).toContain('--no-such-option');
    expect(stderr).not.toMatch(/^ {4}at /m);
  },
);

test.each(inTurn(commands, some))('npm run %s prints its usage with --help', async (_name, script) => {
  const { code, stdout, stderr } = await run(script, ['--help'], {});
  expect({ code, stderr, stdout }).toEqual({
    code: 0,
    stderr: '',
    stdout: expect.stringMatching(/^usage: npm (?:run )?\S+/i),
  });
});
