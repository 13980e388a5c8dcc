/** Gauges whose value is read when the metrics are. */
import { Gauge, type Registry } from './metrics-library.ts';

/** Returns the function that adds such a gauge to a registry. */
export const gaugesIn =
  (registry: Registry) =>
  (name: string, help: string, read: () => number): void => {
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read());
      },
    });
  };
