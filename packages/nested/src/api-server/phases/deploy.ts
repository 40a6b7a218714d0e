import type { NestedAPIServer } from "@rookery/api";
import type { Home } from "../../component/home.ts";
import { imageOf } from "../../component/images.ts";
import type { Report } from "../../component/report.ts";
import { revisionOf } from "../../component/revision.ts";
import { rollOutDeployment } from "../../component/roll-out-deployment.ts";
import { secretInputs } from "../../component/secret-inputs.ts";
import { ComponentError } from "../../errors.ts";
import { apiServerManifests } from "../manifests.ts";
import { apiServerGate, etcdServersOf } from "../policies.ts";
import type { ApiServerScope } from "../scope.ts";
import { apiServerSecrets } from "../secrets.ts";
import { awaitAuthorities } from "./await-authorities.ts";

/** Rolls out an API server of the profile full, kube-apiserver. */
export async function deploy(
  apiServer: NestedAPIServer,
  home: Home,
  scope: ApiServerScope,
): Promise<Report> {
  const { spec } = apiServer;
  const etcdServers = etcdServersOf(home.controlPlane);
  if (etcdServers.length === 0) {
    throw new ComponentError("WaitingForEtcd", "nobody knows the addresses of etcd yet");
  }
  const siblings = await scope.getSiblings(home);
  const secrets = await secretInputs(apiServer, apiServerSecrets(home.cluster), scope);
  const { inputs, companions } = secrets;
  const patches = spec.patches?.filter(({ kind }) => kind !== "Service");
  const report = await rollOutDeployment(
    apiServer,
    {
      ...home,
      component: "apiserver",
      desired: revisionOf("apiserver", { ...spec, ...(patches && { patches }) }),
      gate: ({ version }, from) => apiServerGate(version, from, siblings),
      render: (revision) => {
        const { imageRepository } = scope;
        const image = revision.image ?? imageOf("apiserver", revision.version, imageRepository);
        const common = { revision, image, replicas: spec.replicas, service: spec.service };
        return apiServerManifests({ ...home, ...common, etcdServers, inputs, companions });
      },
    },
    scope,
  );
  return awaitAuthorities(apiServer, report, { ...scope, home, secrets });
}
