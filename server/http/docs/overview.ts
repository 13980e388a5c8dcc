/** The numbers of the home page, from the metrics. Anyone may read them: they are counts alone. */
import type { Registry } from '../../observability/metrics-library.ts';

export interface Overview {
  /** How many tweets, users, communities and spaces the service has; absent where the platform does not count them. */
  readonly objects: Readonly<Record<string, number>>;
  /** Changes of the archive since its creation; undefined where the platform does not count them. */
  readonly changes: number | undefined;
}

const valuesOf = async (registry: Registry, name: string) =>
  (await registry.getSingleMetric(name)?.get())?.values ?? [];

export async function overviewOf(registry: Registry): Promise<Overview> {
  const objects = await valuesOf(registry, 'archive_objects');
  const [changes] = await valuesOf(registry, 'archive_changes_total');
  return {
    objects: Object.fromEntries(objects.map(({ labels, value }) => [String(labels['kind']), value])),
    changes: changes?.value,
  };
}
