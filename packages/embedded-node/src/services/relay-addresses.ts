import type { Service } from "@rookery/api";

/** Where the relay listens for a port of a Service. */
export interface RelayAddress {
  readonly host: string;
  readonly port: number;
  readonly protocol: "TCP" | "UDP";
  /** Of the Service's port, by which its endpoints know theirs. */
  readonly portName: string;
}

/** Node ports are for those on this machine, as everything here. */
const nodeHost = "127.0.0.1";

/** The addresses of a Service that this machine can listen at. */
export function listenersOf({ spec = {} }: Service): readonly RelayAddress[] {
  if (spec.type === "ExternalName") return [];
  const hosts = (spec.clusterIPs ?? []).filter((ip) => ip.startsWith("127."));
  return (spec.ports ?? []).flatMap(({ name = "", port = 0, nodePort = 0, protocol = "TCP" }) => {
    if (protocol !== "TCP" && protocol !== "UDP") return [];
    const at = (host: string, number: number) =>
      ({ host, port: number, protocol, portName: name }) as const;
    return [
      ...hosts.map((host) => at(host, port)),
      ...(nodePort > 0 && hosts.length > 0 ? [at(nodeHost, nodePort)] : []),
    ];
  });
}
