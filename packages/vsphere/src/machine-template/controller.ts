import type { VSphereMachineTemplate } from "@rookery/api";
import {
  type Controller,
  type ControllerParts,
  controllerFor,
  createLifecycle,
  type LifecycleScope,
} from "@rookery/runtime";
import { machineTemplates } from "../resources.ts";
import { templateStatus } from "./capacity.ts";

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
