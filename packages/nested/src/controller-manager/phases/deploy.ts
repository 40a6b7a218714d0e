import type { NestedControllerManager } from "@rookery/api";
import { imageOf } from "../../component/images.ts";
import type { Parent } from "../../component/parent.ts";
import { type Report, withAuthorities } from "../../component/report.ts";
import { revisionOf } from "../../component/revision.ts";
import { rollOutDeployment } from "../../component/roll-out-deployment.ts";
import type { ComponentScope } from "../../component/scope.ts";
import { secretInputs } from "../../component/secret-inputs.ts";
import { controllerManagerManifests } from "../manifests.ts";
import { controllerManagerGate } from "../policies.ts";
import { controllerManagerSecrets } from "../secrets.ts";

export async function deploy(
  controllerManager: NestedControllerManager,
  parent: Parent,
  scope: ComponentScope<NestedControllerManager>,
): Promise<Report> {
  const component = "controller-manager";
  const siblings = await scope.getSiblings(parent);
  const needs = controllerManagerSecrets(parent.cluster);
  const secrets = await secretInputs(controllerManager, needs, scope);
  // The status of the control plane has the range of a foreign API server.
  const serviceCidr =
    siblings.apiServer?.spec.serviceCidr ?? parent.controlPlane.status?.apiserver?.serviceCidr;
  const report = await rollOutDeployment(
    controllerManager,
    {
      ...parent,
      component,
      desired: revisionOf(component, controllerManager.spec),
      secrets,
      gate: ({ version }, from) => controllerManagerGate(version, from, { ...siblings, parent }),
      imageOf: (version) => imageOf(component, version, scope.imageRepository),
      render: (options) => controllerManagerManifests({ ...options, serviceCidr }),
    },
    scope,
  );
  return withAuthorities(report, secrets.authorities);
}
