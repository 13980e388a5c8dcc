/** WebSockets in Node, Deno and Bun: with headers, and those of the package `ws` where the runtime has none. Loaded only there. */
import { usageError } from './defined.ts';
import type { Failed } from './failure.ts';
import type { Settings } from './options.ts';
import type { Socket, SocketClass } from './socket.ts';

/** The member of `node:module` that finds the package `ws`. */
interface NodeModule {
  createRequire(file: string): (name: string) => SocketClass;
}

/** The globals that only some runtimes have. */
const runtime: {
  readonly WebSocket?: SocketClass;
  readonly process?: {
    /** Since Node 20.16. */
    readonly getBuiltinModule?: (name: string) => NodeModule | undefined;
  };
} = globalThis;

/** The class of the runtime, else that of the package `ws`. Throws a UsageError where neither exists. */
function socketClass(failed: Failed): SocketClass {
  if (runtime.WebSocket !== undefined) return runtime.WebSocket;
  // Node 20 has no global WebSocket. Bundlers must not follow this dependency, and Workers refuse `import` with a variable.
  try {
    const { createRequire } = runtime.process?.getBuiltinModule?.('node:module') ?? {};
    const found = createRequire?.(import.meta.url)('ws');
    if (found !== undefined) return found;
    throw new Error('createRequire is missing');
  } catch (error) {
    const message =
      'this runtime has no WebSocket: use Node 22, or install ws and pass its class as the option WebSocket';
    throw Object.assign(usageError(message, error), failed);
  }
}

/** A socket with the key in a header, or with `keyIn: 'query'` in its URL, `keyed`. */
export function openSocket(
  url: string,
  keyed: string,
  key: string | undefined,
  { keyIn, keyNames }: Settings,
  failed: Failed,
): Socket {
  const Class = socketClass(failed) as new (url: string, options?: object) => Socket;
  const headers = keyIn === 'bearer' ? { authorization: `Bearer ${key}` } : { [keyNames.header]: key };
  return key === undefined || keyIn === 'query' ? new Class(keyed) : new Class(url, { headers });
}
