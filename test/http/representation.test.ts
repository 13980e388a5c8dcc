// Tests server/http/pipeline/stream.ts.
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { expect, test } from '@jest/globals';
import { Representation } from '../../server/http/pipeline/representation.ts';

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
