import { isIPv6 } from "node:net";
import type { NestedControlPlane } from "@rookery/api";
import { type Components, componentFields, isReady } from "./component.ts";

/** The longest that a control plane is left alone, in seconds. */
const longestWait = 12 * 60 * 60;

/** Where clients reach the API server; undefined while that is not known. */
export function serverOf(controlPlane: NestedControlPlane): string | undefined {
  const endpoint = endpointOf(controlPlane);
  return endpoint && `https://${endpoint}`;
}

/** Host and port, as kubeadm writes them. */
export function endpointOf({ spec }: NestedControlPlane): string | undefined {
  const { host = "", port = 0 } = spec.controlPlaneEndpoint ?? {};
  if (host === "" || port === 0) return undefined;
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
