import type { NestedAPIServer } from "@rookery/api";
import { advanceDeployment } from "../component/advance-deployment.ts";
import type { ControlPlaneOf } from "../component/control-plane-of.ts";
import type { Report } from "../component/report.ts";
import { requiredSecrets } from "../component/required-secrets.ts";
import { revisionOf } from "../component/revision.ts";
import { authoritySecret, leafSecret, serviceAccountSecret } from "../names.ts";
import type { ApiServerDependencies } from "./dependencies.ts";
import { lightManifests } from "./light-manifests.ts";
import { lightStorageOf } from "./light-storage.ts";
import { lightGate } from "./policies.ts";

/** Brings an API server of the profile light, `rookery local serve`, to what its spec says. */
export async function advanceLight(
  apiServer: NestedAPIServer,
  home: ControlPlaneOf,
  dependencies: ApiServerDependencies,
): Promise<Report> {
  const { spec } = apiServer;
  const storage = lightStorageOf(spec);
  const inputs = await inputsOf(home, dependencies);
  const patches = spec.patches?.filter(({ kind }) => kind !== "Service");
  return advanceDeployment(
    apiServer,
    {
      ...home,
      component: "apiserver",
      desired: revisionOf("apiserver", { ...spec, ...(patches && { patches }) }),
      gate: ({ version }) => lightGate(version),
      render: (revision) => {
        const image = revision.image ?? dependencies.rookeryImage;
        const { replicas } = spec;
        return lightManifests({ ...home, revision, image, replicas, storage, inputs });
      },
    },
    dependencies,
  );
}

/** What it reads only when it starts: the keys of service accounts. The rest it follows. */
async function inputsOf(home: ControlPlaneOf, dependencies: ApiServerDependencies) {
  const { cluster } = home;
  const accounts = serviceAccountSecret(cluster);
  const pair = ["tls.crt", "tls.key", "ca.crt"];
  const content = await requiredSecrets(
    home,
    {
      [leafSecret(cluster, "apiserver-serving")]: pair,
      [leafSecret(cluster, "proxy")]: pair,
      [authoritySecret(cluster, "ca")]: ["tls.crt", "tls.key"],
      [accounts]: ["tls.crt", "tls.key"],
    },
    dependencies,
  );
  return [content[accounts]?.["tls.crt"] ?? ""];
}
