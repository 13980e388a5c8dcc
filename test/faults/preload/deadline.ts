// Loaded into a process before its program: a deadline of more than 30 seconds, as that of an answer of the assistant, passes at SIGUSR2.
const timeout = AbortSignal.timeout.bind(AbortSignal);
process.setMaxListeners(0);
AbortSignal.timeout = (ms) => {
  if (ms <= 30_000) return timeout(ms);
  const deadline = new AbortController();
  process.once('SIGUSR2', () => deadline.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError')));
  return deadline.signal;
};
