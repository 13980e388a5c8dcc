/** What an editor shows of the options and parameters of the client. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '../support/packed.ts';

const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8');

/** The members of an interface or type, each with its doc comment. */
function membersOf(source: string, name: string): [member: string, comment: string][] {
  const body = new RegExp(`export (?:interface|type) ${name}\\b[^{]*\\{\\n([\\s\\S]*?)\\n\\}`).exec(source)?.[1] ?? '';
  return Array.from(
    body.matchAll(/(?:^ {2}\/\*\*([\s\S]*?)\*\/\n)?^ {2}readonly (\w+)\??:/gm),
    ([, comment = '', member]) => [member!, comment],
  );
}

test.each([
  ['client/src/options.ts', 'TransportOptions', 14],
  ['client/src/options.ts', 'CallOptions', 5],
  ['client/src/options.ts', 'ListOptions', 1],
  ['client/src/methods.ts', 'ClientOptions', 1],
  ['client/src/retry.ts', 'Retry', 5],
  ['client/src/event-stream.ts', 'EventOptions', 9],
  ['client/src/ask.ts', 'AskOptions', 2],
])('each option of %s, %s, says its default', async (file, name, count) => {
  const members = membersOf(await read(file), name);
  expect(members.length).toBeGreaterThanOrEqual(count);
  expect(members.filter(([, comment]) => !/\bdefault\b/i.test(comment)).map(([member]) => member)).toEqual([]);
});

test('no comment or help has a link that an editor or a terminal cannot open', async () => {
  for (const file of ['generated/client.ts', 'generated/types.ts', 'generated/commands.ts', 'client/src/index.ts']) {
    const links = Array.from((await read(file)).matchAll(/\]\((?!https?:)[^)\s]+\)/g), ([link]) => link);
    expect([file, links]).toEqual([file, []]);
  }
  expect(await read('generated/client.ts')).toContain('`/docs/search` of the service explains every operator');
});

test('the package, its README and its examples have the same names for the URL and the key', async () => {
  const files = ['client/README.md', 'client/examples/script.mjs', 'client/examples/listen.mjs', 'client/cli/help.ts'];
  for (const file of files) {
    const names = (await read(file)).match(/\b\w*(?:API_KEY|BASE_URL)\b/g) ?? [];
    expect([file, [...new Set(names)].toSorted()]).toEqual([file, ['SOCIAL_DATA_API_KEY', 'SOCIAL_DATA_BASE_URL']]);
  }
});

test('the README installs the package from a file, as long as it is in no registry', async () => {
  const readme = await read('client/README.md');
  expect(readme).toContain('npm pack ./client');
  expect(readme).toContain('npm install ./social-data-client-*.tgz');
  expect(readme).not.toContain('npm install @social-data/client');
});
