/** The paths of health checks and metrics. They report the state of the server, so load shedding never rejects them. */
import { pathOf } from './request-target.ts';

const probes = new Set(['/healthz', '/readyz', '/metrics']);

/** Whether a request target is a health check or the metrics. */
export const isProbe = (target: string): boolean => probes.has(pathOf(target));
