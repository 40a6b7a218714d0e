import type { NestedAPIServer } from "@rookery/api";
import { type ConditionStatement, isFalse, isTrue } from "@rookery/kube";
import type { Service } from "../manifests/kinds.ts";

export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

const type = "EndpointAvailable";
export const endpointAvailable: ConditionStatement = { type, ...isTrue("Available") };

/** The endpoint of an API server by its Service, or the condition that says what is missing. */
export function endpointOf(
  { host, ...wanted }: NestedAPIServer["spec"]["service"],
  service: Service,
): Endpoint | ConditionStatement {
  switch (wanted.type) {
    case "ClusterIP":
      return at(host || service.spec?.clusterIP, wanted.port);
    case "LoadBalancer":
      return at(host || ingressOf(service), wanted.port);
    case "NodePort":
      if (!host) return hostMissing;
      return at(host, service.spec?.ports?.find(({ port }) => port === wanted.port)?.nodePort);
  }
}

function at(host: string | undefined, port: number | undefined): Endpoint | ConditionStatement {
  return host && host !== "None" && port ? { host, port } : waitingForAddress;
}

function ingressOf({ status }: Service): string | undefined {
  const [first] = status?.loadBalancer?.ingress ?? [];
  return first?.ip || first?.hostname;
}

const waitingForAddress: ConditionStatement = {
  type,
  ...isFalse("WaitingForAddress", "the Service has no address yet"),
};

const hostMissing: ConditionStatement = {
  type,
  ...isFalse(
    "HostMissing",
    "a Service of type NodePort is reached by the nodes; set spec.service.host to the name or address of one, or of a load balancer, " +
      "which --allowed-hosts of the manager has to allow",
  ),
};
