import type { EndpointAddress, Endpoints, Pod, Service } from "@rookery/api";
import { type KubeObject, notFoundError, quote, serviceUnavailableError } from "@rookery/kube";
import type { Store } from "../../store/store.ts";
import type { StreamingContext } from "../target/streaming-context.ts";
import { type Locate, locationOf, parseProxyName } from "./proxy-location.ts";

/** Of the pods behind a Service, any. */
export function serviceLocation({ store }: Pick<StreamingContext, "store">): Locate {
  return ({ namespace, name: named }) => {
    const { scheme, name, port } = parseProxyName(named, "service");
    const portName = /^[+-]?\d+$/.test(port) ? nameOfPort(store, { namespace, name }, port) : port;
    const endpoints = objectOf<Endpoints>(store, "endpoints", { namespace, name });
    const { subsets = [] } = endpoints;
    const found = subsets.flatMap(({ addresses = [], ports = [] }) => {
      const number = ports.find((each) => (each.name ?? "") === portName)?.port;
      const pods = addresses.filter((each) => isOfPod(store, each, namespace));
      return number === undefined ? [] : pods.map(({ ip = "" }) => ({ ip, port: number }));
    });
    const any = found[Math.floor(Math.random() * found.length)];
    const missing = quote(subsets.length === 0 ? name : named);
    if (!any) throw serviceUnavailableError(`no endpoints available for service ${missing}`);
    return locationOf(scheme, any.ip, String(any.port));
  };
}

interface Named {
  readonly namespace: string;
  readonly name: string;
}

function objectOf<T>(store: Store, resource: string, at: Named): KubeObject & T {
  const found = store.get({ resource, ...at })?.object;
  // Kubernetes names the resource that the request is about, whatever is not there.
  if (!found) throw notFoundError({ group: "", resource: "services" }, at.name);
  return found as KubeObject & T;
}

function nameOfPort(store: Store, at: Named, port: string): string {
  const { spec } = objectOf<Service>(store, "services", at);
  const found = spec?.ports?.find((each) => each.port === Number(port));
  if (found) return found.name ?? "";
  const missing = `no service port ${Number(port)} found for service ${quote(at.name)}`;
  throw serviceUnavailableError(missing);
}

/** Requests go to nothing but pods, whatever an Endpoints object says. */
function isOfPod(store: Store, { ip, targetRef }: EndpointAddress, namespace: string): boolean {
  if (!targetRef || (targetRef.namespace ?? "") !== namespace) return false;
  const name = targetRef.name ?? "";
  const pod = store.get({ resource: "pods", namespace, name })?.object as
    | (KubeObject & Pod)
    | undefined;
  return pod?.status?.podIPs?.some((each) => each.ip === ip) ?? false;
}
