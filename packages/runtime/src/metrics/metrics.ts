import type { Handler } from "@rookery/http";
import type { ControllerMetrics } from "../controller/controller-metrics.ts";
import type { BindAddress } from "../http-server/bind-address.ts";
import { readOnly, routeByPath } from "../http-server/handlers.ts";
import { createPlainServer, type PlainServer } from "../http-server/plain-server.ts";
import type { LeaderElectionMetrics } from "../leader-election/leadership.ts";
import type { Logger } from "../logging/logger.ts";
import type { CertificateMetrics } from "../webhook/certificate-files.ts";
import type { Webhook } from "../webhook/webhook.ts";
import type { WebhookMetrics } from "../webhook/webhook-server.ts";
import { createControllerMetrics } from "./controller-metrics.ts";
import { metricsIn, Registry } from "./prometheus.ts";
import { createCertificateMetrics, createWebhookMetrics } from "./server-metrics.ts";

/**
 * Adds the metrics of the process and of Node at the first scrape: before that they would cost memory and a timer of
 * 10 ms.
 */
class ProcessRegistry extends Registry {
  #added: Promise<void> | undefined;

  override async metrics(): Promise<string> {
    this.#added ??= this.#add();
    await this.#added;
    return super.metrics();
  }

  async #add(): Promise<void> {
    const { collectDefaultMetrics } = await import("prom-client");
    collectDefaultMetrics({ register: this });
  }
}

/** An attempt of a request to the API, as a client's trace reports it. */
interface ApiAttempt {
  readonly request: { readonly method: string };
  /** Undefined if there was no answer. */
  readonly status?: number;
}

/** The metrics of a process, with the names and labels of controller-runtime. */
export interface Metrics {
  /** For further metrics of a provider. */
  readonly registry: Registry;
  readonly certificates: CertificateMetrics;
  controller(name: string): ControllerMetrics;
  /** `name` is the name of the lease. */
  leaderElection(name: string): LeaderElectionMetrics;
  webhook(path: string, kind: Webhook["kind"]): WebhookMetrics;
  /** Counts requests to one API server: a `trace` for its client. */
  restClient(host: string): (attempt: ApiAttempt) => void;
}

interface MetricsOptions {
  /** Whether the metrics of the process and of Node are included; true by default. */
  readonly processMetrics?: boolean;
}

/** Makes the metrics of a process. There is no global state: tests may have several. */
export function createMetrics({ processMetrics = true }: MetricsOptions = {}): Metrics {
  const registry = processMetrics ? new ProcessRegistry() : new Registry();
  return {
    registry,
    controller: createControllerMetrics(registry),
    webhook: createWebhookMetrics(registry),
    certificates: createCertificateMetrics(registry),
    leaderElection: createLeaderElectionMetrics(registry),
    restClient: createRestClientMetrics(registry),
  };
}

function createLeaderElectionMetrics(registry: Registry): Metrics["leaderElection"] {
  const { counter, gauge } = metricsIn(registry);
  const status = gauge(
    "leader_election_master_status",
    "Whether this process leads by a lease: 1 where it does",
    ["name"],
  );
  const slowPath = counter(
    "leader_election_slowpath_total",
    "How often a lease had to be read before it could be renewed",
    ["name"],
  );
  return (name) => ({
    leading: (isLeading) => status.set({ name }, isLeading ? 1 : 0),
    slowPath: () => slowPath.inc({ name }),
  });
}

function createRestClientMetrics(registry: Registry): Metrics["restClient"] {
  const requests = metricsIn(registry).counter(
    "rest_client_requests_total",
    "Requests to API servers, by HTTP status, method and host",
    ["code", "method", "host"],
  );
  return (host) =>
    ({ request, status }) =>
      requests.inc({ code: status ?? "<error>", method: request.method, host });
}

interface MetricsServerOptions {
  readonly metrics: Pick<Metrics, "registry">;
  /** From --metrics-bind-address. */
  readonly address: BindAddress;
  readonly logger?: Logger;
}

/** Serves the metrics at /metrics. */
export function createMetricsServer({ metrics, ...options }: MetricsServerOptions): PlainServer {
  const handler = routeByPath(new Map([["/metrics", metricsHandler(metrics.registry)]]));
  return createPlainServer({ ...options, name: "metrics server", handler });
}

/** Answers with all metrics in the text format of Prometheus. */
export function metricsHandler(registry: Registry): Handler {
  return readOnly(async () => ({
    status: 200,
    headers: { "content-type": registry.contentType },
    body: Buffer.from(await registry.metrics()),
  }));
}
