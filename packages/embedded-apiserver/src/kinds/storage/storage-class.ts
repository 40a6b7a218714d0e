import type {
  StorageClass,
  TopologySelectorLabelRequirement,
  TopologySelectorTerm,
} from "@rookery/api";
import { renderJson, validateQualifiedName } from "@rookery/kube";
import { type BuiltInKind, kindNames } from "../declaration/kind.ts";
import { immutable, oneOf, qualifiedName, unique } from "../meta/checks.ts";
import { ageColumn, columns, nameColumn } from "../meta/columns.ts";
import { each, required, unlessEmpty } from "../meta/combinators.ts";
import { deprecatedNodeLabel } from "../meta/deprecations.ts";
import type { Field } from "../meta/field.ts";
import { isSameValue } from "../meta/field-rules.ts";
import { type Rule, type Rules, ruleOf, validator, warner } from "../meta/rules.ts";

/** Bounds the duplicates: a term is reported once for each equal term before it. */
const maxDuplicates = 1000;

const requirement: Rules<TopologySelectorLabelRequirement> = {
  values: [required(), each(unique)],
  key: [qualifiedName, unique],
};
const term = ruleOf<TopologySelectorTerm>({ matchLabelExpressions: each(requirement) });

/** Go: validateAllowedTopologies. */
function allowedTopologies(own: readonly TopologySelectorTerm[] | undefined, field: Field) {
  const terms = own ?? [];
  // Kubernetes compares with as many empty terms as there are terms, so that an empty one is a duplicate.
  const seen = new Map([[contentOf({}), terms.length]]);
  let left = maxDuplicates;
  terms.forEach((each, i) => {
    const at = field.index(i);
    const content = contentOf(each);
    const count = seen.get(content) ?? 0;
    const reports = Math.min(count, left);
    term(each, at);
    seen.set(content, count + 1);
    left -= reports;
    for (let j = 0; j < reports; j++) at.child("matchLabelExpressions").duplicate("");
  });
}

function contentOf({ matchLabelExpressions = [] }: TopologySelectorTerm): string {
  const entries = matchLabelExpressions.map(
    ({ key = "", values }) => [key, [...new Set(values ?? [])].sort()] as const,
  );
  return renderJson(Object.fromEntries(entries));
}

const warnings = warner<StorageClass>({
  allowedTopologies: each({ matchLabelExpressions: each({ key: deprecatedNodeLabel }) }),
});

const maxParameters = 512;
const maxParametersBytes = 256 * 1024;
const defaultAnnotations = [
  "storageclass.kubernetes.io/is-default-class",
  "storageclass.beta.kubernetes.io/is-default-class",
];

function shownName({ metadata }: StorageClass): string {
  const isDefault = defaultAnnotations.some((key) => metadata?.annotations?.[key] === "true");
  return `${metadata?.name ?? ""}${isDefault ? " (default)" : ""}`;
}

const provisioner = required<string>((name, field) => {
  field.invalidEach(name.toLowerCase(), validateQualifiedName(name.toLowerCase()));
});

function parameters(own: Readonly<Record<string, string>> = {}, field: Field): void {
  const entries = Object.entries(own);
  let bytes = 0;
  for (const [key, value] of entries) bytes += Buffer.byteLength(key) + Buffer.byteLength(value);
  if (entries.length > maxParameters) field.tooLong(maxParameters);
  if (entries.length > maxParameters) return;
  if ("" in own) field.invalid("", "field can not be empty.");
  if (bytes > maxParametersBytes) field.tooLong(maxParametersBytes);
}

/** Go: ValidateStorageClass. */
const storageClass: Rules<StorageClass> = {
  provisioner,
  parameters,
  reclaimPolicy: unlessEmpty(oneOf("Delete", "Retain")),
  volumeBindingMode: oneOf("Immediate", "WaitForFirstConsumer"),
  allowedTopologies,
};

/** A field that cannot change, with a message of this kind alone. */
const fixed: Rule<unknown> = (value, field) => {
  if (isSameValue(value, field.old)) return;
  field.forbidden(`updates to ${field.name} are forbidden.`);
};

export const storageClassKind: BuiltInKind<StorageClass> = {
  ...kindNames("storage.k8s.io", "StorageClass", "storageclasses"),
  namespaced: false,
  shortNames: ["sc"],
  defaults(storageClass) {
    storageClass.reclaimPolicy ??= "Delete";
    storageClass.volumeBindingMode ??= "Immediate";
  },
  validate: validator(storageClass),
  validateUpdate: validator<StorageClass>([
    storageClass,
    { parameters: fixed, provisioner: fixed, reclaimPolicy: fixed, volumeBindingMode: immutable },
  ]),
  warnings,
  columns: [
    { ...nameColumn, value: (object) => shownName(object as StorageClass) },
    ...columns<StorageClass>({
      Provisioner: ({ provisioner }) => provisioner ?? "",
      ReclaimPolicy: ({ reclaimPolicy }) => reclaimPolicy ?? "Delete",
      VolumeBindingMode: ({ volumeBindingMode }) => volumeBindingMode ?? "Immediate",
      AllowVolumeExpansion: ({ allowVolumeExpansion }) => allowVolumeExpansion ?? false,
    }),
    ageColumn,
  ],
};
