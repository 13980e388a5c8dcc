/** A monotonic clock: changes of the system clock while the process runs do not affect it. All threads of a process have the same. */
export const steadyClock = (): number => Math.round(performance.timeOrigin + performance.now());
