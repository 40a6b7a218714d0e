import type { Machine } from "@rookery/api";
import { fieldOf, isDone, textField } from "@rookery/cluster-api";
import { isBeingDeleted } from "@rookery/runtime";
import type { Lookup } from "../contract/externals.ts";
import { ContractError } from "../errors.ts";
import { isControlPlaneMachine } from "./policies.ts";
import type { MachineParts } from "./scope.ts";

type Spec = Machine["spec"];
type Status = NonNullable<Machine["status"]>;

/** The fields of a Machine that come from its parts. */
export interface TakenOver {
  readonly spec: Spec;
  readonly status: Status;
  /** A part breaks its contract; no condition shows this. */
  readonly problem?: ContractError;
}

/** The Machine's fields with the values that its parts report. */
export function takeOver(
  { spec, status = {} }: Machine,
  { bootstrap, infrastructure }: MachineParts,
): TakenOver {
  const { problem, ...taken } = fromBootstrap({ spec, status }, bootstrap);
  return { ...fromInfrastructure(taken, infrastructure), ...(problem && { problem }) };
}

/** The name of the Secret with the bootstrap data. */
function fromBootstrap({ spec, status }: TakenOver, lookup: Lookup): TakenOver {
  if (lookup.outcome !== "found") return { spec, status };
  const initialization = { ...status.initialization, bootstrapDataSecretCreated: true };
  const created = { ...status, initialization };
  if (spec.bootstrap.dataSecretName !== undefined) return { spec, status: created };
  if (isBeingDeleted(lookup.object) || !isDone("bootstrap", lookup)) return { spec, status };
  const dataSecretName = textField(lookup.object, ["status", "dataSecretName"]);
  if (!dataSecretName) {
    const why = `${lookup.object.metadata.name} says that its Secret is there, and not which: it has no status.dataSecretName`;
    return { spec, status, problem: new ContractError(lookup.object.kind, why) };
  }
  return { spec: { ...spec, bootstrap: { ...spec.bootstrap, dataSecretName } }, status: created };
}

/** Provider ID, addresses and failure domain, once the infrastructure is provisioned. */
function fromInfrastructure({ spec, status }: TakenOver, lookup: Lookup): TakenOver {
  if (lookup.outcome !== "found" || isBeingDeleted(lookup.object)) return { spec, status };
  const { object } = lookup;
  const wasUp = status.initialization?.infrastructureProvisioned ?? false;
  const providerID = textField(object, ["spec", "providerID"]);
  if ((!wasUp && !isDone("infrastructure", lookup)) || !providerID) return { spec, status };
  const wanted = textField(object, ["spec", "failureDomain"]);
  const actual = textField(object, ["status", "failureDomain"]);
  const addresses = fieldOf(object, ["status", "addresses"]);
  return {
    spec: { ...spec, providerID, ...(wanted && { failureDomain: wanted }) },
    status: {
      ...status,
      initialization: { ...status.initialization, infrastructureProvisioned: true },
      ...(Array.isArray(addresses) && { addresses: addresses as Status["addresses"] & object }),
      ...(actual && { failureDomain: actual }),
    },
  };
}

const expiryAnnotation = "machine.cluster.x-k8s.io/certificates-expiry";

/** The Machine with the expiry of its control plane certificates, which annotations report. */
export function withExpiry(machine: Machine, bootstrap: Lookup): Machine {
  if (!isControlPlaneMachine(machine)) return machine;
  const { certificatesExpiryDate: _, ...status } = machine.status ?? {};
  const reported = bootstrap.outcome === "found" ? bootstrap.object.metadata.annotations : {};
  const expiry = machine.metadata.annotations?.[expiryAnnotation] ?? reported?.[expiryAnnotation];
  if (!expiry) return { ...machine, status };
  return { ...machine, status: { ...status, certificatesExpiryDate: expiry } };
}
