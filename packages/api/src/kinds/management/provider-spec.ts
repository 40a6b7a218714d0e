import { list, object } from "../../declaration/collections.ts";
import { rule } from "../../declaration/field-type.ts";
import { defaulted, optional, required } from "../../declaration/fields.ts";
import { labelSelector, namespaceNames } from "../../declaration/fragments.ts";
import { boolean, enumeration, string } from "../../declaration/scalars.ts";
import { deploymentSpec } from "./deployment-spec.ts";
import { managerSpec } from "./manager-spec.ts";

const dnsLabel = "[a-z0-9]([-a-z0-9]*[a-z0-9])?";

/** A semantic version with the "v" that Kubernetes puts before it. */
const versionPattern =
  "^v(0|[1-9][0-9]*)\\.(0|[1-9][0-9]*)\\.(0|[1-9][0-9]*)(-[0-9A-Za-z-]+(\\.[0-9A-Za-z-]+)*)?" +
  "(\\+[0-9A-Za-z-]+(\\.[0-9A-Za-z-]+)*)?$";

const fetchConfiguration = object(
  {
    url: optional(
      string({ minLength: 1, maxLength: 2048, pattern: "^(https|oci)://.+" }),
      "Where releases are: https://github.com/{owner}/{repository}/releases, a GitLab project, any " +
        "HTTPS server with the same layout, or an oci:// repository.",
    ),
    selector: optional(
      labelSelector(),
      "Selects ConfigMaps in the provider's namespace, one for each version, with the keys " +
        "components and metadata.",
    ),
    secretName: optional(
      string({ minLength: 1, maxLength: 253, pattern: dnsSubdomain() }),
      "A Secret in the provider's namespace with credentials for the url: one of type kubernetes.io/dockerconfigjson for a " +
        "registry, or the keys OCI_USERNAME and OCI_PASSWORD, OCI_ACCESS_TOKEN, GITHUB_TOKEN, GITLAB_ACCESS_TOKEN or FETCH_TOKEN. Its " +
        "content may change.",
    ),
  },
  {
    rules: [
      rule(
        "!has(self.secretName) || has(self.url)",
        "secretName can only be set with url: ConfigMaps of a selector need no credentials",
      ),
      rule("has(self.url) != has(self.selector)", "exactly one of url and selector must be set"),
    ],
  },
);

const patchTarget = object({
  group: optional(string({ maxLength: 253 }), 'The API group; "" is the core group.'),
  version: optional(string({ maxLength: 63 }), "The version of the API group."),
  kind: optional(string({ maxLength: 253 }), "The kind. * stands for any characters."),
  name: optional(string({ maxLength: 253 }), "The name. * stands for any characters."),
  namespace: optional(
    string({ maxLength: 253 }),
    "The namespace, which is the provider's. * stands for any characters.",
  ),
  labelSelector: optional(
    string({ maxLength: 2048 }),
    "Labels, as kubectl's --selector takes them: app=manager,tier!=test.",
  ),
});

const componentPatch = object({
  patch: required(
    string({ minLength: 1, maxLength: 65_536 }),
    "YAML or JSON: an object is a strategic merge patch, a list holds the operations of a JSON patch (RFC 6902). " +
      '"$patch: delete" in an object leaves the component out.',
  ),
  target: optional(
    patchTarget,
    "Which components are patched: those that all of its fields fit. Without it a strategic merge patch is for those with " +
      "its own kind and, where it has them, apiVersion, name and namespace.",
  ),
});

const watch = object(
  {
    namespaces: optional(namespaceNames(), "Only these namespaces."),
    excludedNamespaces: optional(namespaceNames(), "All namespaces but these."),
    rest: optional(boolean(), "All namespaces that no other instance of the provider watches."),
    rbac: optional(
      enumeration("Cluster", "Namespaced"),
      "Where the instance's account has the rights of its ClusterRole: in the whole cluster, Secrets of " +
        "all tenants included, or in the namespaces that it watches alone, which have to be named. " +
        "Namespaced where it is not set and namespaces are named; an instance from before that was so " +
        "keeps its rights until it is set.",
    ),
  },
  {
    rules: [
      rule(
        "[has(self.namespaces), has(self.excludedNamespaces), has(self.rest)]" +
          ".filter(isSet, isSet).size() == 1",
        "exactly one of namespaces, excludedNamespaces and rest must be set",
      ),
      rule("!has(self.namespaces) || self.namespaces.size() > 0", "namespaces must not be empty"),
      rule(
        "!has(self.excludedNamespaces) || self.excludedNamespaces.size() > 0",
        "excludedNamespaces must not be empty; leave watch out to watch all namespaces",
      ),
      rule("!has(self.rest) || self.rest", "rest can only be true"),
      rule(
        "!has(self.rbac) || self.rbac != 'Namespaced' || has(self.namespaces)",
        "rbac can only be Namespaced with namespaces: there are no rights in all namespaces but some",
      ),
    ],
  },
);

const upgradePolicy = object({
  onFailure: defaulted(
    enumeration("RollBack", "Stay"),
    "RollBack",
    "What happens when the pods of a new version do not become available. RollBack brings the last " +
      "good version back, unless a storage version of a CustomResourceDefinition has changed.",
  ),
});

const deletionPolicy = object({
  customResourceDefinitions: defaulted(
    enumeration("Keep", "Delete"),
    "Keep",
    "What happens to the provider's CustomResourceDefinitions and to all of their objects.",
  ),
  namespace: defaulted(
    enumeration("Keep", "Delete"),
    "Keep",
    "What happens to the provider's namespace and everything in it.",
  ),
});

/** The desired state of a provider. */
export const providerSpec = object({
  version: optional(
    string({ maxLength: 128, pattern: versionPattern }),
    'The version of the provider, with the "v". The operator sets it to the latest one where it is ' +
      "not set. A change is an upgrade.",
  ),
  manager: optional(managerSpec, "Properties of the provider's controller manager."),
  deployment: optional(deploymentSpec, "Properties of the provider's Deployment."),
  patches: optional(
    list(componentPatch, { maxItems: 64 }),
    "Changes to the rendered components, in their order, as kustomize makes them.",
  ),
  additionalManifests: optional(
    object({
      name: required(
        string({ minLength: 1, maxLength: 253, pattern: dnsSubdomain() }),
        "The name of a ConfigMap in the provider's namespace, with YAML under the key manifests.",
      ),
    }),
    "Objects that are installed with the components and become components themselves: variables, patches and rules hold " +
      "for them too. Read on installs, upgrades and other changes of the spec: a change of the ConfigMap alone does nothing.",
  ),
  secretName: optional(
    string({ minLength: 1, maxLength: 253 }),
    "The Secret in the provider's namespace with the variables of the components. Its content is " +
      "taken as immutable: to change it, make another one and change the name.",
  ),
  fetchConfig: optional(
    fetchConfiguration,
    "Where components and metadata come from. Where it is not set, from where clusterctl takes them " +
      "for this kind and name. Used on installs and upgrades only: a change alone does nothing.",
  ),
  fetchRevision: optional(
    string({ minLength: 1, maxLength: 253 }),
    "Any text. Another one fetches and installs the components of the same version anew, from where fetchConfig says " +
      "now: for a release that was mended where it is published.",
  ),
  paused: optional(
    boolean(),
    "Stops the provider's controllers, by scaling them to 0, and all that the operator does for it " +
      "except a change of version.",
  ),
  watch: optional(
    watch,
    "The namespaces that this instance of the provider watches. All of them where it is not set, and " +
      "then there can be no second instance.",
  ),
  apiGroupSuffix: optional(
    string({ minLength: 3, maxLength: 200, pattern: dnsSubdomainWithDot() }),
    "Installs the provider under API groups of its own, which end with this suffix.",
  ),
  upgradePolicy: optional(upgradePolicy, "How upgrades are made."),
  deletionPolicy: optional(deletionPolicy, "What remains when the provider is deleted."),
  contractPolicy: optional(
    enumeration("Equal", "Compatible"),
    "How the provider's contract must relate to the core provider's. Equal by default; " +
      "Compatible follows clusterctl, which also lets older contracts that the core still serves pass.",
  ),
});

function dnsSubdomain(): string {
  return `^${dnsLabel}(\\.${dnsLabel})*$`;
}

function dnsSubdomainWithDot(): string {
  return `^${dnsLabel}(\\.${dnsLabel})+$`;
}
