// Loaded into a process before its program: while the file FAIL_FILE is there, no fdatasync succeeds, as on a disk that breaks.
import fs from 'node:fs';
import { open } from 'node:fs/promises';

const handle = await open(process.execPath);
const prototype = Object.getPrototypeOf(handle) as { datasync(): Promise<void> };
await handle.close();
const { datasync } = prototype;
prototype.datasync = async function () {
  if (fs.existsSync(process.env.FAIL_FILE!))
    throw Object.assign(new Error('EIO: i/o error, fdatasync'), { code: 'EIO' });
  return datasync.call(this);
};
