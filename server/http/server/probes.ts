/** The paths that probes and collectors ask for all day: they tell how the server is, so they are answered however it is. */
const probes = new Set(['/healthz', '/readyz', '/metrics']);

/** Whether a request target is one of them. */
export function isProbe(target: string): boolean {
  const query = target.indexOf('?');
  return probes.has(query < 0 ? target : target.slice(0, query));
}
