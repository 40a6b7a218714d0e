import type { Node } from "@rookery/api";
import { badRequestError, type KubeObject, notFoundError } from "@rookery/kube";
import { unreachable } from "../target/pod-target.ts";
import type { StreamingContext } from "../target/streaming-context.ts";
import { type Locate, locationOf, parseProxyName } from "./proxy-location.ts";
import { isGlobalAddress } from "./proxyable-address.ts";

const kubeletPort = 10_250;

/** The kubelet, unless another port is named. */
export function nodeLocation({ store }: Pick<StreamingContext, "store">): Locate {
  return ({ name: named }) => {
    const { scheme, name, port } = parseProxyName(named, "node");
    const node = store.get({ resource: "nodes", namespace: "", name })?.object;
    if (!node) throw notFoundError({ group: "", resource: "nodes" }, name);
    const { status } = node as KubeObject & Node;
    const host = addressOf(status?.addresses ?? []);
    if (!isGlobalAddress(host)) throw badRequestError("address not allowed");
    const own = String(status?.daemonEndpoints?.kubeletEndpoint?.Port || kubeletPort);
    const isKubelet = port === "" || port === own;
    return locationOf(isKubelet ? "https" : scheme, host, isKubelet ? own : port);
  };
}

/** In the order in which kube-apiserver prefers them, as far as they are addresses. */
const addressTypes = ["InternalIP", "ExternalIP"];

function addressOf(addresses: readonly { type?: string; address?: string }[]): string {
  const found = addressTypes.map((type) => addresses.find((each) => each.type === type)?.address);
  const address = found.find((each) => each !== undefined);
  if (address === undefined) throw unreachable("no preferred addresses found");
  return address;
}
