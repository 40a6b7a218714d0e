import type { KubeObject } from "../object/object.ts";

/** A Namespace that enforces the pod security standard "restricted". */
export function restrictedNamespace(
  name: string,
  labels: Readonly<Record<string, string>>,
): KubeObject {
  const standard = Object.fromEntries(
    ["enforce", "audit", "warn"].map((mode) => [
      `pod-security.kubernetes.io/${mode}`,
      "restricted",
    ]),
  );
  return {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name, labels: { ...labels, ...standard } },
  };
}

/** The securityContext of a pod of that standard. */
export const restrictedPod = {
  runAsNonRoot: true,
  runAsUser: 65_532,
  runAsGroup: 65_532,
  seccompProfile: { type: "RuntimeDefault" },
} as const;

/** The securityContext of its containers, which write to volumes only. */
export const restrictedContainer = {
  allowPrivilegeEscalation: false,
  readOnlyRootFilesystem: true,
  capabilities: { drop: ["ALL"] },
} as const;
