declare module 'fs-native-extensions' {
  /** Locks an open file for this process. Returns false where another process, or another open file of this one, has the lock. */
  export function tryLock(fd: number): boolean;
}
