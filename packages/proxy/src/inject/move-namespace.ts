import { isKind, isRbac } from "./kinds.ts";
import { type Manifest, nameOf } from "./manifest.ts";
import { podSpecOf, updateContainers, updatePodSpec } from "./pods.ts";
import {
  type Fields,
  mapSame,
  updateAt,
  updateStrings,
  updateText,
  valuesAt,
} from "./update-at.ts";

/** From the namespace of the manifests, if known, to the namespace of the instance. */
export interface Move {
  readonly from: string | undefined;
  readonly to: string;
  /** Services in the manifests, whose DNS names change. */
  readonly services: readonly string[];
}

const nameLabel = "kubernetes.io/metadata.name";
const caAnnotations = ["cert-manager.io/inject-ca-from", "cert-manager.io/inject-ca-from-secret"];

export function placeInNamespace(manifest: Manifest, namespace: string): Manifest {
  const { name, ...rest } = manifest.metadata;
  if (manifest.metadata.namespace === namespace) return manifest;
  // Directly after the name.
  return { ...manifest, metadata: { ...(name !== undefined && { name }), ...rest, namespace } };
}

/** Changes all references to the app's old namespace. */
export function followNamespace(manifest: Manifest, { from, to, services }: Move): Manifest {
  if (from === undefined || from === to) return manifest;
  const exact = (text: string) => (text === from ? to : text);
  const dns = (text: string) => followDnsNames(text, { from, to, services });
  const steps: readonly ((manifest: Manifest) => Manifest)[] = [
    (found) => (isNamespace(found, from) ? updateAt(found, "metadata.name", () => to) : found),
    (found) => (hasText(found) ? found : followNamespaceFields(found, from, to)),
    (found) => followAnnotations(found, from, to),
    (found) => followUsers(found, from, to),
    (found) => followRights(found, from, to),
    (found) => updateText(found, "spec.dnsNames[]", dns),
    (found) => updateText(found, "spec.commonName", dns),
    (found) => updateText(found, "spec.namespaceSelector.matchNames[]", exact),
    (found) => followPods(found, { from, to, dns }),
  ];
  return steps.reduce((found, step) => step(found), manifest);
}

const isNamespace = (manifest: Manifest, name: string) =>
  isKind(manifest, "", "Namespace") && nameOf(manifest) === name;

/** Text without meaning to Kubernetes stays unchanged. */
const hasText = (manifest: Manifest) => isKind(manifest, "", "ConfigMap", "Secret");

/**
 * Changes namespace fields of subjects, webhooks, conversions, APIServices and custom resources.
 */
function followNamespaceFields(manifest: Manifest, from: string, to: string): Manifest {
  return updateStrings(manifest, (text, { key, holder }) => {
    const isNamespaceField = key === "namespace" || key === nameLabel;
    const isSelected = key === "values" && holder.key === nameLabel;
    return text === from && (isNamespaceField || isSelected) ? to : text;
  });
}

function followAnnotations(manifest: Manifest, from: string, to: string): Manifest {
  return caAnnotations.reduce(
    (found, key) =>
      updateText(found, ["metadata", "annotations", key], (value) =>
        value.startsWith(`${from}/`) ? to + value.slice(from.length) : value,
      ),
    manifest,
  );
}

/** Service accounts by their user names. */
function followUsers(manifest: Manifest, from: string, to: string): Manifest {
  if (!isRbac(manifest, "RoleBinding", "ClusterRoleBinding")) return manifest;
  return updateText(manifest, "subjects[].name", (name) =>
    name === `system:serviceaccounts:${from}`
      ? `system:serviceaccounts:${to}`
      : name.replace(`system:serviceaccount:${from}:`, `system:serviceaccount:${to}:`),
  );
}

/** Rights on the namespace itself. */
function followRights(manifest: Manifest, from: string, to: string): Manifest {
  if (!isRbac(manifest, "Role", "ClusterRole")) return manifest;
  return updateAt(manifest, "rules[]", (rule) =>
    valuesAt(rule, "resources[]").includes("namespaces")
      ? updateText(rule, "resourceNames[]", (name) => (name === from ? to : name))
      : rule,
  );
}

interface PodMove {
  readonly from: string;
  readonly to: string;
  readonly dns: (text: string) => string;
}

function followPods(manifest: Manifest, move: PodMove): Manifest {
  if (!podSpecOf(manifest)) return manifest;
  const follow = (words: unknown) => followWords(words as readonly string[], move);
  return updatePodSpec(manifest, (spec) =>
    updateContainers(spec, (container) => {
      const words = updateAt(updateAt(container, "command", follow), "args", follow);
      return updateAt(words, "env[]", (variable) => followVariable(variable as Fields, move));
    }),
  );
}

const namespaceFlag = /^--?[\w-]*namespaces?$/i;

/** Changes "--namespace=app", "--namespace app", and DNS names of the app's Services. */
function followWords(words: readonly string[], move: PodMove): readonly string[] {
  return mapSame(words, (word, index) => {
    if (word === move.from && namespaceFlag.test(words[index - 1] ?? "")) return move.to;
    const [flag = "", value] = word.split("=");
    if (value === move.from && namespaceFlag.test(flag)) return `${flag}=${move.to}`;
    return move.dns(word);
  });
}

function followVariable(variable: Fields, move: PodMove): Fields {
  const says = /namespace/i.test(`${variable.name}`);
  return updateText(variable, "value", (value) =>
    says && value === move.from ? move.to : move.dns(value),
  );
}

function followDnsNames(text: string, { from, to, services }: Move & { from: string }): string {
  return services.reduce((found, service) => {
    const old = `${service}.${from}.svc`.replaceAll(".", "\\.");
    return found.replace(new RegExp(`(?<![\\w-])${old}(?![\\w-])`, "g"), `${service}.${to}.svc`);
  }, text);
}
