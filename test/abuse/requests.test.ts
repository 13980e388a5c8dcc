import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from '../support/property.ts';
import type { Socket } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { readExposition } from '../support/exposition.ts';
import { inTurn, rounds } from '../support/rounds.ts';
import { readContract } from '../../scripts/contract-tools/verify/contract.ts';
import { verify } from '../../scripts/testing/verify/verify.ts';
import openapi from '../../generated/openapi.json' with { type: 'json' };
import { exchange, key, open, startTarget, statusesIn, type Target } from './target.ts';
import { nightlyTest } from '../support/nightly.ts';

/** Requests with the key, one for a connection. */
const head = `Host: x\r\nx-api-key: ${key}\r\nConnection: close\r\n`;
const get = (target: string, fields = ''): string => `GET ${target} HTTP/1.1\r\n${head}${fields}\r\n`;
const unlike = (fields: string, body: string | Buffer): Buffer =>
  Buffer.concat([
    Buffer.from(
      `POST /social/tweet/unlike HTTP/1.1\r\n${head}Content-Type: application/json\r\n${fields}\r\n`,
      'latin1',
    ),
    Buffer.from(body),
  ]);
const json = (body: string | Buffer, fields = ''): Buffer =>
  unlike(`${fields}Content-Length: ${Buffer.byteLength(body)}\r\n`, body);
const chunked = (body: string, fields = ''): Buffer => unlike(`${fields}Transfer-Encoding: chunked\r\n`, body);
const upgrade = (fields: string, method = 'GET', target = '/ws'): string =>
  `${method} ${target} HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n${fields}\r\n`;
const wsKey = 'Sec-WebSocket-Key: MDEyMzQ1Njc4OTAxMjM0NQ==\r\n';
const smuggled = 'GET /social/smuggled HTTP/1.1\r\nHost: x\r\n\r\n';
const nested = (depth: number, [opens, closes]: readonly [string, string]): string =>
  opens.repeat(depth) + closes.repeat(depth);
const space = '/social/space/detail?id=1vSampleSpace1';
const search = '/social/tweet/advanced_search?query=';

/** What is sent, the one status that answers it (none: the connection is closed without a word), and what the error says. */
type Case = readonly [name: string, bytes: Buffer | string, status: number | 'closed', says?: string];

const classes: Readonly<Record<string, readonly Case[]>> = {
  'rejects a request with two lengths': [
    ['a length and chunks', chunked(`0\r\n\r\n${smuggled}`, 'Content-Length: 5\r\n'), 400],
    ['chunks and a length', unlike('Transfer-Encoding: chunked\r\nContent-Length: 5\r\n', `0\r\n\r\n${smuggled}`), 400],
    ['two lengths', unlike(`Content-Length: 2\r\nContent-Length: ${2 + smuggled.length}\r\n`, `{}${smuggled}`), 400],
    ['two lengths in one field', unlike('Content-Length: 2, 2\r\n', '{}'), 400],
    ['a length with a sign', unlike('Content-Length: +2\r\n', '{}'), 400],
    ['a length below zero', unlike('Content-Length: -2\r\n', '{}'), 400],
    ['a length beyond all numbers', unlike('Content-Length: 99999999999999999999999\r\n', '{}'), 400],
    ['a length in hex', unlike('Content-Length: 0x2\r\n', '{}'), 400],
    ['chunks that are not the last coding', unlike('Transfer-Encoding: chunked, identity\r\n', '0\r\n\r\n'), 400],
    ['chunks twice', chunked('2\r\n{}\r\n0\r\n\r\n', 'Transfer-Encoding: chunked\r\n'), 400],
    ['a coding that is nearly chunked', unlike('Transfer-Encoding: xchunked\r\n', `0\r\n\r\n${smuggled}`), 400],
    ['a blank before the colon', unlike('Transfer-Encoding : chunked\r\n', `0\r\n\r\n${smuggled}`), 400],
    ['a vertical tab before the coding', unlike('Transfer-Encoding: \x0bchunked\r\n', `0\r\n\r\n${smuggled}`), 400],
    ['a chunk of less than nothing', chunked('-1\r\n\r\n'), 400],
    ['a chunk beyond all sizes', chunked('fffffffffffffffff\r\n{}'), 400],
    ['a chunk size in another form', chunked('0x2\r\n{}\r\n0\r\n\r\n'), 400],
    ['a chunk that is longer than it says', chunked('1\r\n{}\r\n0\r\n\r\n'), 400],
    ['an extension of a chunk without end', chunked(`2;${'a'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`), 400],
    ['chunks ended by bare line feeds', chunked('2\n{}\n0\n\n'), 400],
    [
      'a key among the trailers',
      Buffer.from(String(chunked('2\r\n{}\r\n0\r\nx-api-key: none\r\n\r\n')).replace(/x-api-key: sd.*\r\n/, '')),
      401,
    ],
  ],
  'a head that another server may read otherwise is refused': [
    ['a folded field', `GET ${space} HTTP/1.1\r\nHost: x\r\nX-A: a\r\n b: c\r\n\r\n`, 400],
    ['bare line feeds', `GET ${space} HTTP/1.1\nHost: x\n\n`, 400],
    ['a bare carriage return', `GET ${space} HTTP/1.1\r\nHost: x\rX-A: y\r\n\r\n`, 400],
    ['a NUL', `GET ${space} HTTP/1.1\r\nHost: x\0y\r\n\r\n`, 400],
    ['a field without a name', `GET ${space} HTTP/1.1\r\nHost: x\r\n: y\r\n\r\n`, 400],
    ['no host', `GET ${space} HTTP/1.1\r\nConnection: close\r\n\r\n`, 400, 'exactly one Host'],
    ['two hosts', get(space, 'Host: y\r\n'), 400, 'exactly one Host'],
    ...['a/b@c', 'a@b', 'a b', '[::1', '[x]', 'a:b', 'a:1:2', '::1', 'a?b', 'a#b', '%zz', 'a\\b', 'http://a'].map(
      (host): Case => [
        `a host that is none: ${host}`,
        `GET ${space} HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
        400,
        'the Host header is not valid',
      ],
    ),
    ...['a', 'a.b-c_d~e:80', '[::1]:3000', '127.0.0.1:0', 'a:', '%41', '', 'xn--a'].map((host): Case => [
      `a host that is one: ${host}`,
      `GET /healthz HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
      200,
    ]),
    ['a version that there is not', `GET ${space} HTTP/3.0\r\nHost: x\r\n\r\n`, 400],
    ['the beginning of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['the beginning of TLS', Buffer.from('16030100c4010000c00303', 'hex'), 400],
  ],
  'a head that is too much is refused': [
    ['more fields than there may be', get(space, 'X-A: b\r\n'.repeat(150)), 431, 'more than 100 fields'],
    ['one field more than there may be', get(space, 'X-A: b\r\n'.repeat(98)), 431, 'more than 100 fields'],
    ['more fields than fit', get(space, 'X-A: b\r\n'.repeat(20_000)), 431],
    ['a field that is too long', get(space, `X-A: ${'b'.repeat(100_000)}\r\n`), 431],
    ['a name that is too long', get(space, `${'b'.repeat(100_000)}: b\r\n`), 431],
    ['a target that is too long', get(`${space}${'x'.repeat(100_000)}`), 431],
    [
      'a key that hides behind the last field',
      `GET ${space} HTTP/1.1\r\nHost: x\r\nx-api-key: ${key}\r\n${'X-A: b\r\n'.repeat(120)}x-api-key: other\r\n\r\n`,
      431,
    ],
    [
      'an upgrade with too many fields',
      upgrade(`${wsKey}Sec-WebSocket-Version: 13\r\n${'X-A: b\r\n'.repeat(150)}`),
      431,
      'more than 100 fields',
    ],
    ['a long list of tags', get(space, `If-None-Match: ${'W/"a",'.repeat(10_000)}\r\n`), 200],
    ['a long list of codings', get('/openapi.json', `Accept-Encoding: ${'x;q=0.1,'.repeat(8_000)}\r\n`), 200],
  ],
  'a method is one of the path, or refused': [
    ['TRACE', `TRACE ${space} HTTP/1.1\r\n${head}\r\n`, 405],
    ['CONNECT', `CONNECT elsewhere.test:443 HTTP/1.1\r\n${head}\r\n`, 405],
    ['one that WebDAV has', `PROPFIND ${space} HTTP/1.1\r\n${head}\r\n`, 405],
    ['an unknown one', `FOO ${space} HTTP/1.1\r\n${head}\r\n`, 400],
    ['one in lower case', `get ${space} HTTP/1.1\r\n${head}\r\n`, 400],
    ['one that a field names', get('/social/tweet/unlike', 'X-HTTP-Method-Override: POST\r\n'), 405],
  ],
  'serves only declared request targets': [
    ['dots', get('/docs/../../../package.json'), 404],
    ['dots that are encoded', get('/docs/%2e%2e/%2e%2e/package.json'), 404],
    ['slashes that are encoded', get('/docs/..%2f..%2f..%2fpackage.json'), 404],
    ['dots that are encoded twice', get('/docs/%252e%252e/package.json'), 404],
    ['backslashes', get('/docs/..\\..\\package.json'), 404],
    ['a NUL', get('/docs/%00'), 404],
    ['a NUL behind a file', get('/docs/swagger-ui.css%00.html'), 404],
    ['dots in overlong UTF-8', get('/docs/%c0%ae%c0%ae/package.json'), 404],
    ['invalid UTF-8', get('/docs/%ff%fe'), 404],
    ['a source of a page', get('/assets/../../../main.ts'), 404],
    ['an operation behind dots', get('/social/x/../space/detail?id=1vSampleSpace1'), 404],
    ['an operation with an encoded slash', get('/social%2fspace/detail?id=1vSampleSpace1'), 404],
    ['two slashes', get('//social/space/detail?id=1vSampleSpace1'), 404],
    ['letters that look alike', get('/%ef%bd%93ocial/space/detail?id=1vSampleSpace1'), 404],
    ['bytes beyond ASCII', get('/soci\xe4l'), 400],
    ['an asterisk', `OPTIONS * HTTP/1.1\r\n${head}\r\n`, 404],
    ['no slash', get('healthz'), 400],
    ['another host', get('http://elsewhere.test/social/nothing'), 404],
    ['an invalid host', get('http://[::1/social/nothing'), 400, 'the host in the request target'],
    ['a host with a password', get('http://a:b@elsewhere.test/social/nothing'), 400, 'the host in the request target'],
    ['another scheme', get('ftp://[::1]/social/nothing'), 404],
    ['a fragment', get('/social/assistant/status#x'), 400, '%23'],
    ['a fragment of a page', get('/docs/#x'), 400, '%23'],
    ['a fragment in a query', get(`${space}#x`), 400, '%23'],
    ['a range beyond the end', get('/docs/swagger-ui.css', 'Range: bytes=99999999-\r\n'), 200],
    [
      'a condition that a file cannot meet',
      get('/docs/swagger-ui.css', 'If-Match: "x"\r\nIf-Unmodified-Since: Thu, 01 Jan 1970 00:00:00 GMT\r\n'),
      200,
    ],
  ],
  'a query holds what the contract has, once': [
    ['__proto__', get(`${space}&__proto__=1`), 400, "unknown parameter '__proto__'"],
    ['__proto__ that is encoded', get(`${space}&%5f%5fproto%5f%5f=1`), 400, "unknown parameter '__proto__'"],
    ['__proto__ with a member', get(`${space}&__proto__[admin]=1`), 400, "unknown parameter '__proto__[admin]'"],
    ['constructor.prototype', get(`${space}&constructor.prototype.admin=1`), 400, 'unknown parameter'],
    ['a name of every object', get(`${space}&hasOwnProperty=1`), 400, "unknown parameter 'hasOwnProperty'"],
    ['a parameter twice', get(`${space}&id=other`), 400, 'more than once'],
    ['a parameter twice, encoded otherwise', get(`${space}&%69d=other`), 400, 'more than once'],
    [
      'a parameter twice, with more between than a parser reads',
      get(`${space}${'&'.repeat(1_500)}id=other`),
      400,
      'more than once',
    ],
    [
      'an unknown one behind more than a parser reads',
      get(`${space}${'&'.repeat(1_500)}admin=1`),
      400,
      "unknown parameter 'admin'",
    ],
    ['tens of thousands of them', get(`${space}${'&a=1'.repeat(20_000)}`), 400, "unknown parameter 'a'"],
    ['a list', get('/social/space/detail?id[]=a&id[]=b'), 400, "unknown parameter 'id[]'"],
    ['a NUL in an id', get('/social/space/detail?id=%00'), 400, 'must be the id of a space'],
    ['invalid UTF-8', get(`${search}%ff%fe`), 400, 'not valid percent-encoded UTF-8'],
    ['overlong UTF-8', get(`${search}%c0%af`), 400, 'not valid percent-encoded UTF-8'],
    ['half a surrogate pair', get(`${search}%ed%a0%80`), 400, 'not valid percent-encoded UTF-8'],
    ['a percent sign alone', get(`${search}100%`), 400, 'not valid percent-encoded UTF-8'],
    ['digits of another script', get('/social/tweet/replies?tweet_id=%d9%a1%d9%a2'), 400],
    ['a number beyond all', get('/social/tweet/replies?tweet_id=1&limit=1e999'), 400, 'must be a whole number'],
    ['the word for it', get('/social/tweet/replies?tweet_id=1&limit=Infinity'), 400, 'must be a whole number'],
    ['a number in hex', get('/social/tweet/replies?tweet_id=1&limit=0x10'), 400, 'must be a whole number'],
    ['brackets in brackets', get(`${search}${nested(500, ['(', ')'])}`), 400, 'nested more than'],
    ['an operator of every object', get(`${search}filter:constructor`), 400, 'unknown filter'],
    ['a line that ends in the middle', get(`${search}a%0d%0aX-Injected:%20yes`), 200],
    ['words that turn about, join and vanish', get(`${search}%e2%80%ae%e2%80%8d%ef%bb%bf%cc%81`), 200],
    ['a user called __proto__', get('/social/user/last_tweets?username=__proto__'), 404],
    ['a cursor of someone else’s making', get(`${search}a&cursor=${'A'.repeat(100)}`), 400],
    ['a conversation called __proto__', get('/social/tweet/assistant?conversation_id=__proto__&prompt=x'), 404],
  ],
  'accepts only bodies of the contract': [
    ['__proto__', json('{"tweet_id":"1","__proto__":{"admin":true}}'), 400, "unknown member '__proto__'"],
    [
      'constructor.prototype',
      json('{"tweet_id":"1","constructor":{"prototype":{"admin":true}}}'),
      400,
      "unknown member 'constructor'",
    ],
    ['a member that makes texts fail', json('{"tweet_id":{"toString":1,"valueOf":2}}'), 400, 'must be a string'],
    ['a member twice', json('{"tweet_id":"1","tweet_id":{}}'), 400, 'more than once'],
    [
      'a member twice, the same',
      json('{"tweet_id":"1","tweet_id":"1"}'),
      400,
      "member 'tweet_id' of the body is given more than once",
    ],
    ['a member twice, escaped otherwise', json('{"tweet_id":"1","tweet_\\u0069d":"1"}'), 400, 'more than once'],
    ['null', json('null'), 400],
    ['lists in lists', json(`{"tweet_id":${nested(8_000, ['[', ']'])}}`), 400, 'must be a string'],
    ['only lists in lists', json(nested(8_000, ['[', ']'])), 400, 'must be a JSON object'],
    ['objects in objects', json(nested(2_700, ['{"a":', '}']).replace('}', '1}')), 400],
    ['lists without an end', json('['.repeat(16_000)), 400, 'not valid JSON'],
    [
      'a thousand members',
      json(`{${Array.from({ length: 1_200 }, (_, at) => `"a${at}":1`).join()}}`),
      400,
      'unknown member',
    ],
    ['invalid UTF-8', json(Buffer.from('7b2274776565745f6964223a22fffe227d', 'hex')), 400],
    ['half a surrogate pair', json('{"tweet_id":"\\ud800"}'), 400],
    ['UTF-16', json(Buffer.from('{"tweet_id":"1"}', 'utf16le')), 400, 'not valid JSON'],
    ['a NUL behind it', json('{"tweet_id":"1"}\0'), 400, 'not valid JSON'],
    ['ten megabytes', json('x'.repeat(10_000_000)), 413],
    ['ten megabytes in chunks', chunked(`${'1000\r\n' + ' '.repeat(4_096) + '\r\n'}`.repeat(2_500) + '0\r\n\r\n'), 413],
    [
      'a bomb of gzip',
      json(gzipSync(Buffer.alloc(30_000_000, 32)).subarray(0, 16_000), 'Content-Encoding: gzip\r\n'),
      413,
    ],
    ['a bomb of deflate', json(deflateSync(Buffer.alloc(10_000_000, 32)), 'Content-Encoding: deflate\r\n'), 413],
    ['a bomb of brotli', json(brotliCompressSync(Buffer.alloc(10_000_000, 32)), 'Content-Encoding: br\r\n'), 413],
    [
      'a bomb in a bomb',
      json(gzipSync(gzipSync(Buffer.alloc(10_000_000, 32))), 'Content-Encoding: gzip, gzip\r\n'),
      415,
    ],
    ['gzip that breaks off', json(gzipSync('{"tweet_id":"1"}').subarray(0, 20), 'Content-Encoding: gzip\r\n'), 400],
    ['ever new content types', json('{}', 'Content-Type: text/x-1; a=b\r\n'), 400],
  ],
  'an upgrade is to the event stream, by its own handshake': [
    ['no key of the handshake', upgrade('Sec-WebSocket-Version: 13\r\n'), 400, 'Sec-WebSocket-Key'],
    ['an invalid key', upgrade('Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: x\r\n'), 400, 'Sec-WebSocket-Key'],
    ['no version', upgrade(wsKey), 426],
    ['a version of the future', upgrade(`${wsKey}Sec-WebSocket-Version: 99\r\n`), 426],
    [
      'names of protocols that are none',
      upgrade(`${wsKey}Sec-WebSocket-Version: 13\r\nSec-WebSocket-Protocol: ,,,\r\n`),
      400,
    ],
    ['another method', upgrade('Content-Length: 0\r\n', 'POST'), 405],
    ['another path', upgrade(wsKey, 'GET', '/social/ws'), 404],
    ['a path with dots', upgrade(wsKey, 'GET', '/x/../ws'), 404],
    [
      'an invalid host',
      upgrade(`${wsKey}Sec-WebSocket-Version: 13\r\n`).replace('Host: x', 'Host: a/b@c'),
      400,
      'the Host header',
    ],
    ['a fragment', upgrade(`${wsKey}Sec-WebSocket-Version: 13\r\n`, 'GET', '/ws#x'), 400, '%23'],
    ['no upgrade', 'GET /ws HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n', 426, 'with a WebSocket'],
    [
      'an upgrade to something else',
      `GET /ws?api_key=${key} HTTP/1.1\r\nHost: x\r\nUpgrade: h2c\r\nConnection: close, Upgrade\r\n\r\n`,
      426,
      'with a WebSocket',
    ],
    ['two hosts', upgrade(`Host: y\r\n${wsKey}Sec-WebSocket-Version: 13\r\n`), 400, 'exactly one Host'],
  ],
};

describe.each(inTurn(['once', 'always'], 1))('VALIDATE=%s:', (validate) => {
  let target: Target;
  beforeAll(async () => {
    target = await startTarget({ VALIDATE: validate });
  });
  afterAll(() => target.end());

  test.each(Object.entries(classes))('%s', async (_name, cases) => {
    const check = async ([name, bytes, status, says]: Case): Promise<void> => {
      const said = await exchange(target.port, bytes);
      expect({ name, statuses: statusesIn(said) }).toEqual({ name, statuses: status === 'closed' ? [] : [status] });
      target.expectDiscreet(said);
      if (status === 'closed' || status < 400) return;
      // Bodies without a length come as one chunk.
      const [, error] = /\r\n\r\n(?:[\da-f]+\r\n)?(\{"error":".*"\})/s.exec(said) ?? [];
      expect({ name, members: Object.keys(JSON.parse(error ?? '{}') as object) }).toEqual({
        name,
        members: ['error'],
      });
      expect({ name, error }).toEqual({ name, error: expect.stringContaining(says ?? '') });
      expect(said).not.toMatch(/smuggled|^X-Injected/m);
    };
    // At the same time: some refused connections stay open for a second.
    await Promise.all(cases.map(check));
    await target.expectUnharmed();
  });

  test('returns a status below 500 for any target, method and host', async () => {
    const paths = [
      '/',
      '//',
      '/ws',
      '/docs/',
      '/docs/search',
      '/live',
      '/healthz',
      '/metrics',
      '/openapi.json',
      '/social/assistant/status',
      '/social/tweet/advanced_search',
      '/social/tweet/unlike',
      '/social/space/detail/',
    ];
    const parts = [
      '#',
      '?',
      '%',
      '%2',
      '%ff',
      '%00',
      '%2f..',
      '\\',
      '..',
      ';a=b',
      '[',
      '{',
      '|',
      '^',
      '"',
      '@',
      ':',
      '*',
      '&',
      '=',
      'api_key',
      'query=a',
      '\xe9',
      'x'.repeat(5_000),
    ];
    const origins = [
      '',
      '',
      '',
      'http://x',
      'HTTP://[::1]:80',
      'https://',
      'ws://a@b',
      'file:',
      'http:',
      'a',
      '*',
      '\\',
    ];
    const methods = [
      'GET',
      'GET',
      'GET',
      'HEAD',
      'POST',
      'POST',
      'OPTIONS',
      'DELETE',
      'PUT',
      'TRACE',
      'CONNECT',
      'QUERY',
    ];
    const fields = [
      'Expect: 100-continue',
      'Expect: x',
      'Content-Length: 2',
      'Content-Length: 99999999',
      'Transfer-Encoding: chunked',
      'Upgrade: websocket',
      'Connection: Upgrade',
      'Content-Type: application/json',
      'Content-Encoding: gzip',
      'Accept: a/b',
      'Range: bytes=1-',
      'If-None-Match: *',
      'Origin: null',
      'Access-Control-Request-Method: GET',
      'X-Request-Id: \x80',
      'Authorization: Bearer',
      'Cookie: a=b',
      'Sec-WebSocket-Version: 13',
      wsKey.trim(),
    ];
    const text = (maxLength: number): fc.Arbitrary<string> => fc.string({ unit: 'grapheme-ascii', maxLength });
    const more = fc.array(fc.oneof(text(6), fc.constantFrom(...parts)), { maxLength: 5 });
    const requestTarget = fc
      .tuple(fc.constantFrom(...origins), fc.constantFrom(...paths), fc.oneof(fc.constant<string[]>([]), more))
      .map(([origin, path, after]) => (origin + path + after.join('')).replace(/[ \r\n]/g, ''));
    const host = fc.oneof(
      fc.constant('x'),
      fc.constant('x'),
      text(5).map((name) => name.replace(/[\r\n]/g, '')),
    );
    const request = fc
      .tuple(fc.constantFrom(...methods), requestTarget, host, fc.array(fc.constantFrom(...fields), { maxLength: 4 }))
      .map(([method, at, name, given]) =>
        [`${method} ${at} HTTP/1.1`, `Host: ${name}`, `x-api-key: ${key}`, ...given, '', '{}'].join('\r\n'),
      );
    const sent = fc.sample(request, { numRuns: rounds(2500), seed: 12 });
    const met = new Set<number>();
    for (let at = 0; at < sent.length; at += 50) {
      await Promise.all(
        sent.slice(at, at + 50).map(async (bytes) => {
          const said = await exchange(target.port, bytes, { ends: true });
          const statuses = statusesIn(said);
          expect({ bytes, faults: statuses.filter((status) => status >= 500) }).toEqual({ bytes, faults: [] });
          for (const status of statuses) met.add(status);
          target.expectDiscreet(said);
        }),
      );
    }
    expect([...met]).toEqual(expect.arrayContaining([200, 400, 404, 405]));
    // Rarer ones.
    if (sent.length >= 1500) expect([...met]).toEqual(expect.arrayContaining([401, 426]));
    await target.expectUnharmed();
  });

  test('returns a status below 500 for random bytes and malformed requests, or closes', async () => {
    const whole = [
      get(space),
      String(json('{"tweet_id":"1"}')),
      String(chunked('10\r\n{"tweet_id":"1"}\r\n0\r\n\r\n')),
      get(`${search}coffee+OR+tea&limit=2`),
      upgrade(`${wsKey}Sec-WebSocket-Version: 13\r\n`),
    ];
    const faulty = fc
      .record({
        request: fc.constantFrom(...whole),
        faults: fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 }), fc.constantFrom('set', 'put', 'cut')), {
          minLength: 1,
          maxLength: 6,
        }),
      })
      .map(({ request, faults }) => {
        const bytes = [...Buffer.from(request, 'latin1')];
        for (const [at, byte, how] of faults)
          bytes.splice(
            at % bytes.length,
            how === 'put' ? 0 : how === 'set' ? 1 : at % 7,
            ...(how === 'cut' ? [] : [byte]),
          );
        return Buffer.from(bytes);
      });
    const random = fc.uint8Array({ maxLength: 3_000 }).map((bytes) => Buffer.from(bytes));
    const sent = fc.sample(fc.oneof(random, faulty), { numRuns: rounds(2500), seed: 11 });
    const met = new Set<number>();
    for (let at = 0; at < sent.length; at += 20) {
      for (const said of await Promise.all(
        sent.slice(at, at + 20).map((bytes) => exchange(target.port, bytes, { ends: true })),
      )) {
        for (const status of statusesIn(said)) met.add(status);
        target.expectDiscreet(said);
      }
    }
    expect([...met].filter((status) => status >= 500)).toEqual([]);
    // Some faults leave a request that is right, some one that is wrong by the contract.
    expect([...met]).toEqual(expect.arrayContaining([400, 401, 404]));
    if (sent.length >= 500) expect([...met]).toContain(200);
    await target.expectUnharmed();
  });
});

describe('serves others during an attack:', () => {
  let target: Target;
  beforeAll(async () => {
    target = await startTarget({ VALIDATE: 'always' });
  });
  afterAll(() => target.end());

  /** Others are answered. It never resolves where they would have to wait for the end of an attack that goes on. */
  async function expectServed(): Promise<void> {
    for (let call = 0; call < 20; call += 1) {
      const response = await fetch(target.server.url + space, { headers: { 'x-api-key': key } });
      expect(response.status).toBe(200);
      await response.arrayBuffer();
    }
  }

  test('endless heads and bodies', async () => {
    const begun = [
      `GET ${space} HTTP/1.1\r\nHost: x\r\nX-A: `,
      `POST /social/tweet/unlike HTTP/1.1\r\nHost: x\r\nx-api-key: ${key}\r\n` +
        'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{',
    ];
    let isOver = false;
    const held = new Map<number, Socket>();
    // One that the server cuts off is followed by another: the attack goes on until the others were served.
    const hold = (at: number): void => {
      const { socket, closed } = open(target.port);
      held.set(at, socket);
      socket.write(begun[at % 2]!);
      void closed.then(() => isOver || hold(at));
    };
    for (let at = 0; at < 300; at += 1) hold(at);
    const drip = setInterval(() => held.forEach((socket) => socket.writable && socket.write(' ')), 200);
    await expectServed();
    isOver = true;
    clearInterval(drip);
    held.forEach((socket) => socket.destroy());
    await target.expectUnharmed();
  });

  nightlyTest('a thousand requests on each connection with unread responses', async () => {
    const flood = get('/openapi.json', '').replace('Connection: close\r\n', '').repeat(1_000);
    const held = Array.from({ length: 10 }, () => open(target.port));
    for (const { socket } of held) socket.pause().write(flood);
    await expectServed();
    const { series } = readExposition(await (await fetch(`${target.server.url}/metrics`)).text());
    // 10,000 answers of hundreds of kilobytes would be gigabytes.
    expect(series.find(({ name }) => name === 'process_resident_memory_bytes')!.value).toBeLessThan(500 * 1024 * 1024);
    for (const { socket } of held) socket.destroy();
    await target.expectUnharmed();
  });

  test('rejected connections that stay open', async () => {
    const held = [
      'nonsense\r\n\r\n',
      upgrade(wsKey, 'GET', '/nowhere'),
      upgrade(wsKey),
      'GET / HTTP/1.1\r\n\r\n',
    ].flatMap((bytes) =>
      Array.from({ length: 25 }, () => {
        const opened = open(target.port);
        opened.socket.allowHalfOpen = true;
        opened.socket.write(bytes);
        return opened;
      }),
    );
    // The files that are open are counted by this.
    await target.expectUnharmed();
    for (const { socket, received } of held) {
      expect(statusesIn(received())).toEqual([expect.any(Number)]);
      socket.destroy();
    }
  });

  nightlyTest('conforms to the contract afterwards: some of the operations, all in a full run', async () => {
    const contract = readContract(openapi);
    const ids = contract.operations.map(({ id }) => id);
    const tried = inTurn(ids, Math.ceil(ids.length / 16));
    // No selection: the pages and the event stream are checked too.
    const operations = tried.length === ids.length ? [] : tried;
    const options = { base: target.server.url, contract, key, seed: 3 };
    const { findings } = await verify({ ...options, operations, runs: rounds(20, 2) });
    expect(findings).toEqual([]);
    await target.expectUnharmed();
  });
});
