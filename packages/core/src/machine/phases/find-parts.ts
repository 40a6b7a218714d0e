import type { Cluster, Machine } from "@rookery/api";
import { isBeingDeleted } from "@rookery/runtime";
import { findPart, type PartOwner } from "../../contract/find-part.ts";
import { PartLostError } from "../../errors.ts";
import { withMachine } from "../policies.ts";
import type { MachineParts, MachineScope } from "../scope.ts";

export interface FoundParts extends MachineParts {
  /** Errors to retry; the conditions of the parts show them. */
  readonly problems: readonly unknown[];
}

/** Finds bootstrap config and infrastructure, and makes the Machine their controller. Never rejects. */
export async function findParts(
  machine: Machine,
  cluster: Cluster,
  { externals }: Pick<MachineScope, "externals">,
): Promise<FoundParts> {
  const { metadata, spec, status } = machine;
  const owner: PartOwner = {
    namespace: metadata.namespace,
    clusterName: spec.clusterName,
    withOwner: (part) => withMachine(part, machine, cluster),
  };
  const bootstrap = await findPart(spec.bootstrap.configRef, owner, externals);
  const infrastructure = await findPart(spec.infrastructureRef, owner, externals);
  const failed = [bootstrap, infrastructure].flatMap((lookup) =>
    lookup.outcome === "failed" ? [lookup.error] : [],
  );
  const wasUp = status?.initialization?.infrastructureProvisioned;
  const isLost = infrastructure.outcome === "missing" && wasUp && !isBeingDeleted(machine);
  const { kind, name } = spec.infrastructureRef;
  const lost = isLost ? [new PartLostError(kind, name, "provisioned")] : [];
  return { bootstrap, infrastructure, problems: [...failed, ...lost] };
}
