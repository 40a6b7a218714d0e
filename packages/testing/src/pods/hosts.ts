import type { Pod, Service } from "./pod.ts";
import { isReadyPod } from "./pod-status.ts";

/** What a Service is reached at: its own address, or those of its pods where it is headless. */
export interface HostsInput {
  readonly services: readonly Service[];
  readonly pods: readonly Pod[];
  /** The address of a Service that has one. */
  addressOf(service: Service): string | undefined;
}

/** The /etc/hosts of a pod in a namespace: Services and their pods by all the names that DNS would have. */
export function hostsFile(namespace: string, input: HostsInput): string {
  const lines = ["127.0.0.1 localhost"];
  for (const service of input.services) {
    for (const { address, name } of namesOf(service, input)) {
      lines.push(`${address} ${variants(name, service.metadata.namespace, namespace).join(" ")}`);
    }
  }
  return `${lines.join("\n")}\n`;
}

/** The pods behind a Service: ready ones that are not ending, unless it publishes the others, too. */
export function podsBehind(service: Service, pods: readonly Pod[]): Pod[] {
  const { selector = {}, publishNotReadyAddresses } = service.spec;
  const wanted = Object.entries(selector);
  return pods.filter(
    (pod) =>
      wanted.length > 0 &&
      pod.metadata.namespace === service.metadata.namespace &&
      pod.status?.podIP !== undefined &&
      wanted.every(([key, value]) => pod.metadata.labels?.[key] === value) &&
      (publishNotReadyAddresses || (isReadyPod(pod) && !pod.metadata.deletionTimestamp)),
  );
}

function namesOf(service: Service, input: HostsInput): { address: string; name: string }[] {
  const { name } = service.metadata;
  const own = input.addressOf(service);
  if (own) return [{ address: own, name }];
  return podsBehind(service, input.pods).flatMap((pod) => {
    const address = pod.status?.podIP ?? "";
    const host = pod.spec.subdomain === name ? pod.spec.hostname : undefined;
    return [{ address, name }, ...(host ? [{ address, name: `${host}.${name}` }] : [])];
  });
}

function variants(name: string, namespace: string, from: string): string[] {
  const long = `${name}.${namespace}`;
  const short = namespace === from ? [name] : [];
  return [`${long}.svc`, `${long}.svc.cluster.local`, long, ...short];
}
