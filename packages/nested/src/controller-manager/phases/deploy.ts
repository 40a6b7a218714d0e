import type { NestedControllerManager } from "@rookery/api";
import type { Home } from "../../component/home.ts";
import { imageOf } from "../../component/images.ts";
import { type Report, withAuthorities } from "../../component/report.ts";
import { revisionOf } from "../../component/revision.ts";
import { rollOutDeployment } from "../../component/roll-out-deployment.ts";
import type { ComponentScope } from "../../component/scope.ts";
import { secretInputs } from "../../component/secret-inputs.ts";
import { controllerManagerManifests } from "../manifests.ts";
import { controllerManagerGate } from "../policies.ts";
import { controllerManagerSecrets } from "../secrets.ts";

/** Rolls out the Deployment of a controller manager. */
export async function deploy(
  controllerManager: NestedControllerManager,
  home: Home,
  scope: ComponentScope<NestedControllerManager>,
): Promise<Report> {
  const { spec } = controllerManager;
  const siblings = await scope.getSiblings(home);
  const needs = controllerManagerSecrets(home.cluster);
  const secrets = await secretInputs(controllerManager, needs, scope);
  const { inputs, authorities, companions } = secrets;
  // Of a foreign API server its control plane knows it.
  const serviceCidr =
    siblings.apiServer?.spec.serviceCidr ?? home.controlPlane.status?.apiserver?.serviceCidr;
  const report = await rollOutDeployment(
    controllerManager,
    {
      ...home,
      component: "controller-manager",
      desired: revisionOf("controller-manager", spec),
      gate: ({ version }, from) => controllerManagerGate(version, from, { ...siblings, home }),
      render: (revision) => {
        const { imageRepository } = scope;
        const image =
          revision.image ?? imageOf("controller-manager", revision.version, imageRepository);
        const common = { revision, image, replicas: spec.replicas };
        return controllerManagerManifests({ ...home, ...common, serviceCidr, inputs, companions });
      },
    },
    scope,
  );
  return withAuthorities(report, authorities);
}
