// Tests server/assistant/providers/openai/addresses.ts.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { describe, expect, test } from '@jest/globals';
import {
  readAccountsFile,
  readEntry,
  requirePublicEndpoint,
  requireSafeEndpoint,
} from '../../server/assistant/accounts.ts';
import { networkOf, type InternalEndpoints } from '../../server/config/urls.ts';
import { startLocalServer, temporaryFolder } from '../support/local-server.ts';

const settings = ['off', 'loopback', 'private'] as const;
const isPermitted = (check: () => void): boolean => {
  try {
    check();
    return true;
  } catch {
    return false;
  }
};
/** The settings with which an endpoint is accepted, from the interface of operators and from the machine. */
const permitted = (base_url: string): [overHttp: string, onMachine: string] => {
  const names = (check: (setting: InternalEndpoints) => void): string =>
    settings.filter((setting) => isPermitted(() => check(setting))).join(' ');
  return [
    names((setting) => requirePublicEndpoint({ base_url }, setting)),
    names((setting) => requireSafeEndpoint(readEntry({ base_url }), setting)),
  ];
};
const all = 'off loopback private';

describe('an endpoint of an account', () => {
  test.each([
    ['https://api.example.com/v1', all, all],
    ['http://api.example.com/v1', '', ''],
    ['http://8.8.8.8/v1', '', ''],
    ['http://[2606:4700::1111]/v1', '', ''],
    // This machine.
    ['http://127.0.0.1:11434/v1', 'loopback private', all],
    ['http://127.9.9.9/v1', 'loopback private', all],
    ['http://localhost:1234/v1', 'loopback private', all],
    ['http://LOCALHOST./v1', 'loopback private', all],
    ['http://models.localhost/v1', 'loopback private', all],
    ['http://[::1]:8080/v1', 'loopback private', all],
    ['http://[::ffff:127.0.0.1]/v1', 'loopback private', all],
    ['http://2130706433/v1', 'loopback private', all],
    ['http://0x7f.1/v1', 'loopback private', all],
    ['https://127.0.0.1/v1', 'loopback private', all],
    // Private networks.
    ['http://10.1.2.3/v1', 'private', 'private'],
    ['http://172.31.0.1/v1', 'private', 'private'],
    ['http://192.168.0.10:11434/v1', 'private', 'private'],
    ['http://[::ffff:192.168.0.10]/v1', 'private', 'private'],
    ['http://[fd00::5]/v1', 'private', 'private'],
    ['http://100.64.0.7/v1', 'private', 'private'],
    ['http://ollama:11434/v1', 'private', 'private'],
    ['http://host.docker.internal:11434/v1', 'private', 'private'],
    ['https://192.168.0.10/v1', 'private', all],
    // Addresses that no endpoint has, such as the metadata of a cloud.
    ['http://169.254.169.254/v1', '', ''],
    ['http://0.0.0.0/v1', '', ''],
    ['http://[fe80::1]/v1', '', ''],
    ['http://172.32.0.1/v1', '', ''],
    ['https://169.254.169.254/v1', '', all],
  ])('%s is accepted with [%s] over HTTP, and with [%s] on the machine', (url, overHttp, onMachine) => {
    expect(permitted(url)).toEqual([overHttp, onMachine]);
  });

  test('is private by its name where it has no dot, or a reserved domain', () => {
    expect(['a', 'a.local', 'a.home.arpa', 'a.example.com', 'local.example.com'].map(networkOf)).toEqual([
      ...['private', 'private', 'private'],
      ...['public', 'public'],
    ]);
  });

  test('is checked in the accounts file, with a message that names the setting', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'accounts-'));
    const path = join(folder, 'accounts.json');
    await writeFile(path, JSON.stringify([{ base_url: 'http://10.0.0.1/v1' }]));
    await expect(readAccountsFile(path, 'off')).rejects.toThrow('ASSISTANT_HTTP=private');
    expect((await readAccountsFile(path, 'private')).entries).toHaveLength(1);
    await rm(folder, { recursive: true });
  });

  test('in the own network is refused over HTTP without the setting, and named in no request', async () => {
    const folder = await temporaryFolder();
    const server = await startLocalServer(join(folder.path, 'data'), { ASSISTANT: 'openai', DEMO: '0' });
    const add = async (base_url: string): Promise<[number, unknown]> => {
      const response = await fetch(`${server.url}/operate/api/accounts`, {
        method: 'POST',
        headers: { 'x-api-key': server.operatorKey ?? '', 'content-type': 'application/json' },
        body: JSON.stringify({ base_url, api_key: 'a-key-of-an-endpoint' }),
      });
      return [response.status, await response.json()];
    };
    try {
      expect(await add('http://api.example.com/v1')).toEqual([
        400,
        { error: expect.stringContaining('must be https') },
      ]);
      expect(await add(server.url)).toEqual([400, { error: expect.stringContaining('ASSISTANT_HTTP=loopback') }]);
      expect(await add('http://192.168.7.7/v1')).toEqual([
        400,
        { error: expect.stringContaining('ASSISTANT_HTTP=private') },
      ]);
    } finally {
      await server.end();
      await folder.dispose();
    }
  });
});
