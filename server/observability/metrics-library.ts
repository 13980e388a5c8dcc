/**
 * The only module of the server that knows @prometheus-io/client. The main module of the package loads a cluster, a push gateway and the API of OpenTelemetry:
 * a tenth of the time of a start. So this project loads the modules of the metrics that it has, and those of the process when they are
 * first needed. The package does not promise its modules below `lib`; `test/observability/metrics-library.test.ts` names the version.
 */
import { createRequire } from 'node:module';
import type * as Client from '@prometheus-io/client';

const require = createRequire(import.meta.url);

export const Registry = require('@prometheus-io/client/lib/registry.js') as typeof Client.Registry;
export type Registry = Client.Registry;
export const Counter = require('@prometheus-io/client/lib/counter.js') as typeof Client.Counter;
export type Counter<Label extends string = never> = Client.Counter<Label>;
export const Gauge = require('@prometheus-io/client/lib/gauge.js') as typeof Client.Gauge;
export type Gauge<Label extends string = never> = Client.Gauge<Label>;
export const Histogram = require('@prometheus-io/client/lib/histogram.js') as typeof Client.Histogram;
export type Histogram<Label extends string = never> = Client.Histogram<Label>;

/** Registers the metrics of the process: CPU, memory, event loop, garbage collections. */
export function measureProcess(registry: Registry): void {
  const collect = require('@prometheus-io/client/lib/defaultMetrics.js') as typeof Client.collectDefaultMetrics;
  // The package measures the utilisation of the event loop ten times a second, under names that promtool refuses. The service has a
  // metric of its own for it; the longest interval of a timer ends the measurement of the package.
  collect({ register: registry, eventLoopUtilizationTimeout: 2 ** 31 - 1 });
  for (const kind of ['summary', 'histogram']) registry.removeSingleMetric(`nodejs_eventloop_utilization_${kind}`);
}
