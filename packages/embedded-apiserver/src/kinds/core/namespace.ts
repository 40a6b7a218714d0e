import type { Namespace } from "@rookery/api";
import { validateDns1123Label } from "@rookery/kube";
import { type BuiltInKind, fieldsByPath, keepSpec, kindNames } from "../declaration/kind.ts";
import { qualifiedName } from "../meta/checks.ts";
import { ageColumn, columns, nameColumn } from "../meta/columns.ts";
import { type Rule, validator } from "../meta/rules.ts";

/** The label by which selectors select a namespace by name. */
const nameLabel = "kubernetes.io/metadata.name";
const finalizer = "kubernetes";
const standardFinalizers = [finalizer, "orphan", "foregroundDeletion"];
const unowned = "name is neither a standard finalizer name nor is it fully qualified";

/** The name is absent until the server has generated it. */
function labelByName(namespace: Namespace): void {
  const { metadata } = namespace;
  if (!metadata?.name) return;
  metadata.labels = { ...metadata.labels, [nameLabel]: metadata.name };
}

/** Only the finalize subresource changes the finalizers of the spec. */
function keepFinalizers(namespace: Namespace, old: Namespace): void {
  const finalizers = old.spec?.finalizers;
  namespace.spec ??= {};
  if (finalizers === undefined) delete namespace.spec.finalizers;
  else namespace.spec.finalizers = finalizers;
}

/** Go: validateFinalizerName. Kubernetes reports the list, not the item. */
const finalizers: Rule<readonly string[] | undefined> = (names, field) => {
  for (const name of names ?? []) {
    qualifiedName(name, field);
    const isOwned = name.includes("/") || standardFinalizers.includes(name);
    if (!isOwned) field.invalid(name, unowned);
  }
};

const validate = validator<Namespace>({ spec: { finalizers } });

/** Go: ValidateNamespaceStatusUpdate. */
const validateStatus = validator<Namespace>(({ metadata, status }, field) => {
  const isEnding = metadata?.deletionTimestamp !== undefined;
  const expected = isEnding ? "Terminating" : "Active";
  const phase = status?.phase ?? "";
  const condition = `if \`deletionTimestamp\` is ${isEnding ? "not empty" : "empty"}`;
  if (phase === expected) return;
  field.child("status", "Phase").invalid(phase, `may only be '${expected}' ${condition}`);
});

export const namespaceKind: BuiltInKind<Namespace> = {
  ...kindNames("", "Namespace", "namespaces"),
  namespaced: false,
  shortNames: ["ns"],
  defaults(namespace) {
    labelByName(namespace);
    namespace.status ??= {};
    namespace.status.phase ||= "Active";
  },
  validateName: validateDns1123Label,
  prepareForCreate(namespace) {
    labelByName(namespace);
    namespace.status = { phase: "Active" };
    namespace.spec ??= {};
    const finalizers = namespace.spec.finalizers ?? [];
    if (finalizers.includes(finalizer)) return;
    namespace.spec.finalizers = [...finalizers, finalizer];
  },
  prepareForUpdate(namespace, old) {
    labelByName(namespace);
    keepFinalizers(namespace, old);
  },
  validate,
  validateUpdate: validate,
  status: { prepareForUpdate: keepSpec, validateUpdate: validateStatus },
  selectableFields: fieldsByPath("status.phase"),
  columns: [
    nameColumn,
    ...columns<Namespace>({ Status: ({ status }) => status?.phase ?? "" }),
    ageColumn,
  ],
};
