import type { NestedAPIServer } from "@rookery/api";
import type { ControlPlaneOf } from "../../component/home.ts";
import type { Report } from "../../component/report.ts";
import { revisionOf } from "../../component/revision.ts";
import { advanceDeployment } from "../../component/roll-out-deployment.ts";
import { secretInputs } from "../../component/secret-inputs.ts";
import { lightManifests } from "../light-manifests.ts";
import { lightStorageOf } from "../light-storage.ts";
import { lightGate } from "../policies.ts";
import type { ApiServerDependencies } from "../scope.ts";
import { lightSecrets } from "../secrets.ts";
import { whenRead } from "./await-authorities.ts";

/** Brings an API server of the profile light, `rookery local serve`, to what its spec says. */
export async function advanceLight(
  apiServer: NestedAPIServer,
  home: ControlPlaneOf,
  dependencies: ApiServerDependencies,
): Promise<Report> {
  const { spec } = apiServer;
  const storage = lightStorageOf(spec);
  const secrets = await secretInputs(apiServer, lightSecrets(home.cluster), dependencies);
  const { inputs, companions } = secrets;
  const patches = spec.patches?.filter(({ kind }) => kind !== "Service");
  const report = await advanceDeployment(
    apiServer,
    {
      ...home,
      component: "apiserver",
      desired: revisionOf("apiserver", { ...spec, ...(patches && { patches }) }),
      gate: ({ version }) => lightGate(version),
      render: (revision) => {
        const image = revision.image ?? dependencies.rookeryImage;
        const { replicas } = spec;
        return lightManifests({ ...home, revision, image, replicas, storage, inputs, companions });
      },
    },
    dependencies,
  );
  return whenRead(apiServer, report, { ...dependencies, home, secrets });
}
