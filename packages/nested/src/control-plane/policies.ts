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

/** The longest time between two reconciles of a control plane, in seconds. */
const longestWait = 12 * 60 * 60;

export interface EndpointOptions {
  readonly controlPlane: NestedControlPlane;
  readonly apiServer: ComponentObject | undefined;
  /** Names and addresses that a spec may name for the manager to connect to. */
  readonly allowedHosts: readonly string[];
}

/**
 * The endpoint in the status of a component of ours. Tenants write the spec of the control plane, and the
 * manager connects to the endpoint: of a foreign component, the endpoint in the spec counts only where the
 * administrator allows the host.
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

/** The server of an endpoint that is not allowed: a kubeconfig that names it already is still renewed. */
export function closedServerOf(options: EndpointOptions): string | undefined {
  const endpoint = endpointOf(options);
  const { host, port } = options.controlPlane.spec.controlPlaneEndpoint ?? {};
  const isClosed = "status" in endpoint && endpoint.reason === "NotAllowed";
  return isClosed && host && port ? `https://${addressOf({ host, port })}` : undefined;
}

function waitingFor(apiServer: ComponentObject | undefined): ControlPlaneFinding {
  const who = apiServer ? `${apiServer.kind} ${apiServer.metadata.name}` : "the API server";
  return isFalse("WaitingForEndpoint", `${who} has not said yet where it is reached`);
}

/** Host and port, as kubeadm writes them. */
export function addressOf({ host, port }: Endpoint): string {
  return `${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

/** The existing components whose status is not ready. */
export function unreadyComponents(components: Components): string[] {
  return componentFields.flatMap((field) => {
    const component = components[field];
    return component && !isReady(component) ? [`${component.kind} ${component.metadata.name}`] : [];
  });
}

/** The seconds until a moment that no event announces. */
export function secondsUntil(moment: Date, now: Date): number {
  const seconds = Math.ceil((moment.getTime() - now.getTime()) / 1000);
  return Math.min(longestWait, Math.max(1, seconds));
}
