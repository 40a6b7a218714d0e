import { isIPv6 } from "node:net";
import type { NestedControlPlane } from "@rookery/api";
import { controllerOf } from "@rookery/kube";
import { isAllowedHost } from "../policy/hosts.ts";
import {
  type ComponentObject,
  type Components,
  componentFields,
  isOwnKind,
  isReady,
} from "./component.ts";
import { type Finding, not } from "./findings.ts";

/** The longest that a control plane is left alone, in seconds. */
const longestWait = 12 * 60 * 60;

/** Where clients reach an API server. */
export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

export interface EndpointOptions {
  readonly controlPlane: NestedControlPlane;
  readonly apiServer: ComponentObject | undefined;
  /** What names and addresses may be that somebody writes into a spec. */
  readonly allowedHosts: readonly string[];
}

/**
 * Where the API server is reached, by the word of who knows: the status of a component of ours. The
 * spec of the control plane is anybody's who may write it, and the manager connects there: for a
 * component of a foreign kind it counts where the administrator allows the host.
 */
export function endpointOf(options: EndpointOptions): Endpoint | Finding {
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
  return not("NotAllowed", why);
}

/** What an endpoint that is not allowed would be: a kubeconfig that names it already goes on being renewed. */
export function closedServerOf(options: EndpointOptions): string | undefined {
  const endpoint = endpointOf(options);
  const { host, port } = options.controlPlane.spec.controlPlaneEndpoint ?? {};
  const isClosed = "status" in endpoint && endpoint.reason === "NotAllowed";
  return isClosed && host && port ? `https://${addressOf({ host, port })}` : undefined;
}

function waitingFor(apiServer: ComponentObject | undefined): Finding {
  const who = apiServer ? `${apiServer.kind} ${apiServer.metadata.name}` : "the API server";
  return not("WaitingForEndpoint", `${who} has not said yet where it is reached`);
}

/** Host and port, as kubeadm writes them. */
export function addressOf({ host, port }: Endpoint): string {
  return `${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

/** The components that are there and say that they are not ready. */
export function unreadyComponents(components: Components): string[] {
  return componentFields.flatMap((field) => {
    const component = components[field];
    return component && !isReady(component) ? [`${component.kind} ${component.metadata.name}`] : [];
  });
}

/** In how many seconds something is to be done that no event tells of. */
export function secondsUntil(moment: Date, now: Date): number {
  const seconds = Math.ceil((moment.getTime() - now.getTime()) / 1000);
  return Math.min(longestWait, Math.max(1, seconds));
}
