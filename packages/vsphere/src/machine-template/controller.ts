import type { VSphereMachineTemplate } from "@rookery/api";
import {
  type Controller,
  type ControllerParts,
  controllerFor,
  createLifecycle,
  type LifecycleScope,
} from "@rookery/runtime";
import { machineTemplates } from "../resources.ts";
import { defaultSize } from "../vm/devices.ts";

type Scope = LifecycleScope<VSphereMachineTemplate>;

/** Writes the status from which an autoscaler knows the machines of a template before the first one exists. */
const machineTemplateLifecycle = createLifecycle<VSphereMachineTemplate, Scope>({
  provision: async (template) => ({ object: { ...template, status: templateStatus(template) } }),
});

export function createMachineTemplateController(parts: ControllerParts): Controller {
  return controllerFor<VSphereMachineTemplate>(machineTemplates, parts).reconcile(
    machineTemplateLifecycle,
  );
}

type Status = NonNullable<VSphereMachineTemplate["status"]>;

/** The capacity of a template's machines, which an autoscaler reads before the first machine exists. */
export function templateStatus({ spec }: VSphereMachineTemplate): Status {
  const { numCPUs, memoryMiB, os = "Linux" } = spec.template.spec;
  return {
    capacity: {
      cpu: String(numCPUs ?? defaultSize.numCPUs),
      memory: `${memoryMiB ?? defaultSize.memoryMiB}Mi`,
    },
    nodeInfo: { operatingSystem: os.toLowerCase() },
  };
}
