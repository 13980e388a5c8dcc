/** Network file systems, on which SQLite cannot work: its write-ahead log needs memory that all processes of the machine share. */
import { statfsSync } from 'node:fs';
import { StoreError } from '../ports/storage.ts';

/** The types in `statfs` of Linux, from its `magic.h`. */
const networkTypes: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB'],
  [0x5346414f, 'AFS'],
  [0x73757245, 'Coda'],
  [0x00c36400, 'Ceph'],
]);

/** The name of the network file system with a type; undefined for any other type. Only Linux has these numbers. */
export const networkFileSystemOf = (type: number, platform: string = process.platform): string | undefined =>
  // Some systems give the type as a negative number.
  platform === 'linux' ? networkTypes.get(type >>> 0) : undefined;

/** Throws StoreError for a folder on a network file system. */
export function requireLocalDisk(folder: string, typeOf = (path: string): number => statfsSync(path).type): void {
  const name = networkFileSystemOf(typeOf(folder));
  if (name !== undefined)
    throw new StoreError(
      `${folder} is on ${name}, a network file system: the write-ahead log of a database file needs a local disk; set DATA_DIR to one, or keep the archive in PostgreSQL (DATABASE_URL)`,
    );
}
