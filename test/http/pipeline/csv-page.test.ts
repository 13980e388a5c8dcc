import { describe, expect, test } from '@jest/globals';
import { csvPage, wantsCsv } from '../../../server/http/pipeline/csv-page.ts';

describe('a list is sent as CSV where the request prefers that', () => {
  test.each<[string | undefined, boolean]>([
    ['text/csv', true],
    ['Text/CSV; charset=utf-8', true],
    ['application/json;q=0.5, text/csv', true],
    ['text/csv, application/json', true],
    ['text/csv;q=0.9, text/plain', true],
    [undefined, false],
    ['*/*', false],
    ['text/*', false],
    ['application/json, text/csv;q=0.9', false],
    ['text/csv;q=0', false],
    ['application/x-csv', false],
    ['text/html', false],
  ])('%s: %p', (accept, expected) => {
    expect(wantsCsv(accept)).toBe(expected);
  });
});

describe('a page of CSV', () => {
  const list = { items: 'things', columns: () => ['id', 'owner.name', 'note'] };
  const things = [
    { id: '1', owner: { name: 'Ada' }, note: null },
    { id: '2', note: 'a,b' },
  ];
  test('has a line of names and a line for each item', () => {
    const { bytes, headers } = csvPage({ things, next_cursor: null, more: false }, list, '/things');
    expect([bytes.toString(), headers]).toEqual(['id,owner.name,note\r\n1,Ada,\r\n2,,"a,b"\r\n', []]);
  });
  test('can be empty', () => {
    expect(csvPage({ things: [] }, list, '/things').bytes.toString()).toBe('id,owner.name,note\r\n');
  });
  test.each([
    ['/things', '<?cursor=a%2Fb>'],
    ['/things?q=a+b&limit=5', '<?q=a+b&limit=5&cursor=a%2Fb>'],
    ['/things?cursor=old&limit=5', '<?cursor=a%2Fb&limit=5>'],
  ])('of %s has a link to the next page', (target, link) => {
    const { headers } = csvPage({ things, next_cursor: 'a/b' }, list, target);
    expect(headers).toEqual(['Link', `${link}; rel="next"`, 'X-Next-Cursor', 'a/b']);
  });
});
