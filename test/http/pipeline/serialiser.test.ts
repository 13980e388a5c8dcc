import { describe, expect, test } from '@jest/globals';
import { operationMetadata, type OpenApiDocument } from '../../../server/contract/openapi.ts';
import { createSerialisers, SerialiserCompiler } from '../../../server/http/pipeline/serialiser.ts';
import { ContractBreach } from '../../../server/http/pipeline/contract-breach.ts';
import { contract, exampleAnswer, plainIds } from '../../support/contract.ts';

const document = contract as unknown as OpenApiDocument;
const serialisers = createSerialisers(operationMetadata(document), new SerialiserCompiler(document));
const serialise = serialisers.get('getUserHighlights')!;
type Page = {
  tweets: { text: string; like_count: unknown; author: { name: unknown } }[];
  next_cursor: string | null;
  has_next_page: boolean;
};
const page = (): Page => structuredClone(exampleAnswer('getUserHighlights')) as Page;

test.each(plainIds)('a response of %s equals JSON.stringify', (id) => {
  const answer = exampleAnswer(id);
  expect(serialisers.get(id)!(answer).toString()).toBe(JSON.stringify(answer));
});
test('writes members in the order of the value, and omits undefined ones', () => {
  const { tweets, next_cursor, has_next_page } = page();
  for (const answer of [
    { has_next_page, tweets, next_cursor },
    { next_cursor, has_next_page, tweets: [...tweets, ...tweets] },
    { tweets: [], next_cursor, resolved_tokens: undefined, has_next_page },
  ]) {
    expect(serialisers.get('getUserLastTweets')!(answer).toString()).toBe(JSON.stringify(answer));
  }
});
test('keeps the order of frozen and other items, at the first and later calls', () => {
  const [tweet] = page().tweets as [Page['tweets'][0]];
  const [frozen, other] = [Object.freeze({ ...tweet, text: 'frozen' }), { ...tweet, text: 'other ☕' }];
  for (const tweets of [[frozen], [other, frozen], [frozen, other], [frozen, other, other, frozen], [other]]) {
    const answer = { ...page(), tweets };
    for (let n = 0; n < 2; n++) expect(serialise(answer).toString()).toBe(JSON.stringify(answer));
  }
});
describe('reports the location of a contract violation, and sends nothing:', () => {
  test.each<[string, (answer: Page) => void, RegExp]>([
    [
      'in the page',
      (answer) => void (answer.has_next_page = 'yes' as never),
      /^getUserHighlights: \/has_next_page must be boolean/,
    ],
    ['in a tweet', (answer) => void (answer.tweets[0]!.like_count = '7'), /\/tweets\/like_count must be integer/],
    ['deep in a tweet', (answer) => void (answer.tweets[0]!.author.name = 7), /\/tweets\/author\/name must be string/],
    ['an invalid list', (answer) => void (answer.tweets = {} as never), /\/tweets must be array/],
    ['an invalid item', (answer) => void (answer.tweets = [null as never]), /\/tweets must be object/],
    ['a member that is not declared', (answer) => void Object.assign(answer, { extra: 1 }), /extra/],
    ['a member that is missing', (answer) => void delete (answer as Partial<Page>).tweets, /tweets/],
  ])('%s', (_name, damage, message) => {
    const answer = page();
    damage(answer);
    expect(() => serialise(answer)).toThrow(ContractBreach);
    expect(() => serialise(answer)).toThrow(message);
  });
});
test('reports an invalid frozen object every time', () => {
  const answer = page();
  answer.tweets[0]!.like_count = '7';
  Object.freeze(answer.tweets[0]);
  for (let n = 0; n < 3; n++) expect(() => serialise(answer)).toThrow(ContractBreach);
});
test('validates an object that is not frozen each time', () => {
  const answer = page();
  serialise(answer);
  answer.tweets[0]!.text = 'another text';
  expect(serialise(answer).toString()).toContain('another text');
  answer.tweets[0]!.text = 7 as never;
  expect(() => serialise(answer)).toThrow(/text must be string/);
});
