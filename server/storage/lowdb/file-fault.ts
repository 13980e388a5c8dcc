/** Says of a fault of the file system what an operator needs to mend it. */
import { readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';

/** The name of a user where this machine knows it, with its number. */
function userName(uid: number): string {
  try {
    const entry = readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .find((line) => line.split(':')[2] === String(uid));
    if (entry !== undefined) return `${entry.split(':', 1)[0]} (uid ${uid})`;
  } catch {
    // Without the file the number has to do.
  }
  return `uid ${uid}`;
}

/**
 * The file or folder that permission was refused for: the path itself, or the nearest folder above it that this
 * process may see.
 */
function refusedAt(path: string): { readonly path: string; readonly uid: number; readonly mode: number } | undefined {
  for (let at = resolve(path); ; at = dirname(at)) {
    try {
      const { uid, mode } = statSync(at);
      return { path: at, uid, mode };
    } catch {
      if (at === dirname(at)) return undefined;
    }
  }
}

/** Whose the path is, and who this process is. */
export function ownership(path: string): string {
  const at = refusedAt(path);
  const self = process.geteuid === undefined ? '' : `, and this process runs as ${userName(process.geteuid())}`;
  if (at === undefined) return '';
  return `${at.path} belongs to ${userName(at.uid)}, mode ${(at.mode & 0o7777).toString(8).padStart(4, '0')}${self}`;
}

const isRefusal = ({ code }: NodeJS.ErrnoException): boolean => code === 'EACCES' || code === 'EPERM';

/**
 * The message of an error, in one line; where it comes from a refused permission, with the owner of the file or
 * folder.
 */
export function faultText(error: unknown): string {
  const { message } = error as Error;
  for (let at: unknown = error; at instanceof Error; at = at.cause) {
    const { path } = at as NodeJS.ErrnoException;
    if (isRefusal(at) && path !== undefined) {
      const owner = ownership(path);
      return owner === '' || message.includes(' belongs to ') ? message : `${message}; ${owner}`;
    }
  }
  return message;
}

/** The first part of a path that is there and is no folder; undefined where there is none. */
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
