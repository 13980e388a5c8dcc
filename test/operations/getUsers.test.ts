/** Several users by their ids or usernames, over HTTP and the sample. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { exampleAnswer, expectContract } from '../support/contract.ts';
import { startLocalServer, temporaryFolder, type LocalServer } from '../support/local-server.ts';
import { callOperation, like } from '../support/operation.ts';

interface User {
  readonly id: string;
  readonly username: string;
}
interface Batch {
  readonly users: readonly User[];
  readonly missing: readonly string[];
}

const key = 'a-key-for-this-test';
let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let server: LocalServer;
let known: readonly User[];
beforeAll(async () => {
  folder = await temporaryFolder();
  server = await startLocalServer(folder.path, { API_KEYS: key });
  const response = await get('/social/tweet/advanced_search?query=lang:en&limit=100');
  const { tweets } = (await response.json()) as { tweets: { author: User }[] };
  known = [...new Map(tweets.map(({ author }) => [author.id, author])).values()].filter(({ username }) => username);
});
afterAll(async () => {
  await server?.end();
  await folder?.dispose();
});
const get = (target: string): Promise<Response> => fetch(server.url + target, { headers: { 'x-api-key': key } });
async function batch(query: { ids?: readonly string[]; usernames?: readonly string[] }): Promise<Batch> {
  const response = await callOperation(server, key, 'getUsers', { query });
  expect(response.status).toBe(200);
  return (await expectContract('getUsers', response)) as Batch;
}
const idsOf = ({ users }: Batch): string[] => users.map(({ id }) => id);

test('getUsers answers the sample archive in the form of its example', async () => {
  const { username } = known[0]!;
  expect(await batch({ usernames: [username, 'nobody_here'] })).toEqual(like(exampleAnswer('getUsers')));
});

test('the users are those of user/info, in the order of the request, each once; the others are in missing', async () => {
  const [a, b] = [known[1]!, known[0]!];
  const byId = await batch({ ids: [a.id, '999999999999', b.id, a.id] });
  expect([idsOf(byId), byId.missing]).toEqual([[a.id, b.id], ['999999999999']]);
  const byName = await batch({ usernames: [a.username.toUpperCase(), 'nobody_here', `@${b.username}`, a.username] });
  expect(byName).toEqual({ users: byId.users, missing: ['nobody_here'] });
  const info = (await (await get(`/social/user/info?user_id=${a.id}`)).json()) as { user: object };
  expect(byId.users[0]).toEqual(info.user);
});

test.each([
  ['', /exactly one of 'ids' and 'usernames'|exactly one of ids and usernames/],
  ['?ids=1&usernames=mira', /exactly one of/],
  ['?ids=', /'ids'/],
  ['?ids=1,mira', /'ids'.*an id: 1–19 digits/],
  ['?usernames=mira,not%20a%20name', /'usernames'.*a username/],
  [`?usernames=${Array.from({ length: 101 }, (_, n) => `user_${n}`).join()}`, /'usernames'.*100/],
  ['?ids=1&cursor=x', /unknown parameter 'cursor'/],
  ['?username=mira', /unknown parameter 'username': did you mean 'usernames'\?/],
])('%j is refused, and the error names the parameter', async (query, message) => {
  const response = await get(`/social/users${query}`);
  expect(response.status).toBe(400);
  expect(((await response.json()) as { error: string }).error).toMatch(message);
});
