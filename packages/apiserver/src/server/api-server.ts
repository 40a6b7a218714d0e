import type { Handler } from "@rookery/http";
import type { Clock } from "@rookery/kube";
import type { AdmissionPlugin } from "../admission/admission.ts";
import type { Authenticator } from "../authentication/authenticator.ts";
import type { ClusterAuthenticationSource } from "../authentication/cluster-authentication.ts";
import type { Authorizer } from "../authorization/authorizer.ts";
import { bodyDecoders, type ProtobufDecoder } from "../codec/media-types.ts";
import { UnhealthyError } from "../errors.ts";
import type { HealthCheck } from "../health/health.ts";
import type { Audit } from "../pipeline/audit.ts";
import type { MaxInFlightOptions } from "../pipeline/max-in-flight.ts";
import { createPipeline } from "../pipeline/pipeline.ts";
import type { OnError } from "../pipeline/recovery.ts";
import type { ResourceServices } from "../resource/exchange.ts";
import type { ServedGroup } from "../resource/served-group.ts";
import { systemTimers, type Timers } from "../timers.ts";
import { createRoutes } from "./routes.ts";
import { type Serving, type ServingOptions, startServing } from "./serving.ts";
import { defaultVersion, type VersionInfo } from "./version-info.ts";

export interface ApiServerOptions {
  readonly groups: readonly ServedGroup[];
  readonly authenticate: Authenticator;
  readonly authorize: Authorizer;
  /** How the cluster that this server extends authenticates: it tells TLS whom to ask for. */
  readonly cluster?: ClusterAuthenticationSource;
  readonly admission?: readonly AdmissionPlugin[];
  readonly audit?: Audit;
  /** Hears of what clients are only told the Audit-Id of: a log. */
  readonly onError: OnError;
  /** Reads Protobuf bodies; without it they are refused. */
  readonly protobuf?: ProtobufDecoder;
  /** Of /healthz and /livez. */
  readonly livenessChecks?: readonly HealthCheck[];
  /** Of /readyz, beside those of liveness. */
  readonly readinessChecks?: readonly HealthCheck[];
  /** Other paths, behind authentication and authorization, such as "/metrics". */
  readonly paths?: Readonly<Record<string, Handler>>;
  readonly version?: VersionInfo;
  readonly limits?: ApiServerLimits;
  readonly now?: Clock;
  readonly timers?: Timers;
}

export interface ApiServerLimits {
  /** 3 MiB, as kube-apiserver takes. */
  readonly maxBodyBytes?: number;
  /** 60 s. Watches may take longer. */
  readonly requestTimeoutMs?: number;
  /** 400 that read and 200 that write. */
  readonly maxInFlight?: MaxInFlightOptions;
}

const defaultLimits: Required<ApiServerLimits> = {
  maxBodyBytes: 3 * 1024 * 1024,
  requestTimeoutMs: 60_000,
  maxInFlight: { readOnly: 400, mutating: 200 },
};

/** An API server; `handler` answers without a socket, `serve` opens one. */
export interface ApiServer {
  readonly handler: Handler;
  /** Serves other groups from the next request on. Throws an InvalidGroupError. */
  setGroups(groups: readonly ServedGroup[]): void;
  /** Listens. Rejects with a ListenError. */
  serve(options: ServingOptions): Promise<Serving>;
}

/** Throws an InvalidGroupError. */
export function createApiServer(options: ApiServerOptions): ApiServer {
  const { now = () => new Date(), timers = systemTimers, cluster, onError } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const stopping = new AbortController();
  const draining = new AbortController();
  const own = { limits, now, timers, stopping: stopping.signal, draining: draining.signal };
  const routesOf = (groups: readonly ServedGroup[]) =>
    createRoutes({ ...routeOptions(options, own), groups });
  let routes = routesOf(options.groups);
  const handler = createPipeline((request) => routes(request), {
    ...options,
    ...limits,
    audit: options.audit,
    requestHeader: () => cluster?.current.requestHeader,
    now,
    timers,
  });
  return {
    handler,
    setGroups(groups) {
      routes = routesOf(groups);
    },
    serve: (serving) =>
      startServing({ handler, cluster, onError, timers, stopping, draining }, serving),
  };
}

function routeOptions(
  options: ApiServerOptions,
  own: Pick<ResourceServices, "now" | "timers" | "draining"> & {
    readonly limits: Required<ApiServerLimits>;
    readonly stopping: AbortSignal;
  },
) {
  const { livenessChecks = [], readinessChecks = [], onError } = options;
  const { now, timers, draining, limits } = own;
  return {
    services: {
      admission: options.admission ?? [],
      decoders: bodyDecoders(options.protobuf),
      maxBodyBytes: limits.maxBodyBytes,
      ...{ now, timers, draining },
    },
    version: options.version ?? defaultVersion,
    livenessChecks,
    readinessChecks: [...livenessChecks, ...readinessChecks, shutdownCheck(own.stopping)],
    onUnhealthy: (check: string, cause: unknown) => onError(new UnhealthyError(check, { cause })),
    paths: options.paths ?? {},
    now,
  };
}

/** Fails from the moment on at which the server begins to stop: nobody should send it more. */
function shutdownCheck(stopping: AbortSignal): HealthCheck {
  return {
    name: "shutdown",
    check: () => {
      if (stopping.aborted) throw new Error("process is shutting down");
    },
  };
}
