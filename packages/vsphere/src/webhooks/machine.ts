import type { VSphereMachine } from "@rookery/api";
import { type FieldError, fieldPath, invalidError } from "@rookery/kube";
import type { Validator } from "@rookery/runtime";
import { machines } from "../resources.ts";
import { changedSpec, cloneSpecProblems, isUntouched } from "./clone-spec.ts";

/** The fields that may change: the provider ID, the power-off mode, and the devices of the network. */
const mutable = ["providerID", "powerOffMode", "guestSoftPowerOffTimeout", "network"];
const path = fieldPath("spec");

export const machineValidator: Validator<VSphereMachine> = {
  create: (machine) => refuse(machine, cloneSpecProblems(machine.spec, path)),
  update: (machine, oldMachine) => {
    if (isUntouched(machine, oldMachine)) return;
    const { spec } = machine;
    const { spec: old } = oldMachine;
    refuse(machine, [
      ...cloneSpecProblems(spec, path),
      ...changedSpec(spec, old, { path, except: mutable }),
      ...changedSpec(spec.network, old.network, {
        path: path.child("network"),
        except: ["devices"],
      }),
    ]);
  },
};

function refuse({ metadata }: VSphereMachine, problems: readonly FieldError[]): void {
  if (problems.length > 0) throw invalidError(machines, metadata.name ?? "", problems);
}
