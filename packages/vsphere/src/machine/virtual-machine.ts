import type { VSphereMachine, VSphereVM } from "@rookery/api";
import { clusterNameLabel, controlPlaneLabel, infrastructureGroup } from "@rookery/cluster-api";
import { controllerReferenceTo, type ObjectMeta } from "@rookery/kube";

/** The Machine that a virtual machine is made for. */
export interface Purpose {
  readonly clusterName: string;
  /** The name of the Machine. */
  readonly name: string;
  readonly labels?: ObjectMeta["labels"];
  /** The Secret with the bootstrap data. */
  readonly dataSecretName: string;
}

/** The longest name that a guest with Windows can have. */
const windowsNameLength = 15;

/**
 * The name of the VSphereVM, hence of the virtual machine and of its guest: that of the Machine.
 * Windows takes short ones alone: the beginning and the end are kept.
 */
export function virtualMachineName({ spec }: VSphereMachine, machineName: string): string {
  if (spec.os !== "Windows" || machineName.length <= windowsNameLength) return machineName;
  return `${machineName.slice(0, 9).replace(/-$/, "")}-${machineName.slice(-5)}`;
}

/** The VSphereVM of a machine. Server and thumbprint that it does not name are those of its cluster. */
export function virtualMachineFor(machine: VSphereMachine, purpose: Purpose): VSphereVM {
  const { namespace } = machine.metadata;
  const { providerID: _, failureDomain: __, ...spec } = machine.spec;
  const isControlPlane = purpose.labels?.[controlPlaneLabel];
  return {
    apiVersion: "infrastructure.cluster.x-k8s.io/v1beta1",
    kind: "VSphereVM",
    metadata: {
      ...(namespace && { namespace }),
      name: virtualMachineName(machine, purpose.name),
      labels: {
        [clusterNameLabel]: purpose.clusterName,
        ...(isControlPlane !== undefined && { [controlPlaneLabel]: isControlPlane }),
      },
      ownerReferences: [controllerReferenceTo(machine)],
    },
    spec: {
      ...spec,
      bootstrapRef: { apiVersion: "v1", kind: "Secret", name: purpose.dataSecretName },
    },
  };
}

/** The VSphereVM with the fields of another that may change while the virtual machine exists. */
export function withMutableFields(vm: VSphereVM, { spec }: VSphereVM): VSphereVM {
  const { powerOffMode: _, guestSoftPowerOffTimeout: __, thumbprint: ___, ...kept } = vm.spec;
  const { powerOffMode, guestSoftPowerOffTimeout, thumbprint, bootstrapRef } = spec;
  return {
    ...vm,
    spec: {
      ...kept,
      ...(powerOffMode && { powerOffMode }),
      ...(guestSoftPowerOffTimeout && { guestSoftPowerOffTimeout }),
      ...(thumbprint && { thumbprint }),
      ...(bootstrapRef && { bootstrapRef }),
    },
  };
}

/** The VSphereMachine that an object belongs to, if it is another one. */
export function otherMachine(vm: VSphereVM, machine: VSphereMachine): string | undefined {
  const owners = vm.metadata.ownerReferences ?? [];
  return owners.find(
    ({ apiVersion, kind, name }) =>
      kind === "VSphereMachine" &&
      apiVersion.startsWith(`${infrastructureGroup}/`) &&
      name !== machine.metadata.name,
  )?.name;
}
