import type { Container, Pod, PodSpec, ServiceAccount, Volume } from "@rookery/api";
import type { AdmissionAttributes, AdmissionPlugin } from "@rookery/apiserver";
import { generateName } from "@rookery/kube";
import type { Store } from "../store/store.ts";
import { isAbout, type MutatedAttributes, mutating, refusal } from "./mutating.ts";
import { assertSecretsReferenced, referencesSecrets } from "./secret-references.ts";

const mountPath = "/var/run/secrets/kubernetes.io/serviceaccount";
const volumePrefix = "kube-api-access-";
const mirrorAnnotation = "kubernetes.io/config.mirror";
const enforceAnnotation = "kubernetes.io/enforce-mountable-secrets";
const truths = ["1", "t", "T", "true", "TRUE", "True"];

/** How long to wait for a controller that creates the account "default". */
const defaultAccountWaitMs = 1000;

/** Sets the ServiceAccount of pods, and adds its token and pull secrets. */
export function createServiceAccountAdmission(store: Store): AdmissionPlugin {
  return {
    name: "ServiceAccount",
    operations: ["CREATE"],
    mutate: mutating<Pod>("pods", async (pod, attributes) => {
      pod.spec ??= {};
      if (isMirror(pod)) return assertMirror(pod.spec, attributes);
      pod.spec.serviceAccountName ||= "default";
      // The older name of the field, which Kubernetes always sets too.
      pod.spec.serviceAccount = pod.spec.serviceAccountName;
      const account = await accountOf(pod.spec, attributes, store);
      if (mountsToken(account, pod.spec)) mountToken(pod.spec);
      const pullSecrets = account.imagePullSecrets ?? [];
      if ((pod.spec.imagePullSecrets ?? []).length === 0 && pullSecrets.length > 0) {
        pod.spec.imagePullSecrets = pullSecrets.map(({ name = "" }) => ({ name }));
      }
    }),
    validate: async (attributes) => {
      if (!isAbout(attributes, "pods")) return;
      const pod = attributes.object as Pod;
      const spec = pod.spec ?? {};
      if (isMirror(pod)) return assertMirror(spec, attributes);
      if (!spec.serviceAccountName) {
        const who = `${attributes.namespace}/${pod.metadata?.name ?? ""}`;
        throw refusal(attributes, `no service account specified for pod ${who}`);
      }
      const account = await accountOf(spec, attributes, store);
      const enforced = account.metadata?.annotations?.[enforceAnnotation] ?? "";
      if (truths.includes(enforced)) assertSecretsReferenced(spec, account, attributes);
    },
  };
}

function isMirror({ metadata }: Pod): boolean {
  return metadata?.annotations?.[mirrorAnnotation] !== undefined;
}

function assertMirror(spec: PodSpec, attributes: AdmissionAttributes): void {
  if (spec.serviceAccountName) {
    throw refusal(attributes, "a mirror pod may not reference service accounts");
  }
  if (referencesSecrets(spec)) throw refusal(attributes, "a mirror pod may not reference secrets");
  const projections = (spec.volumes ?? []).flatMap(({ projected }) => projected?.sources ?? []);
  if (!projections.some(({ serviceAccountToken }) => serviceAccountToken !== undefined)) return;
  const why = "a mirror pod may not use ServiceAccountToken volume projections";
  throw refusal(attributes, why);
}

async function accountOf(
  { serviceAccountName: name = "" }: PodSpec,
  attributes: AdmissionAttributes | MutatedAttributes,
  store: Store,
): Promise<ServiceAccount> {
  const { namespace } = attributes;
  const find = () => store.get({ resource: "serviceaccounts", namespace, name })?.object;
  const account = find() ?? (name === "default" ? await waitUntilFound(find, store) : undefined);
  if (account !== undefined) return account as ServiceAccount;
  const why = `error looking up service account ${namespace}/${name}: serviceaccount "${name}" not found`;
  throw refusal(attributes, why);
}

/** Waits for a short time until `find` returns a value. */
function waitUntilFound<T>(find: () => T | undefined, store: Store): Promise<T | undefined> {
  const { promise, resolve } = Promise.withResolvers<T | undefined>();
  const timer = setTimeout(() => resolve(find()), defaultAccountWaitMs);
  const subscription = store.watch("serviceaccounts", store.revision, () => {
    const found = find();
    if (found !== undefined) resolve(found);
  });
  return promise.finally(() => {
    clearTimeout(timer);
    subscription.close();
  });
}

/** The field of the pod takes precedence. */
function mountsToken(account: ServiceAccount, spec: PodSpec): boolean {
  return spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true;
}

function mountToken(spec: PodSpec): void {
  const known = spec.volumes?.find(({ name = "" }) => name.startsWith(volumePrefix))?.name;
  const name = known ?? generateName(volumePrefix);
  const containers = [...(spec.initContainers ?? []), ...(spec.containers ?? [])];
  const without = containers.filter((container) => !hasMount(container));
  for (const container of without) {
    container.volumeMounts = [
      ...(container.volumeMounts ?? []),
      { name, readOnly: true, mountPath },
    ];
  }
  if (known === undefined && without.length > 0) {
    spec.volumes = [...(spec.volumes ?? []), tokenVolume(name)];
  }
}

function hasMount({ volumeMounts = [] }: Container): boolean {
  return volumeMounts.some((mount) => mount.mountPath === mountPath);
}

/** The volume with the token, the CA and the namespace of a pod. */
function tokenVolume(name: string): Volume {
  return {
    name,
    projected: {
      defaultMode: 0o644,
      sources: [
        { serviceAccountToken: { expirationSeconds: 3607, path: "token" } },
        { configMap: { name: "kube-root-ca.crt", items: [{ key: "ca.crt", path: "ca.crt" }] } },
        {
          downwardAPI: {
            items: [
              {
                path: "namespace",
                fieldRef: { apiVersion: "v1", fieldPath: "metadata.namespace" },
              },
            ],
          },
        },
      ],
    },
  };
}
