import type { DeleteOptions } from "@rookery/apiserver";
import {
  type DeepMutable,
  deepCopy,
  type FieldError,
  fieldPath,
  type KubeObject,
} from "@rookery/kube";
import { beginCrdDeletion } from "../kinds/apiextensions/conditions.ts";
import type { BuiltInKind, StatusRules } from "../kinds/declaration/kind.ts";
import { deletionFinalizers } from "./deletion.ts";
import { finalizerNameProblems } from "./finalizer-rules.ts";
import type { MetadataOnUpdate, StorageRules } from "./storage-options.ts";

type Namespace = KubeObject<
  { readonly finalizers?: readonly string[] },
  { readonly phase?: string }
>;

/** A namespace is first marked as Terminating, and removed when its spec.finalizers are empty. */
const namespaceRules = {
  returnsDeletedObject: true,
  beginDeletion(object: KubeObject, options: DeleteOptions): void {
    const namespace = object as DeepMutable<Namespace>;
    namespace.status = { ...namespace.status, phase: "Terminating" };
    const kept = deletionFinalizers(namespace.metadata.finalizers ?? [], asPolicy(options), {});
    namespace.metadata.finalizers = [...kept];
  },
  isFinalized: (object: KubeObject) => ((object as Namespace).spec?.finalizers ?? []).length === 0,
} satisfies StorageRules;

/** The finalize subresource writes all but the status. */
export const finalizeRules: StatusRules<KubeObject> = {
  prepareForUpdate(object, old) {
    (object as DeepMutable<KubeObject>).status = deepCopy(old.status);
  },
  validateUpdate(object): readonly FieldError[] {
    const path = fieldPath("spec", "finalizers");
    const names = (object as Namespace).spec?.finalizers ?? [];
    return names.flatMap((name, index) => finalizerNameProblems(name, path.index(index)));
  },
};

/** For namespaces, orphanDependents=false means foreground deletion. */
function asPolicy(options: DeleteOptions): DeleteOptions {
  if (options.orphanDependents !== false) return options;
  return { dryRun: options.dryRun, propagationPolicy: "Foreground" };
}

type Place = Pick<BuiltInKind, "group" | "plural">;

/** Kinds whose deletion returns the object. */
const returnsDeletedObject: ReadonlySet<string> = new Set([
  "/namespaces",
  "/persistentvolumeclaims",
  "/persistentvolumes",
  "/pods",
  "/serviceaccounts",
  "/services",
  "storage.k8s.io/storageclasses",
]);

const systemClasses = ["system-node-critical", "system-cluster-critical"];

function deletionProblem(name: string): string | undefined {
  const isSystem = systemClasses.includes(name);
  return isSystem ? "this is a system priority class and cannot be deleted" : undefined;
}

const preservedPods =
  "child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them or set propagationPolicy=Orphan to suppress this warning";

const rbac = "rbac.authorization.k8s.io";
const webhooks = "admissionregistration.k8s.io";

const again: MetadataOnUpdate = { changes: 1, whole: 1 };
const anew: MetadataOnUpdate = { changes: 0, whole: 1 };
const twice: MetadataOnUpdate = { changes: 1, whole: 2 };

/** Kinds whose metadata is validated another number of times on update. */
const metadataOnUpdate: Readonly<Record<string, MetadataOnUpdate>> = {
  "/configmaps": again,
  "/endpoints": again,
  "/namespaces": again,
  "/nodes": again,
  "/persistentvolumeclaims": again,
  "/persistentvolumes": { changes: 0, whole: 2 },
  "/pods": again,
  "/secrets": again,
  "/serviceaccounts": again,
  [`${webhooks}/mutatingwebhookconfigurations`]: anew,
  [`${webhooks}/validatingwebhookconfigurations`]: anew,
  "apiregistration.k8s.io/apiservices": again,
  "apps/controllerrevisions": again,
  "batch/jobs": again,
  "certificates.k8s.io/certificatesigningrequests": again,
  "discovery.k8s.io/endpointslices": anew,
  "networking.k8s.io/networkpolicies": again,
  "policy/poddisruptionbudgets": { changes: 0, whole: 0 },
  [`${rbac}/clusterrolebindings`]: twice,
  [`${rbac}/clusterroles`]: twice,
  [`${rbac}/rolebindings`]: twice,
  [`${rbac}/roles`]: twice,
  "storage.k8s.io/storageclasses": again,
};

const particular: Readonly<Record<string, StorageRules>> = {
  "/namespaces": namespaceRules,
  "apiextensions.k8s.io/customresourcedefinitions": { beginDeletion: beginCrdDeletion },
  "batch/jobs": { propagationWarning: preservedPods },
  "scheduling.k8s.io/priorityclasses": { deletionProblem },
};

/** Behaviour of kinds outside of their strategies. */
export function builtInRules({ group, plural }: Place): StorageRules {
  const place = `${group}/${plural}`;
  const onUpdate = metadataOnUpdate[place];
  return {
    ...(onUpdate && { metadataOnUpdate: onUpdate }),
    ...(returnsDeletedObject.has(place) && { returnsDeletedObject: true }),
    ...particular[place],
  };
}

/** Keys in etcd that are not the plural. */
const prefixes: Readonly<Record<string, string>> = {
  "/endpoints": "services/endpoints",
  "/nodes": "minions",
  "/services": "services/specs",
  "apiextensions.k8s.io/customresourcedefinitions":
    "apiextensions.k8s.io/customresourcedefinitions",
  "apiregistration.k8s.io/apiservices": "apiregistration.k8s.io/apiservices",
};

/** The key prefix in etcd, which some messages contain. */
export function storagePrefixOf({ group, plural }: Place): string {
  return `/registry/${prefixes[`${group}/${plural}`] ?? plural}`;
}
