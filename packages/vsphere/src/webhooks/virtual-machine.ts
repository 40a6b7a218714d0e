import type { VSphereVM } from "@rookery/api";
import { FieldError, fieldPath, invalidError } from "@rookery/kube";
import type { Validator } from "@rookery/runtime";
import { virtualMachines } from "../resources.ts";
import { changedSpec, cloneSpecProblems, isUntouched } from "./clone-spec.ts";

const path = fieldPath("spec");
const mutable = [
  "bootstrapRef",
  "thumbprint",
  "powerOffMode",
  "guestSoftPowerOffTimeout",
  "network",
];
/** Set once. */
const settable = ["os", "biosUUID"] as const;

export const virtualMachineValidator: Validator<VSphereVM> = {
  create: (vm) => refuse(vm, [...cloneSpecProblems(vm.spec, path), ...nameProblems(vm)]),
  update: (vm, oldVm) => {
    if (isUntouched(vm, oldVm)) return;
    const { spec } = vm;
    const { spec: old } = oldVm;
    const except = [...mutable, ...settable.filter((name) => old[name] === undefined)];
    refuse(vm, [
      ...cloneSpecProblems(spec, path),
      ...changedSpec(spec, old, { path, except }),
      ...changedSpec(spec.network, old.network, {
        path: path.child("network"),
        except: ["devices"],
      }),
    ]);
  },
};

function nameProblems({ metadata: { name = "" }, spec }: VSphereVM): FieldError[] {
  if (spec.os !== "Windows" || name.length <= 15) return [];
  const detail = "a guest with Windows has a name of at most 15 characters";
  return [FieldError.invalid(fieldPath("metadata", "name"), name, detail)];
}

function refuse({ metadata }: VSphereVM, problems: readonly FieldError[]): void {
  if (problems.length > 0) throw invalidError(virtualMachines, metadata.name ?? "", problems);
}
