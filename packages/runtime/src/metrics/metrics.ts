import type { ControllerMetrics } from "../controller/controller-metrics.ts";
import type { LeaderElectionMetrics } from "../leader-election/leader-election-metrics.ts";
import type { CertificateMetrics } from "../webhook/certificate-metrics.ts";
import type { WebhookMetrics } from "../webhook/webhook-metrics.ts";
import { ReconcileMetrics } from "./controller-metrics.ts";
import { Counter, Gauge, Registry } from "./prometheus.ts";
import {
  createCertificateMetrics,
  type WebhookKind,
  WebhookServerMetrics,
} from "./server-metrics.ts";

/**
 * Has the metrics of the process and of Node as well, from the first time on that somebody asks: before
 * that they would cost memory and a timer of 10 ms for nobody.
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

/** How an attempt of a request to the API ended; what a client's trace tells of it. */
interface ApiAttempt {
  readonly request: { readonly method: string };
  /** Absent where there was no answer. */
  readonly status?: number;
}

/** The metrics of a process, under the names and labels of controller-runtime. */
export interface Metrics {
  /** Providers add metrics of their own here. */
  readonly registry: Registry;
  readonly certificates: CertificateMetrics;
  controller(name: string): ControllerMetrics;
  /** `name` is that of the lease. */
  leaderElection(name: string): LeaderElectionMetrics;
  webhook(path: string, kind: WebhookKind): WebhookMetrics;
  /** Counts requests to one API server: a `trace` for its client. */
  restClient(host: string): (attempt: ApiAttempt) => void;
}

export interface MetricsOptions {
  /** Whether those of the process and of Node are among them; they are unless told otherwise. */
  readonly processMetrics?: boolean;
}

/** Makes the metrics of a process; there is no global state, so tests can have several. */
export function createMetrics({ processMetrics = true }: MetricsOptions = {}): Metrics {
  const registry = processMetrics ? new ProcessRegistry() : new Registry();
  const controllers = new ReconcileMetrics(registry);
  const webhooks = new WebhookServerMetrics(registry);
  return {
    registry,
    certificates: createCertificateMetrics(registry),
    controller: (name) => controllers.forController(name),
    leaderElection: createLeaderElectionMetrics(registry),
    webhook: (path, kind) => webhooks.forWebhook(path, kind),
    restClient: createRestClientMetrics(registry),
  };
}

function createLeaderElectionMetrics(registry: Registry): Metrics["leaderElection"] {
  const labelNames = ["name"];
  const registers = [registry];
  const status = new Gauge({
    name: "leader_election_master_status",
    help: "Whether this process leads by a lease: 1 where it does",
    labelNames,
    registers,
  });
  const slowPath = new Counter({
    name: "leader_election_slowpath_total",
    help: "How often a lease had to be read before it could be renewed",
    labelNames,
    registers,
  });
  return (name) => ({
    leading: (isLeading) => status.set({ name }, isLeading ? 1 : 0),
    slowPath: () => slowPath.inc({ name }),
  });
}

function createRestClientMetrics(registry: Registry): Metrics["restClient"] {
  const requests = new Counter({
    name: "rest_client_requests_total",
    help: "Requests to API servers, by HTTP status, method and host",
    labelNames: ["code", "method", "host"],
    registers: [registry],
  });
  return (host) =>
    ({ request, status }) =>
      requests.inc({ code: status ?? "<error>", method: request.method, host });
}
