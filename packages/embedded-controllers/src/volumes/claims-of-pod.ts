import type { PersistentVolumeClaim, Pod } from "@rookery/api";

export interface ClaimOfPod {
  readonly name: string;
  /** Whether it is made for the pod, and goes with it. */
  readonly isEphemeral: boolean;
}

/** The claims that a pod's volumes name. */
export function claimsOfPod({ metadata, spec }: Pod): readonly ClaimOfPod[] {
  return (spec?.volumes ?? []).flatMap(
    ({ name, persistentVolumeClaim, ephemeral }): ClaimOfPod[] => {
      if (persistentVolumeClaim) {
        return [{ name: persistentVolumeClaim.claimName ?? "", isEphemeral: false }];
      }
      return ephemeral ? [{ name: `${metadata?.name}-${name}`, isEphemeral: true }] : [];
    },
  );
}

/** Whether both sides have agreed. */
export function isClaimBound({ metadata, spec }: PersistentVolumeClaim): boolean {
  const isComplete = metadata?.annotations?.["pv.kubernetes.io/bind-completed"] !== undefined;
  return Boolean(spec?.volumeName) && isComplete;
}

/** Whether a claim was made for a pod's own volume. */
export function isMadeFor({ metadata }: PersistentVolumeClaim, pod: Pod): boolean {
  const owners = metadata?.ownerReferences ?? [];
  return owners.some(({ uid, controller }) => controller === true && uid === pod.metadata?.uid);
}
