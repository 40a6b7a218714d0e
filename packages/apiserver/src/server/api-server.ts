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
  /** The cluster that this server extends; also provides TLS with its client CAs. */
  readonly cluster?: ClusterAuthenticationSource;
  readonly admission?: readonly AdmissionPlugin[];
  readonly audit?: Audit;
  /** Called with errors of which clients see only the Audit-Id. */
  readonly onError: OnError;
  /** Without it Protobuf bodies are rejected. */
  readonly protobuf?: ProtobufDecoder;
  /** The JSON, without a line break, of a returned object, list or watch event, if known. */
  readonly encodedJson?: EncodedJson;
  /** For /healthz and /livez. */
  readonly livenessChecks?: readonly HealthCheck[];
  /** For /readyz, beside those of liveness. */
  readonly readinessChecks?: readonly HealthCheck[];
  /** Further paths with authentication and authorization, such as "/metrics". */
  readonly paths?: Readonly<Record<string, Handler>>;
  readonly version?: VersionInfo;
  /** Other servers that serve a part of the API. */
  readonly delegation?: Delegation;
  /** OpenAPI v3 models of resources and metadata. */
  readonly models?: OpenApiModelSource;
  readonly limits?: ApiServerLimits;
  readonly now?: Clock;
  readonly timers?: Timers;
}

interface ApiServerLimits {
  /** 3 MiB by default, as in kube-apiserver. */
  readonly maxBodyBytes?: number;
  /** 60 s by default; watches have no limit. */
  readonly requestTimeoutMs?: number;
  /** 400 reads and 200 writes by default. */
  readonly maxInFlight?: MaxInFlightOptions;
}

const defaultLimits: Required<ApiServerLimits> = {
  maxBodyBytes: 3 * 1024 * 1024,
  requestTimeoutMs: 60_000,
  maxInFlight: { readOnly: 400, mutating: 200 },
};

/** `handler` serves without a socket. */
export interface ApiServer {
  readonly handler: Handler;
  /** Replaces the groups, and rereads those of other servers. Throws an InvalidGroupError. */
  setGroups(groups: readonly ServedGroup[]): void;
  /** Rejects with a ListenError. */
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
    // RequestInfo ignores leading slashes, delegation does not.
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

/** Fails once the server is stopping, so that no requests are sent to it. */
function shutdownCheck(stopping: AbortSignal): HealthCheck {
  return {
    name: "shutdown",
    check: () => {
      if (stopping.aborted) throw new Error("process is shutting down");
    },
  };
}
