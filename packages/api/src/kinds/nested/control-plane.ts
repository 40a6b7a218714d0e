import { list, object } from "../../declaration/collections.ts";
import { ageColumn, conditionColumn, textColumn } from "../../declaration/columns.ts";
import { rule } from "../../declaration/field-type.ts";
import { defaulted, optional } from "../../declaration/fields.ts";
import { conditions, templateSpec } from "../../declaration/fragments.ts";
import { defineKind, type ManifestOf, type ObjectOf } from "../../declaration/kind.ts";
import { boolean, enumeration, string, time } from "../../declaration/scalars.ts";
import { period } from "../management/period.ts";
import { controlPlaneGroup, version } from "./component-fields.ts";
import { controlPlaneLabels } from "./labels.ts";
import { apiEndpoint, etcdAddress, fullObjectReference } from "./references.ts";

/** Written out for the field as a whole, too: its rules are held against its default. */
const usual = { caValidity: "87600h", leafValidity: "8760h", userKubeconfigValidity: "24h" };

const rotation = object({
  renewBefore: defaulted(
    period(),
    "8760h",
    "How long before its end an authority is replaced, and when a third of its validity is left at the " +
      "earliest. 0s: never by itself.",
  ),
  overlap: optional(
    period(),
    "For how long, at least, two authorities are trusted before the new one signs, and again before the " +
      "former is dropped: copies of kubeconfigs are to be made anew meanwhile. userKubeconfigValidity " +
      "where it is not set.",
  ),
  rotateAfter: optional(
    time(),
    "Authorities that were made before this moment are replaced once it has come.",
  ),
});

const certificates = object(
  {
    rotation: optional(
      rotation,
      "When the authorities that the control plane made are replaced by others; a year before their end " +
        "where it is not set. Those that somebody supplied are not.",
    ),
    caValidity: defaulted(period(), usual.caValidity, "For how long the authorities are valid."),
    leafValidity: defaulted(
      period(),
      usual.leafValidity,
      "For how long the certificates of the components are valid. They are renewed when a third of " +
        "it is left; that third has to be longer than kubelets take to bring them to pods, which is a " +
        "minute or two.",
    ),
    userKubeconfigValidity: defaulted(
      period(),
      usual.userKubeconfigValidity,
      "For how long the kubeconfig for people is valid, and never longer than its authority. It is " +
        "made anew when half of it is left.",
    ),
  },
  {
    rules: [
      rule(
        "duration(self.leafValidity) <= duration(self.caValidity)",
        "leafValidity must not be longer than caValidity",
      ),
      rule(
        "duration(self.leafValidity) >= duration('10s')",
        "leafValidity must be 10s or longer: certificates could not be renewed in time",
      ),
      rule(
        "duration(self.userKubeconfigValidity) >= duration('10m')",
        "userKubeconfigValidity must be 10m or longer: people could not use it in time",
      ),
    ],
  },
);

const controlPlaneSpecFields = {
  version: optional(
    version(),
    "The Kubernetes version of the components that are created. With it, those of etcd, apiserver " +
      "and controllerManager that are absent are created; without it, the control plane waits for them.",
  ),
  profile: optional(
    enumeration("full", "light"),
    "The programs of the components that are created: etcd, kube-apiserver and kube-controller-manager " +
      "(full, the default), or Rookery's embedded Kubernetes as a single API server (light). An API " +
      "server that apiserver names has a profile of its own.",
  ),
  controlPlaneEndpoint: optional(
    apiEndpoint(),
    "Where the API server is reached. Set by the API server's component.",
  ),
  etcd: optional(fullObjectReference(), "The component that is etcd."),
  apiserver: optional(fullObjectReference(), "The component that is the API server."),
  controllerManager: optional(
    fullObjectReference(),
    "The component that is the controller manager.",
  ),
  certificates: defaulted(certificates, usual, "How long certificates are valid."),
};

const controlPlaneStatus = object({
  etcd: optional(
    object({ addresses: optional(list(etcdAddress()), "How the members are reached.") }),
    "The data of etcd that the other components need.",
  ),
  apiserver: optional(
    object({
      serviceCidr: optional(string(), "The addresses of the tenant's Services."),
      endpoint: optional(
        apiEndpoint(),
        "Where the API server was reached last. One that is created anew gets this address again.",
      ),
    }),
    "The data of the API server that the other components need.",
  ),
  initialized: optional(
    boolean(),
    "Whether the API server has answered and kube-system/kubeadm-config is uploaded.",
  ),
  ready: optional(boolean(), "Whether the API server answers and all components are ready."),
  initialization: optional(
    object({
      controlPlaneInitialized: optional(boolean(), "The same as initialized."),
    }),
    "The fields that Cluster API waits for in a new control plane.",
  ),
  version: optional(string(), "The version that the API server runs."),
  externalManagedControlPlane: optional(
    boolean(),
    "Always true: no Machine belongs to the control plane.",
  ),
  failureMessage: optional(string(), "An error that retries do not fix."),
  conditions: optional(conditions(), "The conditions of the control plane, one for each type."),
});

/** The control plane of a nested cluster: it joins its components and holds what they share. */
export const nestedControlPlane = defineKind({
  group: controlPlaneGroup,
  kind: "NestedControlPlane",
  plural: "nestedcontrolplanes",
  shortNames: ["ncp"],
  categories: ["cluster-api"],
  scope: "Namespaced",
  labels: controlPlaneLabels,
  versions: {
    v1alpha4: {
      doc: "NestedControlPlane is a control plane whose components run as pods.",
      fields: {
        spec: defaulted(object(controlPlaneSpecFields), {}, "The desired state."),
        status: optional(controlPlaneStatus, "The observed state."),
      },
      columns: [
        textColumn("Cluster", ".metadata.labels.cluster\\.x-k8s\\.io/cluster-name"),
        { name: "Initialized", type: "boolean", jsonPath: ".status.initialized" },
        { name: "Ready", type: "boolean", jsonPath: ".status.ready" },
        textColumn("Version", ".status.version"),
        { ...textColumn("Host", ".spec.controlPlaneEndpoint.host"), priority: 1 },
        conditionColumn("Reason", "Ready", "reason"),
        ageColumn,
      ],
    },
  },
});

/** The template of NestedControlPlanes of a ClusterClass. */
export const nestedControlPlaneTemplate = defineKind({
  group: controlPlaneGroup,
  kind: "NestedControlPlaneTemplate",
  plural: "nestedcontrolplanetemplates",
  categories: ["cluster-api"],
  scope: "Namespaced",
  labels: controlPlaneLabels,
  versions: {
    v1alpha4: {
      doc: "NestedControlPlaneTemplate is what NestedControlPlanes of a ClusterClass are made from.",
      fields: {
        spec: templateSpec(
          defaulted(object(controlPlaneSpecFields), {}, "The spec of the objects."),
        ),
      },
    },
  },
});

export type NestedControlPlane = ObjectOf<typeof nestedControlPlane>;
export type NestedControlPlaneManifest = ManifestOf<typeof nestedControlPlane>;
export type NestedControlPlaneTemplate = ObjectOf<typeof nestedControlPlaneTemplate>;
