import type { ServedConnect, ServedResource, ServedSubresource } from "@rookery/apiserver";
import type { BuiltInKind } from "../kinds/declaration/kind.ts";
import { connectCommand } from "./command/connect-command.ts";
import { connectLog } from "./log/connect-log.ts";
import { connectPortForward } from "./port-forward/connect-port-forward.ts";
import { connectProxy } from "./proxy/connect-proxy.ts";
import { nodeLocation, podLocation, serviceLocation } from "./proxy/proxy-location.ts";
import type { StreamingContext } from "./target/pod-target.ts";

type Subresources = Readonly<Record<string, ServedSubresource>>;

/** Adds the streaming subresources of pods, nodes and services. */
export function connectedSubresources(context: StreamingContext) {
  const byKind: Readonly<Record<string, Subresources>> = {
    Node: {
      proxy: connected("NodeProxyOptions", connectProxy(nodeLocation(context), context.clients)),
    },
    Pod: {
      attach: connected("PodAttachOptions", connectCommand("attach", context)),
      exec: connected("PodExecOptions", connectCommand("exec", context)),
      log: { handlers: {}, connect: connectLog(context) },
      portforward: connected("PodPortForwardOptions", connectPortForward(context)),
      proxy: connected("PodProxyOptions", connectProxy(podLocation(context), context.clients)),
    },
    Service: {
      proxy: connected(
        "ServiceProxyOptions",
        connectProxy(serviceLocation(context), context.clients),
      ),
    },
  };
  return ({ group, kind }: BuiltInKind, resource: ServedResource): ServedResource => {
    const added = group === "" ? byKind[kind] : undefined;
    return added
      ? { ...resource, subresources: byName({ ...resource.subresources, ...added }) }
      : resource;
  };
}

function connected(kind: string, connect: ServedConnect): ServedSubresource {
  return { kind: { group: "", version: "v1", kind }, handlers: {}, connect };
}

/** In the order of discovery. */
function byName(subresources: Subresources): Subresources {
  const sorted = Object.entries(subresources).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(sorted);
}
