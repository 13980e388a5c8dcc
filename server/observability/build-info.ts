/** Which build runs, as Prometheus shows it. */
import { Gauge, type Registry } from 'prom-client';
import manifest from '../../package.json' with { type: 'json' };

/** A gauge that is always 1; its labels tell the versions of the service and of its contract, which differ in the patch at most. */
export function measureBuild(registry: Registry, contract: string): void {
  new Gauge({
    name: 'social_data_build_info',
    help: 'Always 1: the version of the service, and of its contract.',
    labelNames: ['version', 'contract'],
    registers: [registry],
  }).set({ version: manifest.version, contract }, 1);
}
