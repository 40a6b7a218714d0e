import type { CertificateMetrics } from "../webhook/certificate-files.ts";
import type { Webhook } from "../webhook/webhook.ts";
import type { WebhookMetrics } from "../webhook/webhook-server.ts";
import { latencyBuckets, metricsIn, type Registry } from "./prometheus.ts";

/** Adds the controller_runtime_webhook_* metrics; returns the metrics of a webhook. */
export function createWebhookMetrics(
  registry: Registry,
): (path: string, kind: Webhook["kind"]) => WebhookMetrics {
  const { counter, gauge, histogram } = metricsIn(registry);
  const requests = counter(
    "controller_runtime_webhook_requests_total",
    "Requests to webhooks, by HTTP status",
    ["webhook", "code"],
  );
  const latency = histogram(
    "controller_runtime_webhook_latency_seconds",
    "How long webhooks take to answer",
    { labelNames: ["webhook"], buckets: latencyBuckets },
  );
  const inFlight = gauge(
    "controller_runtime_webhook_requests_in_flight",
    "Requests to webhooks that are not answered yet",
    ["webhook"],
  );
  const help = "Requests to webhooks whose handler threw";
  const panics = {
    admission: counter("controller_runtime_webhook_panics_total", help),
    conversion: counter("controller_runtime_conversion_webhook_panics_total", help),
  };
  return (webhook, kind) => {
    for (const code of ["200", "500"]) requests.inc({ webhook, code }, 0);
    inFlight.set({ webhook }, 0);
    return {
      inFlight: (change) => inFlight.inc({ webhook }, change),
      request: (code, seconds) => {
        requests.inc({ webhook, code });
        latency.observe({ webhook }, seconds);
      },
      panic: () => panics[kind].inc(),
    };
  };
}

/** Adds the certwatcher_* metrics. */
export function createCertificateMetrics(registry: Registry): CertificateMetrics {
  const { counter } = metricsIn(registry);
  const reads = counter(
    "certwatcher_read_certificate_total",
    "How often certificate files were read",
  );
  const errors = counter(
    "certwatcher_read_certificate_errors_total",
    "How often certificate files could not be read",
  );
  return { read: () => reads.inc(), readError: () => errors.inc() };
}
