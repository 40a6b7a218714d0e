import { badRequestError } from "@rookery/kube";
import { podOf } from "../target/pod-target.ts";
import type { StreamingContext } from "../target/streaming-context.ts";
import { type Locate, locationOf, parseProxyName } from "./proxy-location.ts";
import { isPodAddress } from "./proxyable-address.ts";

/** The port that is named, or the first one that any of its containers declares. */
export function podLocation({ store, podStreams }: StreamingContext): Locate {
  return ({ namespace, name: named }) => {
    const { scheme, name, port } = parseProxyName(named, "pod");
    const { spec, status } = podOf(store, { namespace, name });
    const declared = spec?.containers?.find(({ ports = [] }) => ports.length > 0)?.ports?.[0];
    const address = status?.podIPs?.[0]?.ip ?? "";
    if (!isPodAddress(address, podStreams() !== undefined)) {
      throw badRequestError("address not allowed");
    }
    return locationOf(scheme, address, port || String(declared?.containerPort ?? ""));
  };
}
