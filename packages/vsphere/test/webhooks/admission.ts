import type { VSphereMachine } from "@rookery/api";
import type { KubeObject } from "@rookery/kube";
import { type AdmissionContext, silentLogger } from "@rookery/runtime";
import type { ServerRules } from "../../src/credentials/server-rules.ts";

export const apiVersion = "infrastructure.cluster.x-k8s.io/v1beta1";

/** An installation that lists one server. */
export const servers: ServerRules = {
  listed: async () => ["vc"],
  isAnyServerAllowed: false,
  tenantNetworks: [],
  refusedAddresses: [],
};

/** A request that is judged, and what was said of it. */
export interface Asked extends AdmissionContext {
  readonly warnings: string[];
}

export function asked(object?: KubeObject, dryRun = false): Asked {
  const warnings: string[] = [];
  const kind = { group: "", version: "", kind: "" };
  const resource = { group: "", version: "", resource: "" };
  const userInfo = {};
  return {
    request: {
      uid: "u",
      kind,
      resource,
      userInfo,
      operation: "UPDATE",
      namespace: "team",
      dryRun,
      ...(object && { object }),
    },
    signal: new AbortController().signal,
    logger: silentLogger,
    warn: (text) => warnings.push(text),
    warnings,
  };
}

export type CloneSpec = VSphereMachine["spec"];

export const cloneSpec = (changes: Partial<CloneSpec> = {}): CloneSpec => ({
  template: "ubuntu",
  network: { devices: [{ networkName: "n", dhcp4: true }] },
  ...changes,
});

/** A network with fixed addresses. */
export const devices = (ipAddrs: string[]) => ({ devices: [{ networkName: "n", ipAddrs }] });
