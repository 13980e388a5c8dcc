import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { Representation } from '../../../server/http/pipeline/representation.ts';

test.each([1_000, 10_000])(
  'concurrent requests for the same encoding of %d texts share one compression',
  async (texts) => {
    const grown: number[] = [];
    const representation: Representation = new Representation(
      Buffer.from('{"text":"again and again"}'.repeat(texts)),
      () => grown.push(representation.size),
    );
    const encodings = await Promise.all(Array.from({ length: 50 }, async () => representation.encoded('br')));
    expect(new Set(encodings).size).toBe(1);
    expect(grown).toEqual([representation.bytes.length + encodings[0]!.length]);
    expect(representation.encoded('br')).toBe(encodings[0]);
  },
);

test('a page is compressed at once, and a large body in another thread', async () => {
  const decoders = { br: brotliDecompressSync, gzip: gunzipSync, deflate: inflateSync } as const;
  for (const encoding of ['br', 'gzip', 'deflate'] as const) {
    const [page, large] = [1_000, 10_000].map((texts) => Buffer.from('{"text":"again and again"}'.repeat(texts)));
    const compressed = new Representation(page!).encoded(encoding);
    expect(decoders[encoding](compressed as Buffer).equals(page!)).toBe(true);
    const pending = new Representation(large!).encoded(encoding);
    expect(pending).toBeInstanceOf(Promise);
    expect(decoders[encoding](await pending).equals(large!)).toBe(true);
  }
});

test('a compressed representation retains only its own bytes', async () => {
  const bytes = await new Representation(Buffer.from('{"text":"again and again"}'.repeat(1_000))).encoded('br');
  expect(bytes.length).toBeLessThan(1_000);
  expect(bytes.buffer.byteLength).toBe(bytes.length);
});

test('the size of a short representation includes its bytes and its string', () => {
  expect(new Representation(Buffer.from('{"text":"short"}')).size).toBe(32);
  expect(new Representation(Buffer.from('{"text":"kürzer"}')).size).toBe(18);
});

test('the ETag has the length and the checksum of the bytes, and is weak', () => {
  const etagOf = (text: string): string => new Representation(Buffer.from(text)).etag;
  expect(etagOf('{"text":"a page"}')).toMatch(/^W\/"11-[0-9a-f]{8}"$/);
  expect(etagOf('{"id":76}')).toBe('W/"9-00fc63b7"');
  expect(etagOf('{"text":"b page"}')).not.toBe(etagOf('{"text":"a page"}'));
});

describe('If-None-Match', () => {
  const representation = new Representation(Buffer.from('{"text":"a page"}'));
  const { etag } = representation;
  const strong = etag.slice(2);
  test.each<[string, string | undefined]>([
    ['the ETag', etag],
    ['the ETag without the mark of a weak one', strong],
    ['any representation', '*'],
    ['a list that ends with it', `"x", ${etag}`],
    ['a list that begins with it', `${etag}\t,"x"`],
    ['a list with the ETag without the mark', `W/"x" , ${strong} ,"y"`],
  ])('matches %s', (_case, value) => {
    expect(representation.matches(value)).toBe(true);
  });
  test.each<[string, string | undefined]>([
    ['no header', undefined],
    ['an empty header', ''],
    ['another ETag', 'W/"x"'],
    ['a list of others', '"x", W/"y"'],
    ['the ETag without its quotation marks', strong.slice(1, -1)],
    ['an ETag that contains it', `${etag}x`],
  ])('does not match %s', (_case, value) => {
    expect(representation.matches(value)).toBe(false);
  });
});

describe('the encoding of a body', () => {
  const page = new Representation(Buffer.alloc(1_024, 'a'));
  const short = new Representation(Buffer.alloc(1_023, 'a'));
  /** The quality is different at each call, so that each call has another header. */
  const withQuality = (template: string, n: number): string => template.replaceAll('Q', `0.${String(100 + n)}`);
  test.each<[string, string]>([
    ['br;q=Q', 'br'],
    ['gzip;q=Q', 'gzip'],
    ['deflate;q=Q', 'deflate'],
    ['gzip;q=Q, br;q=Q', 'br'],
    ['deflate;q=Q, gzip;q=Q', 'gzip'],
    ['deflate;q=Q, gzip;q=Q, br;q=Q', 'br'],
    ['br;q=Q, gzip', 'gzip'],
    ['*;q=Q', 'br'],
    ['br;q=0, *;q=Q', 'gzip'],
    ['identity;q=Q', 'identity'],
    ['identity, br;q=Q', 'identity'],
    ['zstd;q=Q', 'identity'],
    ['identity;q=0, zstd;q=Q', 'identity'],
  ])('for %s is %s, after any number of other headers', (template, encoding) => {
    for (let n = 0; n < 250; n++) expect(page.encodingFor(withQuality(template, n))).toBe(encoding);
    expect(page.encodingFor(withQuality(template, 0))).toBe(encoding);
  });
  test('is identity where the caller names none, and where the body is short', () => {
    expect([page.encodingFor(undefined), page.encodingFor('br')]).toEqual(['identity', 'br']);
    expect([short.encodingFor('br'), short.encodingFor(undefined)]).toEqual(['identity', 'identity']);
  });
  test('identity is the bytes themselves', () => {
    expect(page.encoded('identity')).toBe(page.bytes);
  });
});

test('a body of 64 KiB is compressed at once, one byte more in another thread', async () => {
  const [page, large] = [64 * 1024, 64 * 1024 + 1].map((length) => new Representation(Buffer.alloc(length, 'a')));
  expect(page!.encoded('gzip')).toBeInstanceOf(Buffer);
  const pending = large!.encoded('gzip');
  expect(pending).toBeInstanceOf(Promise);
  // While the compression is pending, it has no size.
  expect(large!.size).toBe(64 * 1024 + 1);
  const compressed = await pending;
  expect(large!.size).toBe(64 * 1024 + 1 + compressed.length);
});

test('a text of 2 KiB in ASCII is kept as a string too', () => {
  const textOf = (text: string): string | undefined => new Representation(Buffer.from(text)).text;
  expect(textOf('a'.repeat(2_048))).toBe('a'.repeat(2_048));
  expect([textOf('a'.repeat(2_049)), textOf('kürzer')]).toEqual([undefined, undefined]);
});
