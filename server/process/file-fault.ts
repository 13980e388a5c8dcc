/** Messages about file system errors with instructions for the operator. */
import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { messageOf } from '../text/error-text.ts';
import { memberOf } from '../text/object.ts';

/** The name of a user, if /etc/passwd contains it, with its uid. */
function userName(uid: number): string {
  try {
    const entry = readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .find((line) => line.split(':')[2] === String(uid));
    if (entry !== undefined) return `${entry.split(':', 1)[0]} (uid ${uid})`;
  } catch {
    // Without the file, only the uid is available.
  }
  return `uid ${uid}`;
}

/**
 * The file or folder that denied the permission: the path itself, or the nearest parent folder that this process can
 * see.
 */
function deniedPath(path: string): { readonly path: string; readonly uid: number; readonly mode: number } | undefined {
  for (let at = resolve(path); ; at = dirname(at)) {
    try {
      const { uid, mode } = statSync(at);
      return { path: at, uid, mode };
    } catch {
      if (at === dirname(at)) return undefined;
    }
  }
}

/** The owner and mode of the path, and the user of this process; empty if the path cannot be examined. */
export function ownership(path: string): string {
  const at = deniedPath(path);
  const self = process.geteuid === undefined ? '' : `, and this process runs as ${userName(process.geteuid())}`;
  if (at === undefined) return '';
  return `${at.path} belongs to ${userName(at.uid)}, mode ${(at.mode & 0o7777).toString(8).padStart(4, '0')}${self}`;
}

const isPermissionError = ({ code }: NodeJS.ErrnoException): boolean => code === 'EACCES' || code === 'EPERM';

/** The message of an error in one line; for a permission error, with the owner of the file or folder. */
export function faultText(error: unknown): string {
  const message = messageOf(error);
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const path = memberOf(at, 'path');
    if (isPermissionError(at) && typeof path === 'string') {
      const owner = ownership(path);
      return owner === '' || message.includes(' belongs to ') ? message : `${message}; ${owner}`;
    }
  }
  return message;
}

/** The first part of a path that exists and is not a folder; undefined if there is none. */
export function notFolder(path: string): string | undefined {
  const parts: string[] = [];
  for (let at = resolve(path); ; at = dirname(at)) {
    parts.unshift(at);
    if (at === dirname(at)) break;
  }
  return parts.find((at) => {
    try {
      return !statSync(at).isDirectory();
    } catch {
      return false;
    }
  });
}
