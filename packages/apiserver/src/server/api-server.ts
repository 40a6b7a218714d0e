import type { Handler } from "@rookery/http";
import type { Clock } from "@rookery/kube";
import type { AdmissionPlugin } from "../admission/admission.ts";
import type { Authenticator } from "../authentication/authenticator.ts";
import type { ClusterAuthenticationSource } from "../authentication/cluster-authentication.ts";
import type { Authorizer } from "../authorization/authorizer.ts";
import { bodyDecoders, type ProtobufDecoder } from "../codec/media-types.ts";
import type { Delegation } from "../delegation.ts";
import { UnhealthyError } from "../errors.ts";
import type { HealthCheck } from "../health/health.ts";
import type { EncodedJson } from "../negotiation/encode.ts";
import type { OpenApiModelSource } from "../openapi/models.ts";
import { createOpenApi } from "../openapi/serve.ts";
import type { Audit } from "../pipeline/audit.ts";
import type { MaxInFlightOptions } from "../pipeline/max-in-flight.ts";
import { createPipeline } from "../pipeline/pipeline.ts";
import type { OnError } from "../pipeline/recovery.ts";
import { requestInfoOf } from "../request/request-context.ts";
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
  /**
   * The JSON, without a line break, of an object, a list or a watch event that a handler has given,
   * where it is ready; what is undefined is encoded anew.
   */
  readonly encodedJson?: EncodedJson;
  /** Of /healthz and /livez. */
  readonly livenessChecks?: readonly HealthCheck[];
  /** Of /readyz, beside those of liveness. */
  readonly readinessChecks?: readonly HealthCheck[];
  /** Other paths, behind authentication and authorization, such as "/metrics". */
  readonly paths?: Readonly<Record<string, Handler>>;
  readonly version?: VersionInfo;
  /** Other servers that answer for a part of what this one is asked. */
  readonly delegation?: Delegation;
  /** The OpenAPI v3 models that resources name by `model`, and those of metadata. */
  readonly models?: OpenApiModelSource;
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
  /**
   * Serves other groups from the next request on, and tells what other servers serve by now. Throws
   * an InvalidGroupError.
   */
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
  const shared = routeOptions(options, own);
  const routesOf = (groups: readonly ServedGroup[]) =>
    createRoutes({ ...shared, groups, delegation: options.delegation });
  let routes = routesOf(options.groups);
  const handle: Handler = (request) => {
    const info = requestInfoOf(request);
    // Only to who reads over them, slashes at the beginning lead to another server.
    const delegate = info.path.startsWith("//") ? undefined : options.delegation?.handlerOf(info);
    return delegate ? delegate(request) : routes(request);
  };
  const handler = createPipeline(handle, {
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
  const { version = defaultVersion, models = () => undefined } = options;
  const { now, timers, draining, limits } = own;
  const info = { title: "Kubernetes", version: `${version.major}.${version.minor}` };
  return {
    services: {
      admission: options.admission ?? [],
      authorize: options.authorize,
      decoders: bodyDecoders(options.protobuf),
      maxBodyBytes: limits.maxBodyBytes,
      encodedJson: options.encodedJson ?? (() => undefined),
      now,
      timers,
      draining,
    },
    version,
    livenessChecks,
    readinessChecks: [...livenessChecks, ...readinessChecks, shutdownCheck(own.stopping)],
    onUnhealthy: (check: string, cause: unknown) => onError(new UnhealthyError(check, { cause })),
    paths: options.paths ?? {},
    openApi: createOpenApi({ info, models, now }),
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
