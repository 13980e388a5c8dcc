/** The Prometheus metric of the running version. */
import { Gauge, type Registry } from './metrics-library.ts';
import manifest from '../../package.json' with { type: 'json' };

/**
 * Registers a gauge that is always 1; its labels are the versions of the service and of the contract (equal except
 * for the patch).
 */
export function measureBuild(registry: Registry, contract: string): void {
  new Gauge({
    name: 'social_data_build_info',
    help: 'Always 1: the version of the service, and of its contract.',
    labelNames: ['version', 'contract'],
    registers: [registry],
  }).set({ version: manifest.version, contract }, 1);
}
