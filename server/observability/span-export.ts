/**
 * A span for each request, exported with OTLP over HTTP by the official SDK of OpenTelemetry. This module, and with it the SDK, is loaded only where
 * `OTEL_EXPORTER_OTLP_ENDPOINT` is set. The SDK itself reads `OTEL_EXPORTER_OTLP_HEADERS`, `_TIMEOUT` and `_COMPRESSION`, `OTEL_SERVICE_NAME` and
 * `OTEL_RESOURCE_ATTRIBUTES`.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace, TraceFlags, type Span } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BatchSpanProcessor, TracerProvider, type SpanExporter } from '@opentelemetry/sdk-trace';
import type { TraceContext } from './trace-context.ts';

/** What the span of a finished request says. It has no word of a caller: a path is its template. */
export interface FinishedRequest {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly id: string;
  readonly operation: string | undefined;
  /** Whether the whole response was sent. */
  readonly completed: boolean;
}

/** The span of a request. One that is never ended is not exported. */
export interface RequestSpan {
  /** The trace with this span as the parent of what the request causes. */
  readonly context: TraceContext;
  end(request: FinishedRequest): void;
}

export interface SpanExport {
  begin(parent: TraceContext | undefined): RequestSpan;
  /** Exports what is left, within two seconds. */
  stop(): Promise<void>;
}

export interface SpanExportParts {
  /** The value of `OTEL_EXPORTER_OTLP_ENDPOINT`. */
  readonly endpoint: string;
  readonly service: { readonly name: string; readonly version: string };
  /** Called for the first export that fails after one that succeeded. */
  readonly onFailure: (error: Error) => void;
}

/** How long a stop waits for the last export, in milliseconds. */
const stopMs = 2_000;

/** An exporter that reports its failures: the SDK drops the spans silently. */
function reporting(exporter: SpanExporter, onFailure: (error: Error) => void): SpanExporter {
  let isFailing = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        if (result.error !== undefined && !isFailing) onFailure(result.error);
        isFailing = result.error !== undefined;
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
  };
}

function contextOf(span: Span, parent: TraceContext | undefined): TraceContext {
  const { traceId, spanId, traceFlags } = span.spanContext();
  return { traceId, spanId, flags: (traceFlags & 1).toString(16).padStart(2, '0'), state: parent?.state };
}

function endSpan(span: Span, { method, route, status, id, operation, completed }: FinishedRequest): void {
  span.updateName(`${method} ${route}`);
  span.setAttributes({
    'http.request.method': method,
    'http.route': route,
    'http.response.status_code': status,
    'http.request.id': id,
    ...(operation === undefined ? {} : { 'social_data.operation': operation }),
    ...(completed ? {} : { 'social_data.aborted': true }),
    ...(status < 500 ? {} : { 'error.type': String(status) }),
  });
  if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
  span.end();
}

/** Opens the export. At most 2,048 spans wait for it; more are dropped. A caller that does not record its trace causes no span. */
export function openSpanExport({ endpoint, service, onFailure }: SpanExportParts): SpanExport {
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/+$/, '')}/v1/traces` });
  const provider = new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': service.name, 'service.version': service.version }))
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor({ exporter: reporting(exporter, onFailure), scheduledDelayMillis: 1_000 })],
  });
  const tracer = provider.getTracer('social-data', service.version);
  return {
    begin(parent) {
      const context =
        parent === undefined
          ? ROOT_CONTEXT
          : trace.setSpanContext(ROOT_CONTEXT, {
              ...{ traceId: parent.traceId, spanId: parent.spanId, isRemote: true },
              traceFlags: (Number.parseInt(parent.flags, 16) & 1) === 1 ? TraceFlags.SAMPLED : TraceFlags.NONE,
            });
      const span = tracer.startSpan('request', { kind: SpanKind.SERVER }, context);
      return { context: contextOf(span, parent), end: (request) => endSpan(span, request) };
    },
    stop: () => Promise.race([provider.shutdown().catch(() => {}), sleep(stopMs, undefined, { ref: false })]),
  };
}
