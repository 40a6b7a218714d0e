import type { VSphereMachine, VSphereVM } from "@rookery/api";
import { FieldError, fieldPath, type GroupKind } from "@rookery/kube";
import { denyInvalid, type Validator } from "@rookery/runtime";
import { machines, virtualMachines } from "../resources.ts";
import { changedSpec, cloneSpecProblems, isUntouched } from "./clone-spec.ts";

type Machine = VSphereMachine | VSphereVM;

interface Rules<T extends Machine> {
  /** The fields that may change at any time. */
  readonly mutable: readonly string[];
  /** The fields that may be set once. */
  readonly settable?: readonly string[];
  readonly createProblems?: (object: T) => readonly FieldError[];
}

const path = fieldPath("spec");
const powerOff = ["powerOffMode", "guestSoftPowerOffTimeout"];

/** Rejects invalid machines, and changes of fields that a virtual machine has from its clone. */
function machineValidatorOf<T extends Machine>(
  kind: GroupKind,
  { mutable, settable = [], createProblems = () => [] }: Rules<T>,
): Validator<T> {
  return {
    create: (object) =>
      denyInvalid(kind, object, [
        ...cloneSpecProblems(object.spec, path),
        ...createProblems(object),
      ]),
    update: (object, before) => {
      if (isUntouched(object, before)) return;
      const { spec } = object;
      const { spec: old }: { readonly spec: Readonly<Record<string, unknown>> } = before;
      const unset = settable.filter((name) => old[name] === undefined);
      denyInvalid(kind, object, [
        ...cloneSpecProblems(spec, path),
        // Of the network, the devices may change.
        ...changedSpec(spec, old, { path, except: [...mutable, ...unset, "network"] }),
        ...changedSpec(spec.network, before.spec.network, {
          path: path.child("network"),
          except: ["devices"],
        }),
      ]);
    },
  };
}

export const machineValidator = machineValidatorOf<VSphereMachine>(machines, {
  mutable: ["providerID", ...powerOff],
});

export const virtualMachineValidator = machineValidatorOf<VSphereVM>(virtualMachines, {
  mutable: ["bootstrapRef", "thumbprint", ...powerOff],
  settable: ["os", "biosUUID"],
  createProblems: nameProblems,
});

function nameProblems({ metadata: { name = "" }, spec }: VSphereVM): FieldError[] {
  if (spec.os !== "Windows" || name.length <= 15) return [];
  const detail = "a guest with Windows has a name of at most 15 characters";
  return [FieldError.invalid(fieldPath("metadata", "name"), name, detail)];
}
