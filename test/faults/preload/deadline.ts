// Loaded into a process before its program: a deadline of more than 30 seconds passes at SIGUSR2, and not before. The
// assistant has such a deadline for its answers.
const timeout = AbortSignal.timeout.bind(AbortSignal);
process.setMaxListeners(0);
AbortSignal.timeout = (ms) => {
  if (ms <= 30_000) return timeout(ms);
  const deadline = new AbortController();
  const reason = new DOMException('The operation was aborted due to timeout', 'TimeoutError');
  process.once('SIGUSR2', () => deadline.abort(reason));
  return deadline.signal;
};
