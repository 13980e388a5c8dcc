/**
 * Corrects a journal line in which one byte is damaged. The CRC-32 of the record and the stored CRC-32 differ by a value
 * that depends only on the place and the kind of the damage, because CRC-32 is linear. So the search over all places and
 * values needs no further checksum. A correction by chance has the probability 256 × length / 2³².
 */
import { crc32 } from 'node:zlib';

/** Beyond this length, a correction by chance is too likely, and the search takes too long. */
const maxLength = 64 * 1024;
const prefixLength = 9;
const newline = 10;

/** CRC-32 (IEEE 802.3, reflected) of each single byte, without the initial and the final inversion. */
const table = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value >>> 0;
});

/**
 * The record of a damaged line (checksum, marker, record), with its one damaged byte corrected; undefined if more than
 * one byte is damaged, or if the correction is no JSON.
 */
export function correctedRecord(line: Buffer): Buffer | undefined {
  if (line.length <= prefixLength || line.length > maxLength) return undefined;
  const record = line.subarray(prefixLength);
  const actual = crc32(record);
  const corrected = hasDamagedPrefix(line, actual) ? record : correctedByCrc(line, record, actual);
  return corrected !== undefined && isJson(corrected) ? corrected : undefined;
}

/** Whether the record is whole and exactly one byte of the checksum or the marker is damaged. */
function hasDamagedPrefix(line: Buffer, actual: number): boolean {
  const expected = actual.toString(16).padStart(8, '0');
  let damaged = line[8] === 0x20 || line[8] === 0x2b || line[8] === 0x2d ? 0 : 1;
  for (let index = 0; index < 8; index++) if (line[index] !== expected.charCodeAt(index)) damaged++;
  return damaged === 1;
}

function correctedByCrc(line: Buffer, record: Buffer, actual: number): Buffer | undefined {
  const text = line.toString('latin1', 0, 8);
  if (!/^[\da-f]{8}$/.test(text)) return undefined;
  const difference = (Number.parseInt(text, 16) ^ actual) >>> 0;
  /** By byte: the difference of the checksums where the byte at `index` differs by it. */
  const effects = Uint32Array.from(table);
  for (let index = record.length - 1; index >= 0; index--) {
    const error = effects.indexOf(difference);
    if (error > 0 && (record[index]! ^ error) !== newline) {
      const corrected = Buffer.from(record);
      corrected[index] = corrected[index]! ^ error;
      return corrected;
    }
    for (let byte = 0; byte < 256; byte++) effects[byte] = (effects[byte]! >>> 8) ^ table[effects[byte]! & 0xff]!;
  }
  return undefined;
}

function isJson(bytes: Buffer): boolean {
  try {
    JSON.parse(bytes.toString());
    return true;
  } catch {
    return false;
  }
}
