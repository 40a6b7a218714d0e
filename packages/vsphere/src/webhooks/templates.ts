import type { VSphereClusterTemplate, VSphereMachineTemplate } from "@rookery/api";
import { isTopologyDryRun } from "@rookery/cluster-api";
import {
  FieldError,
  fieldPath,
  type GroupKind,
  invalidError,
  type KubeObject,
} from "@rookery/kube";
import type { Validator } from "@rookery/runtime";
import { clusterTemplates, machineTemplates } from "../resources.ts";
import { changedSpec, cloneSpecProblems } from "./clone-spec.ts";

const path = fieldPath("spec", "template", "spec");

/** A template stays what machines were made from; Cluster API takes another one for a change. */
export const machineTemplateValidator: Validator<VSphereMachineTemplate> = {
  create: (template) => {
    const { spec } = template.spec.template;
    refuse(machineTemplates, template, [
      ...cloneSpecProblems(spec, path),
      ...(spec.providerID === undefined ? [] : [forMany("providerID")]),
      ...(spec.network.devices.some(({ ipAddrs = [] }) => ipAddrs.length > 0)
        ? [forMany("network", "devices", "ipAddrs")]
        : []),
    ]);
  },
  update: (template, old, context) => {
    if (isTopologyDryRun(context)) return;
    const options = { path, except: [] };
    const { spec } = template.spec.template;
    refuse(machineTemplates, template, changedSpec(spec, old.spec.template.spec, options));
  },
};

export const clusterTemplateValidator: Validator<VSphereClusterTemplate> = {
  update: (template, old, context) => {
    if (isTopologyDryRun(context)) return;
    const options = { path, except: [] };
    const { spec } = template.spec.template;
    refuse(clusterTemplates, template, changedSpec(spec, old.spec.template.spec, options));
  },
};

function forMany(...names: readonly string[]): FieldError {
  return FieldError.forbidden(
    path.child(...names),
    "it is of one machine, and a template is of many",
  );
}

function refuse(kind: GroupKind, { metadata }: KubeObject, problems: readonly FieldError[]): void {
  if (problems.length > 0) throw invalidError(kind, metadata.name ?? "", problems);
}
