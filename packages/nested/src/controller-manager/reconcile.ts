import type { NestedControllerManager } from "@rookery/api";
import type { ControlPlaneOf } from "../component/home.ts";
import { imageOf } from "../component/images.ts";
import { notApplicableBeside } from "../component/not-applicable.ts";
import { type Report, withAuthorities } from "../component/report.ts";
import { revisionOf } from "../component/revision.ts";
import { advanceDeployment, findDeployment } from "../component/roll-out-deployment.ts";
import { secretInputs } from "../component/secret-inputs.ts";
import { blockedReport, deploymentReadiness, replicasOf } from "../component/serving.ts";
import { refuseClosedFields } from "../policy/closed-fields.ts";
import type { ControllerManagerDependencies } from "./dependencies.ts";
import { controllerManagerManifests } from "./manifests.ts";
import { controllerManagerGate } from "./policies.ts";
import { controllerManagerSecrets } from "./secrets.ts";

/** Brings a controller manager one step closer to what its spec says. */
export async function provisionControllerManager(
  controllerManager: NestedControllerManager,
  home: ControlPlaneOf,
  dependencies: ControllerManagerDependencies,
): Promise<Report> {
  const { apiServer } = await dependencies.getSiblings(home);
  const without = apiServer && notApplicableBeside(apiServer, controllerManager);
  if (without) return without;
  try {
    refuseClosedFields(controllerManager, dependencies.allowances);
    return await advance(controllerManager, home, dependencies);
  } catch (error) {
    const live = await findDeployment("controller-manager", home, dependencies);
    const report = blockedReport(error, live && deploymentReadiness(live));
    return { ...report, ...(live && { status: replicasOf(live) }) };
  }
}

async function advance(
  controllerManager: NestedControllerManager,
  home: ControlPlaneOf,
  dependencies: ControllerManagerDependencies,
): Promise<Report> {
  const { spec } = controllerManager;
  const siblings = await dependencies.getSiblings(home);
  const needs = controllerManagerSecrets(home.cluster);
  const secrets = await secretInputs(controllerManager, needs, dependencies);
  const { inputs, authorities, companions } = secrets;
  // Of a foreign API server its control plane knows it.
  const serviceCidr =
    siblings.apiServer?.spec.serviceCidr ?? home.controlPlane.status?.apiserver?.serviceCidr;
  const report = await advanceDeployment(
    controllerManager,
    {
      ...home,
      component: "controller-manager",
      desired: revisionOf("controller-manager", spec),
      gate: ({ version }, from) => controllerManagerGate(version, from, { ...siblings, home }),
      render: (revision) => {
        const { imageRepository } = dependencies;
        const image =
          revision.image ?? imageOf("controller-manager", revision.version, imageRepository);
        const common = { revision, image, replicas: spec.replicas };
        return controllerManagerManifests({ ...home, ...common, serviceCidr, inputs, companions });
      },
    },
    dependencies,
  );
  return withAuthorities(report, authorities);
}
