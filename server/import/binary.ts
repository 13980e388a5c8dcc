/** Inputs that are no text: recognised by their first bytes, and refused with advice before anything of them is shown. */

/** The input is no text; the message says what it is, and what to do. */
export class BinaryError extends Error {
  override readonly name = 'BinaryError';
}

interface Kind {
  readonly what: string;
  readonly advice: string;
  readonly bytes: readonly number[] | string;
  /** Where the bytes stand; 0 when left out. */
  readonly at?: number;
}

const unpack = 'unpack it and import the folder, or the files in it';
const noPicture = 'tweets are text; name the JSON files';

const utf16 = { what: 'text in UTF-16', advice: 'write it in UTF-8' };

/** By the signatures at https://en.wikipedia.org/wiki/List_of_file_signatures. */
const kinds: readonly Kind[] = [
  { what: 'a zip archive', advice: unpack, bytes: 'PK\x03\x04' },
  { what: 'an empty zip archive', advice: 'name a file that holds something', bytes: 'PK\x05\x06' },
  { what: 'a part of a zip archive', advice: 'join the parts, and unpack them', bytes: 'PK\x07\x08' },
  { what: 'a tar archive', advice: unpack, bytes: 'ustar', at: 257 },
  { what: 'a 7z archive', advice: unpack, bytes: [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c] },
  { what: 'a RAR archive', advice: unpack, bytes: 'Rar!\x1a\x07' },
  // What is compressed once was unpacked before.
  { what: 'compressed with gzip twice', advice: 'unpack it once', bytes: [0x1f, 0x8b] },
  { what: 'compressed with bzip2', advice: 'unpack it with bunzip2, or compress it with gzip instead', bytes: 'BZh' },
  {
    what: 'compressed with xz',
    advice: 'unpack it with unxz, or compress it with gzip instead',
    bytes: [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00],
  },
  {
    what: 'compressed with zstd',
    advice: 'unpack it with unzstd, or compress it with gzip instead',
    bytes: [0x28, 0xb5, 0x2f, 0xfd],
  },
  { what: 'a PNG image', advice: noPicture, bytes: [0x89, 0x50, 0x4e, 0x47] },
  { what: 'a JPEG image', advice: noPicture, bytes: [0xff, 0xd8, 0xff] },
  { what: 'a GIF image', advice: noPicture, bytes: 'GIF8' },
  { what: 'a WebP image', advice: noPicture, bytes: 'WEBP', at: 8 },
  { what: 'an MP4 video', advice: noPicture, bytes: 'ftyp', at: 4 },
  { what: 'a PDF document', advice: noPicture, bytes: '%PDF-' },
  { what: 'an SQLite database', advice: 'export its rows as JSON Lines', bytes: 'SQLite format 3\0' },
  { what: 'a Parquet file', advice: 'export its rows as JSON Lines', bytes: 'PAR1' },
  { ...utf16, bytes: [0xff, 0xfe] },
  { ...utf16, bytes: [0xfe, 0xff] },
];

const is = ({ bytes, at = 0 }: Kind, head: Buffer): boolean => {
  const signature = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : Buffer.from(bytes);
  return head.subarray(at, at + signature.length).equals(signature);
};

/** JSON in UTF-16 without a byte order mark: it begins with ASCII characters, of which every other byte is 0. */
const isBareUtf16 = ([a, b, c, d]: Buffer): boolean =>
  (a !== 0 && b === 0 && c !== 0 && d === 0) || (a === 0 && b !== 0 && c === 0 && d !== 0);

/** So many bytes tell: the signature of a tar archive comes last. */
const headBytes = 262;

/** What an input is and what to do with it, by its first bytes; undefined for text. A NUL stands in no JSON. */
export function binaryIn(head: Buffer): string | undefined {
  const kind = kinds.find((each) => is(each, head)) ?? (isBareUtf16(head) ? utf16 : undefined);
  if (kind !== undefined) return `this is ${kind.what}, which is not read here: ${kind.advice}`;
  if (!head.subarray(0, headBytes).includes(0)) return undefined;
  return 'this is a binary file, which is not read here: an import takes JSON, plain or gzip, or the folder of a personal archive';
}

/** The same chunks, once enough of them is known to be text. Throws BinaryError. */
export async function* refuseBinary(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  let head: Buffer | undefined = Buffer.alloc(0);
  for await (const chunk of chunks) {
    if (head === undefined) {
      yield chunk;
      continue;
    }
    head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
    if (head.length < headBytes) continue;
    const all: Buffer = head;
    head = undefined;
    yield checked(all);
  }
  if (head !== undefined && head.length > 0) yield checked(head);
}

function checked(head: Buffer): Buffer {
  const found = binaryIn(head);
  if (found !== undefined) throw new BinaryError(found);
  return head;
}
