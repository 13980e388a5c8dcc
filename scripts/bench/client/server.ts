/** A server that responds with the same page of 20 tweets, or with one small object. */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const contract = JSON.parse(await readFile(new URL('../../../generated/openapi.json', import.meta.url), 'utf8')) as {
  components: { examples: { LastTweetsPage: { value: { tweets: object[] } } } };
};
const { value } = contract.components.examples.LastTweetsPage;
const page = Buffer.from(JSON.stringify({ ...value, tweets: Array.from({ length: 20 }, () => value.tweets[0]) }));
const small = Buffer.from(JSON.stringify({ id: '1vSampleSpace1', state: 'ended' }));
const server = createServer((request, response) => {
  const sent = request.url?.startsWith('/social/space/') ? small : page;
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': sent.length }).end(sent);
});
server.listen(0, '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
