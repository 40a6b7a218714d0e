import { isIPv6 } from "node:net";
import type { NestedControlPlane } from "@rookery/api";
import { controllerOf, isFalse, isTrue } from "@rookery/kube";
import { isAllowedHost } from "../policy/allowances.ts";
import {
  type ComponentObject,
  type Components,
  componentFields,
  type Endpoint,
  isOwnKind,
  isReady,
} from "./component.ts";
import type { ControlPlaneFinding } from "./report.ts";

/** The longest time between two reconciles, in seconds. */
const longestWait = 12 * 60 * 60;

export interface EndpointOptions {
  readonly controlPlane: NestedControlPlane;
  readonly apiServer: ComponentObject | undefined;
  /** The hosts of foreign API servers that the manager may connect to. */
  readonly allowedHosts: readonly string[];
}

/**
 * The endpoint in the status of our component. For a foreign component, the spec, which tenants write, counts
 * only if the administrator allows the host, because the manager connects to it.
 */
export function endpointOf(options: EndpointOptions): Endpoint | ControlPlaneFinding {
  const { controlPlane, apiServer, allowedHosts } = options;
  const { spec, metadata } = controlPlane;
  if (!spec.apiserver || isOwnKind(spec.apiserver)) {
    const controller = apiServer && controllerOf(apiServer);
    const isOthers = controller !== undefined && controller.uid !== metadata.uid;
    const known = isOthers ? undefined : apiServer?.status?.endpoint;
    return known ?? waitingFor(apiServer);
  }
  const { host = "", port = 0 } = spec.controlPlaneEndpoint ?? {};
  if (host === "" || port === 0) return waitingFor(apiServer);
  if (isAllowedHost(host, allowedHosts)) return { host, port };
  const why = `spec.controlPlaneEndpoint.host: ${host.slice(0, 160)} is not allowed; correct it, or have the administrator start the manager with --allowed-hosts=${host.slice(0, 160)}`;
  return isFalse("NotAllowed", why);
}

export function endpointFinding(options: EndpointOptions): ControlPlaneFinding {
  const endpoint = endpointOf(options);
  return "status" in endpoint ? endpoint : isTrue("Available");
}

/** The server of a closed endpoint: an existing kubeconfig for it is still renewed. */
export function closedServerOf(options: EndpointOptions): string | undefined {
  const endpoint = endpointOf(options);
  const { host, port } = options.controlPlane.spec.controlPlaneEndpoint ?? {};
  const isClosed = "status" in endpoint && endpoint.reason === "NotAllowed";
  return isClosed && host && port ? `https://${addressOf({ host, port })}` : undefined;
}

function waitingFor(apiServer: ComponentObject | undefined): ControlPlaneFinding {
  const name = apiServer ? `${apiServer.kind} ${apiServer.metadata.name}` : "the API server";
  return isFalse("WaitingForEndpoint", `${name} has no endpoint yet`);
}

/** Host and port as in kubeadm. */
export function addressOf({ host, port }: Endpoint): string {
  return `${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

export function unreadyComponents(components: Components): string[] {
  return componentFields.flatMap((field) => {
    const component = components[field];
    return component && !isReady(component) ? [`${component.kind} ${component.metadata.name}`] : [];
  });
}

export function secondsUntil(moment: Date, now: Date): number {
  const seconds = Math.ceil((moment.getTime() - now.getTime()) / 1000);
  return Math.min(longestWait, Math.max(1, seconds));
}
