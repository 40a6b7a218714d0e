import type { Namespace } from "@rookery/api";
import { FieldError, fieldPath, validateDns1123Label, validateQualifiedName } from "@rookery/kube";
import type { BuiltInKind } from "../declaration/kind.ts";
import { ageColumn, column, nameColumn } from "../meta/columns.ts";
import { invalidEach } from "../meta/field-rules.ts";
import { keepSpec } from "../meta/keep-spec.ts";
import { coreNames } from "./core-names.ts";

/** By this label selectors find a namespace by its name. */
const nameLabel = "kubernetes.io/metadata.name";
const finalizer = "kubernetes";
const standardFinalizers = [finalizer, "orphan", "foregroundDeletion"];
const unowned = "name is neither a standard finalizer name nor is it fully qualified";

export const namespaceKind: BuiltInKind<Namespace> = {
  ...coreNames("Namespace", "namespaces"),
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
  validate: validateNamespace,
  validateUpdate: validateNamespace,
  status: {
    prepareForUpdate: keepSpec,
    validateUpdate: validateStatus,
  },
  selectableFields: { "status.phase": ({ status }) => status?.phase ?? "" },
  columns: [
    nameColumn,
    column("Status", "string", ({ status }: Namespace) => status?.phase ?? ""),
    ageColumn,
  ],
};

/** A name that the server makes is labelled when it is there. */
function labelByName(namespace: Namespace): void {
  const { metadata } = namespace;
  if (!metadata?.name) return;
  metadata.labels = { ...metadata.labels, [nameLabel]: metadata.name };
}

/** They are changed by the finalize subresource only. */
function keepFinalizers(namespace: Namespace, old: Namespace): void {
  const finalizers = old.spec?.finalizers;
  namespace.spec ??= {};
  if (finalizers === undefined) delete namespace.spec.finalizers;
  else namespace.spec.finalizers = finalizers;
}

function validateNamespace({ spec }: Namespace): FieldError[] {
  const path = fieldPath("spec", "finalizers");
  return (spec?.finalizers ?? []).flatMap((name) => [
    ...invalidEach(name, validateQualifiedName(name), path),
    ...(isOwned(name) ? [] : [FieldError.invalid(path, name, unowned)]),
  ]);
}

function isOwned(finalizer: string): boolean {
  return finalizer.includes("/") || standardFinalizers.includes(finalizer);
}

function validateStatus({ metadata, status }: Namespace): FieldError[] {
  const isEnding = metadata?.deletionTimestamp !== undefined;
  const expected = isEnding ? "Terminating" : "Active";
  const phase = status?.phase ?? "";
  if (phase === expected) return [];
  const detail = `may only be '${expected}' if \`deletionTimestamp\` is ${isEnding ? "not empty" : "empty"}`;
  return [FieldError.invalid(fieldPath("status", "Phase"), phase, detail)];
}
