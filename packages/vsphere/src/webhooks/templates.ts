import type { VSphereClusterTemplate, VSphereMachineTemplate } from "@rookery/api";
import { isTopologyDryRun } from "@rookery/cluster-api";
import { FieldError, fieldPath, type GroupKind } from "@rookery/kube";
import { denyInvalid, type Validator } from "@rookery/runtime";
import { clusterTemplates, machineTemplates } from "../resources.ts";
import { changedSpec, cloneSpecProblems } from "./clone-spec.ts";

type Template = VSphereClusterTemplate | VSphereMachineTemplate;

const path = fieldPath("spec", "template", "spec");

/** A template is immutable: machines were made from it. Cluster API makes another one for a change. */
function immutable<T extends Template>(kind: GroupKind): NonNullable<Validator<T>["update"]> {
  return (template, old, context) => {
    if (isTopologyDryRun(context)) return;
    const { spec } = template.spec.template;
    const problems = changedSpec(spec, old.spec.template.spec, { path, except: [] });
    denyInvalid(kind, template, problems);
  };
}

export const machineTemplateValidator: Validator<VSphereMachineTemplate> = {
  create: (template) => {
    const { spec } = template.spec.template;
    const hasAddress = spec.network.devices.some(({ ipAddrs = [] }) => ipAddrs.length > 0);
    denyInvalid(machineTemplates, template, [
      ...cloneSpecProblems(spec, path),
      ...(spec.providerID === undefined ? [] : [ofOneMachine("providerID")]),
      ...(hasAddress ? [ofOneMachine("network", "devices", "ipAddrs")] : []),
    ]);
  },
  update: immutable(machineTemplates),
};

export const clusterTemplateValidator: Validator<VSphereClusterTemplate> = {
  update: immutable(clusterTemplates),
};

function ofOneMachine(...names: readonly string[]): FieldError {
  const why = "it is of one machine, and a template is of many";
  return FieldError.forbidden(path.child(...names), why);
}
