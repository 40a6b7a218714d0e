import type { NestedAPIServer } from "@rookery/api";
import { imageOf } from "../../component/images.ts";
import type { Parent } from "../../component/parent.ts";
import type { Report } from "../../component/report.ts";
import { revisionOf } from "../../component/revision.ts";
import { type DeploymentPlan, rollOutDeployment } from "../../component/roll-out-deployment.ts";
import { type SecretNeeds, secretInputs } from "../../component/secret-inputs.ts";
import { ComponentError } from "../../errors.ts";
import { lightManifests } from "../light-manifests.ts";
import { apiServerManifests } from "../manifests.ts";
import { apiServerGate, etcdServersOf, lightGate, lightStorageOf } from "../policies.ts";
import type { ApiServerScope } from "../scope.ts";
import { apiServerSecrets, lightSecrets } from "../secrets.ts";
import { awaitAuthorities } from "./await-authorities.ts";

/** Rolls out an API server of either profile. */
export async function deploy(
  apiServer: NestedAPIServer,
  parent: Parent,
  scope: ApiServerScope,
): Promise<Report> {
  const { spec } = apiServer;
  const isLight = spec.profile === "light";
  const { needs, ...profile } = isLight
    ? lightProfile(apiServer, scope)
    : await fullProfile(apiServer, parent, scope);
  const secrets = await secretInputs(apiServer, needs(parent.cluster), scope);
  // Patches of the Service are applied together with the endpoint.
  const patches = spec.patches?.filter(({ kind }) => kind !== "Service");
  const desired = revisionOf("apiserver", { ...spec, ...(patches && { patches }) });
  const plan = { ...parent, ...profile, component: "apiserver", desired, secrets } as const;
  const report = await rollOutDeployment(apiServer, plan, scope);
  return awaitAuthorities(apiServer, report, { ...scope, parent, secrets });
}

/** The differences between the profiles. */
interface Profile extends Pick<DeploymentPlan, "gate" | "imageOf" | "render"> {
  readonly needs: (cluster: string) => SecretNeeds;
}

/** The profile full runs kube-apiserver. */
async function fullProfile(
  { spec: { service } }: NestedAPIServer,
  parent: Parent,
  scope: ApiServerScope,
): Promise<Profile> {
  const etcdServers = etcdServersOf(parent.controlPlane);
  if (etcdServers.length === 0) {
    throw new ComponentError("WaitingForEtcd", "the addresses of etcd are not known yet");
  }
  const siblings = await scope.getSiblings(parent);
  return {
    needs: apiServerSecrets,
    gate: ({ version }, from) => apiServerGate(version, from, siblings),
    imageOf: (version) => imageOf("apiserver", version, scope.imageRepository),
    render: (options) => apiServerManifests({ ...options, service, etcdServers }),
  };
}

/** The profile light runs `rookery local serve`. */
function lightProfile({ spec }: NestedAPIServer, { rookeryImage }: ApiServerScope): Profile {
  return {
    needs: lightSecrets,
    gate: ({ version }) => lightGate(version),
    imageOf: () => rookeryImage,
    render: (options) => lightManifests({ ...options, storage: lightStorageOf(spec) }),
  };
}
