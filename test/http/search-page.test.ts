// Tests server/http/docs/pages/search/guide.ts, server/http/docs/pages/search/page.ts and
// server/http/docs/pages/search/tables.ts.
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import openapi from '../../generated/openapi.json' with { type: 'json' };
import { parseQueryError } from '../../pages/query/query-error.ts';
import { readingOf, type Reading } from '../../pages/query/reading.ts';
import { aliases, filters, operators, unsupported, zones } from '../../server/search/language/operators.ts';
import { maxNesting, maxTerms, parse } from '../../server/search/language/parse.ts';
import { startService, type Service } from '../support/service.ts';

const unescaped = (html: string): string =>
  html.replace(
    /&(quot|#39|apos|lt|gt|amp);/g,
    (_whole, name: string) => ({ quot: '"', '#39': "'", apos: "'", lt: '<', gt: '>', amp: '&' })[name]!,
  );

let service: Service;
let html: string;
let text: string;
let examples: { query: string; refused: boolean }[];
beforeAll(async () => {
  service = await startService();
  html = await (await service.bare('/docs/search')).text();
  text = unescaped(html.replace(/<[^>]*>/g, '')).replaceAll(/\s+/g, ' ');
  examples = [...html.matchAll(/<a class="example( refused)?" href="#query=([^"]*)"><code>([^<]*)/g)].map(
    ([, mark, query, shown]) => {
      expect(unescaped(shown!)).toBe(decodeURIComponent(query!));
      return { query: decodeURIComponent(query!), refused: mark !== undefined };
    },
  );
});
afterAll(() => service.stop(0));

test('/docs/search has its contents beside it: every section, in order', () => {
  const [, contents = ''] = /<nav class="contents"[^>]*>(.*?)<\/nav>/s.exec(html) ?? [];
  const linked = [...contents.matchAll(/href="#(\w+)"/g)].map(([, id]) => id);
  const sections = [...html.matchAll(/<section id="(\w+)"/g)].map(([, id]) => id);
  expect(linked).toEqual(sections);
  expect(linked[0]).toBe('try');
});

describe('/docs/search documents the whole language', () => {
  const written = (name: string): string => `<code>${name}</code>`;

  test('every operator, each of its names, its meaning and its example', () => {
    for (const { names, means, example } of operators) {
      for (const name of names) expect(html).toContain(written(`${name}:`));
      expect(text).toContain(means);
      expect(examples).toContainEqual({ query: example, refused: false });
    }
  });
  test('each operator once, in a named group', () => {
    const rows = html.slice(html.indexOf('id="operators"'), html.indexOf('id="filters"'));
    for (const { names } of operators)
      expect([
        names[0],
        rows.split(`<th scope="row"><span id="operator-${names[0]}">${written(`${names[0]}:`)}`).length - 1,
      ]).toEqual([names[0], 1]);
    expect(rows).not.toContain('>More<');
  });
  test('every filter, its meaning and its other names', () => {
    for (const [name, { means }] of Object.entries(filters)) {
      expect(examples).toContainEqual({ query: `filter:${name}`, refused: false });
      expect(text).toContain(means);
    }
    for (const [key, values] of Object.entries(aliases))
      for (const value of Object.keys(values))
        expect(examples).toContainEqual({ query: `${key}:${value}`, refused: false });
  });
  test('every unsupported operator with its reason', () => {
    for (const [name, needs] of Object.entries(unsupported)) {
      expect(examples).toContainEqual({ query: name, refused: true });
      expect(text).toContain(`it needs ${needs}`);
    }
  });
  test('the limits and time zones of the code and the contract', () => {
    const most = openapi.components.parameters.query.schema.maxLength;
    expect(text).toContain(`at most ${most} characters, ${maxTerms} terms, and parentheses nested ${maxNesting} deep`);
    for (const zone of Object.keys(zones)) expect(html).toContain(written(zone));
  });
  test('with examples that parse, or fail at the expected position', () => {
    const reads = (query: string): boolean => {
      try {
        return parse(query) !== undefined;
      } catch {
        return false;
      }
    };
    expect(examples.length).toBeGreaterThan(100);
    for (const { query, refused: isRefused } of examples) expect([query, reads(query)]).toEqual([query, !isRefused]);
  });
});

test('the contract links to the page', () => {
  expect(openapi.paths['/social/tweet/advanced_search'].get.description).toContain('](/docs/search)');
});

describe('/docs/search is served', () => {
  const paths = (): string[] => [
    '/docs/search',
    ...[...html.matchAll(/(?:href|src)="\.\.(\/assets\/[\w-]+\.(?:js|css))"/g)].map(([, path]) => path!),
  ];

  test('with all its files, and without foreign scripts and styles', async () => {
    expect(paths().length).toBeGreaterThan(5);
    for (const path of paths()) {
      const response = await service.bare(path);
      expect([path, response.status]).toEqual([path, 200]);
      expect(response.headers.get('content-type')).toMatch(
        path.endsWith('.js') ? /^text\/javascript/ : path.endsWith('.css') ? /^text\/css/ : /^text\/html/,
      );
      const policy = response.headers.get('content-security-policy')!.split(';');
      expect(policy).toEqual(
        expect.arrayContaining([
          "default-src 'none'",
          expect.stringMatching(/^script-src 'self' 'sha256-/),
          "style-src 'self'",
          "connect-src 'self'",
          "form-action 'none'",
          "frame-ancestors 'none'",
        ]),
      );
      expect(policy.join()).not.toContain('unsafe');
    }
    expect(html).not.toMatch(/<style|\sstyle=|\son\w+=/);
    expect(html).not.toMatch(/(?:href|src)="(?:https?:)?\/\//);
  });
  test('only after a change (304 otherwise)', async () => {
    for (const path of paths()) {
      const etag = (await service.bare(path)).headers.get('etag')!;
      expect(
        (await service.bare(path, { headers: { 'if-none-match': etag, 'cache-control': 'max-age=0' } })).status,
      ).toBe(304);
    }
  });
  test('for GET and HEAD only', async () => {
    for (const path of paths().slice(0, 3)) {
      const response = await service.bare(path, { method: 'POST' });
      expect([response.status, response.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
    }
  });
  test.each(['search/page.css', 'search/modules/main.ts', 'search/..%2fmain.ts', 'search.js', 'search/page.ts'])(
    'without %s',
    async (path) => {
      expect((await service.bare(`/docs/${path}`)).status).toBe(404);
    },
  );
});

describe('the reading of a query', () => {
  const outline = ({ meaning: means, parts }: Reading): unknown =>
    parts.length === 0 ? means : [means, ...parts.map(outline)];
  const rule = 'no native retweets: to include them, add include:nativeretweets';

  test.each<[string, unknown]>([
    ['coffee', ['all of these', 'the word “coffee”', rule]],
    [
      'new CAFÉ OR -tea',
      [
        'all of these',
        'the word “new”',
        ['at least one of these', 'the word “cafe”', ['not this', 'the word “tea”']],
        rule,
      ],
    ],
    ['"cold * brew"', ['all of these', '“cold”, any one word, “brew”: next to each other, in this order', rule]],
    [
      '#tag $BTC @tom ?',
      [
        'all of these',
        'the whole hashtag #tag',
        'the cashtag $BTC',
        'mentions the user @tom',
        'the signs “?” in the text',
        rule,
      ],
    ],
    ['from:mira min_faves:10', ['all of these', 'written by the user: mira', '10 or more likes', rule]],
    [
      'since:2026-03-04_05:06:07_PST until_time:1772600767',
      ['all of these', 'created at or after 2026-03-04 13:06:07 UTC', 'created before 2026-03-04 05:06:07 UTC', rule],
    ],
    ['since_time:999999999999999', ['all of these', 'created at or after the end of time', rule]],
    [
      'near:Town within:10km',
      [
        'all of these',
        expect.stringMatching(/^posted from a place with this name; .*: Town$/),
        expect.stringMatching(/^the distance from .*: 10km$/),
        rule,
      ],
    ],
    ['point_radius:[1 2 3km]', ['all of these', 'posted within the radius of the point: [1 2 3km]', rule]],
    ['is:retweet', 'is a native retweet'],
    [
      'has:videos exclude:replies',
      ['all of these', 'has a video of the platform', 'not: is a reply, or starts with a mention', rule],
    ],
    [
      'has:cashtags include:nativeretweets',
      ['all of these', 'contains this element: cashtags', 'includes native retweets: nativeretweets'],
    ],
  ])('%s', (query, expected) => {
    expect(outline(readingOf(parse(query)))).toEqual(expected);
  });

  test('has a meaning for every operator, and a position for each part except the rule', () => {
    const all = ({ parts, ...own }: Reading): Omit<Reading, 'parts'>[] => [own, ...parts.flatMap(all)];
    for (const { example } of operators) {
      const parts = all(readingOf(parse(`x ${example}`)));
      for (const { meaning: means, span, kind } of parts) {
        expect(means).toMatch(/\w/);
        expect(kind === 'rule').toBe(span === undefined);
      }
    }
  });
});

test('splits a parser error into position, text and suggestion', () => {
  const fault = (query: string): unknown => {
    try {
      return parse(query);
    } catch (error) {
      return parseQueryError((error as Error).message);
    }
  };
  expect(fault('cat filter:vidoes')).toEqual({ offset: 11, wrong: 'vidoes', suggestion: 'videos' });
  expect(fault('cat fron:mira')).toEqual({ offset: 4, wrong: 'fron:', suggestion: 'from:' });
  expect(fault('coffee OR')).toEqual({ offset: 7, wrong: undefined, suggestion: undefined });
  expect(parseQueryError('rate limit')).toEqual({ offset: undefined, wrong: undefined, suggestion: undefined });
});
