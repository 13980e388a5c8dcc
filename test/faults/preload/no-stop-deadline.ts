// Loaded into a process before its program: the deadline after which a stop cuts what is still open never passes. So a
// process that ends has closed everything in good order.
const stopDeadlineMs = 8_000;
const set = globalThis.setTimeout;
globalThis.setTimeout = Object.assign(
  (callback: () => void, ms?: number, ...more: []) =>
    ms === stopDeadlineMs ? set(() => {}, 0x7fffffff) : set(callback, ms, ...more),
  { __promisify__: set.__promisify__ },
) as typeof set;
