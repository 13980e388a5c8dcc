/** Detects binary inputs by their first bytes and rejects them with advice. */

/** The input is binary; the message names its type and the necessary action. */
export class BinaryError extends Error {
  override readonly name = 'BinaryError';
}

interface Signature {
  readonly what: string;
  readonly advice: string;
  readonly bytes: readonly number[] | string;
  /** The offset of the bytes; 0 if absent. */
  readonly at?: number;
}

const unpack = 'unpack it and import the folder, or the files in it';
const nameJsonFiles = 'tweets are text; choose the JSON files';

const repository = {
  what: 'a CAR file',
  advice: 'import it as a file of its own, not through a pipe or inside gzip',
};
const utf16 = { what: 'text in UTF-16', advice: 'write it in UTF-8' };

/** Whether a file begins with the header of a CAR file: its length, and a map in CBOR whose first member is `roots` or `version`. */
export const isRepositoryHead = (head: Buffer): boolean =>
  /^.{1,2}[\xa1\xa2](?:eroots|gversion)/s.test(head.subarray(0, 16).toString('latin1'));

/** Signatures from https://en.wikipedia.org/wiki/List_of_file_signatures. */
const kinds: readonly Signature[] = [
  {
    what: 'a zip archive',
    advice: 'import it as a file of its own, not through a pipe or inside gzip',
    bytes: 'PK\x03\x04',
  },
  { what: 'an empty zip archive', advice: 'choose a file with content', bytes: 'PK\x05\x06' },
  { what: 'a part of a zip archive', advice: 'join the parts, and unpack them', bytes: 'PK\x07\x08' },
  { what: 'a tar archive', advice: unpack, bytes: 'ustar', at: 257 },
  { what: 'a 7z archive', advice: unpack, bytes: [0x37, 0x7a, 0xbc, 0xaf, 0x27, 0x1c] },
  { what: 'a RAR archive', advice: unpack, bytes: 'Rar!\x1a\x07' },
  // The reader decompresses the first layer of gzip before this check.
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
  { what: 'a PNG image', advice: nameJsonFiles, bytes: [0x89, 0x50, 0x4e, 0x47] },
  { what: 'a JPEG image', advice: nameJsonFiles, bytes: [0xff, 0xd8, 0xff] },
  { what: 'a GIF image', advice: nameJsonFiles, bytes: 'GIF8' },
  { what: 'a WebP image', advice: nameJsonFiles, bytes: 'WEBP', at: 8 },
  { what: 'an MP4 video', advice: nameJsonFiles, bytes: 'ftyp', at: 4 },
  { what: 'a PDF document', advice: nameJsonFiles, bytes: '%PDF-' },
  { what: 'an SQLite database', advice: 'export its rows as JSON Lines', bytes: 'SQLite format 3\0' },
  { what: 'a Parquet file', advice: 'export its rows as JSON Lines', bytes: 'PAR1' },
  { ...utf16, bytes: [0xff, 0xfe] },
  { ...utf16, bytes: [0xfe, 0xff] },
];

const matches = ({ bytes, at = 0 }: Signature, head: Buffer): boolean => {
  const signature = typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : Buffer.from(bytes);
  return head.subarray(at, at + signature.length).equals(signature);
};

/** JSON in UTF-16 without a byte order mark: it starts with ASCII characters, so every second byte is 0. */
const isBareUtf16 = ([a, b, c, d]: Buffer): boolean =>
  (a !== 0 && b === 0 && c !== 0 && d === 0) || (a === 0 && b !== 0 && c === 0 && d !== 0);

/** The number of bytes that the check needs: the signature of a tar archive has the largest offset. */
const headBytes = 262;

/** The error message for a binary input, by its first bytes; undefined for text. Valid JSON contains no NUL byte. */
export function describeBinary(head: Buffer): string | undefined {
  const kind =
    kinds.find((each) => matches(each, head)) ??
    (isRepositoryHead(head) ? repository : isBareUtf16(head) ? utf16 : undefined);
  if (kind !== undefined) return `this is ${kind.what}, which the import cannot read: ${kind.advice}`;
  if (!head.subarray(0, headBytes).includes(0)) return undefined;
  return 'this is a binary file: import JSON, plain or gzip, or a personal archive';
}

/** Passes the chunks through after it checked the first bytes. Throws BinaryError. */
export async function* rejectBinary(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
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
  const description = describeBinary(head);
  if (description !== undefined) throw new BinaryError(description);
  return head;
}
