// Loaded into a process before its program: what may take a minute, as an answer of the assistant, may take two seconds.
const timeout = AbortSignal.timeout.bind(AbortSignal);
AbortSignal.timeout = (ms) => timeout(ms > 30_000 ? 2_000 : ms);
