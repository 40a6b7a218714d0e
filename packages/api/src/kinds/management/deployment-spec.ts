import { list, listMap, map, object, unknownValue } from "../../declaration/collections.ts";
import { optional, required } from "../../declaration/fields.ts";
import {
  affinity,
  environmentVariable,
  resourceRequirements,
  toleration,
} from "../../declaration/pod-fragments.ts";
import { integer, string } from "../../declaration/scalars.ts";

/** Replacements for parts of the name of an image. */
export interface ImageMeta {
  readonly repository?: string;
  readonly name?: string;
  readonly tag?: string;
}

const containerSpec = object({
  name: required(
    string({ minLength: 1, maxLength: 63 }),
    "The name of the container in the provider's components. The manager is called manager.",
  ),
  // Neither of these can be told in a structural schema: the webhook checks them.
  image: optional(
    unknownValue<string | ImageMeta>(),
    "The image: a string such as registry.example.com/team/controller:v1, or an object with any of " +
      "repository, name and tag, which replace that part of the image in the components.",
  ),
  args: optional(
    map(unknownValue<string | number | boolean>()),
    "Flags of the provider that have no field in manager, by their names without dashes. Strings, " +
      "numbers and booleans. What is set in manager wins; the keys namespace and " +
      "excluded-namespace are ignored.",
  ),
  env: optional(
    listMap(environmentVariable(), ["name"]),
    "Environment variables of the container.",
  ),
  resources: optional(
    resourceRequirements(),
    "The compute resources of the container. Those of the components by default.",
  ),
});

const dnsLabel = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";
const dnsSubdomain = `^${dnsLabel}(\\.${dnsLabel})*$`;

const pullSecret = object({
  name: required(
    string({ minLength: 1, maxLength: 253, pattern: dnsSubdomain }),
    "The name of a Secret of type kubernetes.io/dockerconfigjson.",
  ),
});

/** The fields for the Deployment of a provider. */
export const deploymentSpec = object({
  replicas: optional(
    integer({ format: "int32", minimum: 0 }),
    "How many pods there are. What the components say by default.",
  ),
  nodeSelector: optional(map(string()), "Labels that a node must have to run the pods."),
  tolerations: optional(list(toleration()), "Taints that the pods tolerate."),
  affinity: optional(affinity(), "Where the pods are drawn to, or kept away from."),
  serviceAccountName: optional(
    string({ minLength: 1, maxLength: 253, pattern: dnsSubdomain }),
    "The service account of the pods, which has to be in the provider's namespace. It gets the rights that the " +
      "components give to their own account.",
  ),
  imagePullSecrets: optional(
    listMap(pullSecret, ["name"]),
    "Secrets in the provider's namespace with credentials for the registries of images, for the pods of all " +
      "components, beside those that the components name.",
  ),
  containers: optional(
    listMap(containerSpec, ["name"]),
    "Changes to containers of the Deployment.",
  ),
});
