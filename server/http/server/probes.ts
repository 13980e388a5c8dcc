/** The paths of health checks and metrics. They report the state of the server, so load shedding never rejects them. */
const probes = new Set(['/healthz', '/readyz', '/metrics']);

/** Whether a request target is a health check or the metrics. */
export function isProbe(target: string): boolean {
  const query = target.indexOf('?');
  return probes.has(query < 0 ? target : target.slice(0, query));
}
