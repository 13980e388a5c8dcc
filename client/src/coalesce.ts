/** Identical concurrent reads as one request. Loaded at the first call of a client with `coalesce`. */
import type { Completed } from './exchange.ts';
import type { Send } from './call.ts';

/** Lets identical concurrent reads without call options share one request. */
export function coalesceReads(send: Send): Send {
  const pending = new Map<string, Promise<Completed<never>>>();
  return (path, operation, parameters, options) => {
    const isAlone = options !== undefined || operation.repeat === 'refused' || Object(parameters) !== parameters;
    if (isAlone) return send(path, operation, parameters, options);
    const key = operation.method + path + JSON.stringify(Object.entries(parameters).sort());
    const read =
      pending.get(key) ?? send<never>(path, operation, parameters, options).finally(() => pending.delete(key));
    pending.set(key, read);
    return read;
  };
}
