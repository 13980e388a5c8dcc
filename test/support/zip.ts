/** Zip archives for tests (APPNOTE.TXT of PKWARE): deflated entries, also with the sizes of zip64 or with false sizes. */
import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  readonly name: string;
  readonly content: string | Buffer;
  /** The uncompressed size that the archive states; by default the real one. */
  readonly statedSize?: number;
  /** Bits of the general purpose flag in addition to that of UTF-8 names; 1: encrypted. */
  readonly flags?: number;
  /** The compression method; 8 (deflate) by default. */
  readonly method?: number;
}

const time = 0;
/** 2024-03-05 in the format of DOS. */
const date = ((2024 - 1980) << 9) | (3 << 5) | 5;
const max32 = 0xffffffff;

/** Sizes as two numbers of 32 bits. */
const sizes32 = (compressed: number, size: number): Buffer => {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32LE(compressed, 0);
  bytes.writeUInt32LE(size, 4);
  return bytes;
};

const numbers16 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 2);
  values.forEach((value, index) => bytes.writeUInt16LE(value, index * 2));
  return bytes;
};

const number32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
};

/** The extra field of zip64: size, compressed size, offset. */
function zip64Extra(values: readonly number[]): Buffer {
  const extra = Buffer.alloc(4 + values.length * 8);
  extra.writeUInt16LE(1, 0);
  extra.writeUInt16LE(values.length * 8, 2);
  values.forEach((value, index) => extra.writeBigUInt64LE(BigInt(value), 4 + index * 8));
  return extra;
}

interface Packed {
  readonly head: Buffer;
  readonly data: Buffer;
  readonly name: Buffer;
  readonly size: number;
}

function pack({ name, content, statedSize, flags = 0, method = 8 }: ZipEntry): Packed {
  const bytes = Buffer.from(content);
  const data = method === 8 ? deflateRawSync(bytes) : bytes;
  const size = statedSize ?? bytes.length;
  const head = Buffer.concat([numbers16(45, 0x800 | flags, method, time, date), number32(crc32(bytes))]);
  return { head, data, name: Buffer.from(name), size };
}

function centralEntry({ head, data, name, size }: Packed, offset: number, zip64: boolean): Buffer {
  const extra = zip64 ? zip64Extra([size, data.length, offset]) : Buffer.alloc(0);
  return Buffer.concat([
    Buffer.from('PK\x01\x02'),
    numbers16(45),
    head,
    zip64 ? sizes32(max32, max32) : sizes32(data.length, size),
    numbers16(name.length, extra.length, 0, 0, 0),
    number32(0),
    number32(zip64 ? max32 : offset),
    name,
    extra,
  ]);
}

/** The records of zip64 at the end of an archive. */
function zip64End(entries: number, size: number, offset: number): Buffer {
  const end = Buffer.alloc(56);
  end.write('PK\x06\x06', 'latin1');
  end.writeBigUInt64LE(44n, 4);
  end.writeUInt16LE(45, 12);
  end.writeUInt16LE(45, 14);
  for (const at of [24, 32]) end.writeBigUInt64LE(BigInt(entries), at);
  end.writeBigUInt64LE(BigInt(size), 40);
  end.writeBigUInt64LE(BigInt(offset), 48);
  const locator = Buffer.alloc(20);
  locator.write('PK\x06\x07', 'latin1');
  locator.writeBigUInt64LE(BigInt(offset + size), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([end, locator]);
}

/** The bytes of a zip archive. `zip64`: all sizes and offsets are in the records of zip64. */
export function zip(entries: readonly ZipEntry[], { zip64 = false } = {}): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const packed = pack(entry);
    directory.push(centralEntry(packed, offset, zip64));
    const local = Buffer.concat([
      Buffer.from('PK\x03\x04'),
      packed.head,
      sizes32(packed.data.length, packed.size),
      numbers16(packed.name.length, 0),
      packed.name,
      packed.data,
    ]);
    parts.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const count = zip64 ? 0xffff : entries.length;
  const end = [
    ...(zip64 ? [zip64End(entries.length, central.length, offset)] : []),
    Buffer.from('PK\x05\x06'),
    numbers16(0, 0, count, count),
    number32(zip64 ? max32 : central.length),
    number32(zip64 ? max32 : offset),
    numbers16(0),
  ];
  return Buffer.concat([...parts, central, ...end]);
}
