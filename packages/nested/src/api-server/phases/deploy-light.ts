import type { NestedAPIServer } from "@rookery/api";
import type { Home } from "../../component/home.ts";
import type { Report } from "../../component/report.ts";
import { revisionOf } from "../../component/revision.ts";
import { rollOutDeployment } from "../../component/roll-out-deployment.ts";
import { secretInputs } from "../../component/secret-inputs.ts";
import { lightManifests } from "../light-manifests.ts";
import { lightStorageOf } from "../light-storage.ts";
import { lightGate } from "../policies.ts";
import type { ApiServerScope } from "../scope.ts";
import { lightSecrets } from "../secrets.ts";
import { awaitAuthorities } from "./await-authorities.ts";

/** Rolls out an API server of the profile light, `rookery local serve`. */
export async function deployLight(
  apiServer: NestedAPIServer,
  home: Home,
  scope: ApiServerScope,
): Promise<Report> {
  const { spec } = apiServer;
  const storage = lightStorageOf(spec);
  const secrets = await secretInputs(apiServer, lightSecrets(home.cluster), scope);
  const { inputs, companions } = secrets;
  const patches = spec.patches?.filter(({ kind }) => kind !== "Service");
  const report = await rollOutDeployment(
    apiServer,
    {
      ...home,
      component: "apiserver",
      desired: revisionOf("apiserver", { ...spec, ...(patches && { patches }) }),
      gate: ({ version }) => lightGate(version),
      render: (revision) => {
        const image = revision.image ?? scope.rookeryImage;
        const { replicas } = spec;
        return lightManifests({ ...home, revision, image, replicas, storage, inputs, companions });
      },
    },
    scope,
  );
  return awaitAuthorities(apiServer, report, { ...scope, home, secrets });
}
