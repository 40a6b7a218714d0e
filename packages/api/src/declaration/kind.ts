import type { ObjectMeta, Resource } from "@rookery/kube";
import type { ValidationRule } from "@rookery/schema";
import { DeclarationError } from "../errors.ts";
import type { ObjectInput, ObjectValue } from "./collections.ts";
import type { KindNames, PrinterColumn, ScaleSubresource } from "./custom-resource-definition.ts";
import type { Flatten } from "./field-type.ts";
import type { Fields } from "./fields.ts";

/** One version of a kind. */
export interface VersionDeclaration<F extends Fields = Fields> {
  /** The description in `kubectl explain`. */
  readonly doc: string;
  /** The fields beside apiVersion, kind and metadata. A `status` makes the status subresource. */
  readonly fields: F;
  /** Rules over the whole object. */
  readonly rules?: readonly ValidationRule[];
  readonly columns?: readonly PrinterColumn[];
  readonly scale?: ScaleSubresource;
  /** JSON paths that field selectors may use. */
  readonly selectableFields?: readonly string[];
  /** True by default. */
  readonly served?: boolean;
  /** True where there is only one version; with several, of exactly one. */
  readonly storage?: boolean;
  /** The deprecation warning, or true for the message of Kubernetes. */
  readonly deprecated?: true | string;
}

export type Versions = Readonly<Record<string, VersionDeclaration>>;

/** A kind, declared once: its types, its CRD and its validation are made from this. */
export interface Kind<
  Group extends string = string,
  Name extends string = string,
  V extends Versions = Versions,
> {
  readonly group: Group;
  readonly kind: Name;
  readonly plural: string;
  /** The kind in lower case by default. */
  readonly singular?: string;
  readonly shortNames?: readonly string[];
  readonly categories?: readonly string[];
  readonly scope: "Namespaced" | "Cluster";
  /** Labels of the CRD, such as those of the Cluster API contracts. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly versions: V;
}

/** The names of a kind's versions. */
export type VersionOf<K extends Kind> = keyof K["versions"] & string;

interface Identified<K extends Kind, Version extends string> {
  readonly apiVersion: `${K["group"]}/${Version}`;
  readonly kind: K["kind"];
  readonly metadata: ObjectMeta;
}

/** An object of a kind as it is read; with several versions, told apart by apiVersion. */
export type ObjectOf<
  K extends Kind,
  Version extends VersionOf<K> = VersionOf<K>,
> = Version extends unknown
  ? Flatten<Identified<K, Version> & ObjectValue<K["versions"][Version]["fields"]>>
  : never;

/** An object of a kind as it may be written: fields with a default can be left out. */
export type ManifestOf<
  K extends Kind,
  Version extends VersionOf<K> = VersionOf<K>,
> = Version extends unknown
  ? Flatten<Identified<K, Version> & ObjectInput<K["versions"][Version]["fields"]>>
  : never;

/** Declares a kind. Throws a DeclarationError. */
export function defineKind<
  const Group extends string,
  const Name extends string,
  const V extends Versions,
>(kind: Kind<Group, Name, V>): Kind<Group, Name, V> {
  const storage = Object.keys(kind.versions).filter((version) => isStorage(kind, version));
  if (storage.length !== 1) {
    throw new DeclarationError(kind.kind, `it has ${storage.length} storage versions`);
  }
  return kind;
}

/** Whether a version is the storage version. */
export function isStorage(kind: Kind, version: string): boolean {
  const only = Object.keys(kind.versions).length === 1;
  return kind.versions[version]?.storage ?? only;
}

/** The served resource of a version of a kind. */
export function resourceOf<K extends Kind>(kind: K, version: VersionOf<K>): Resource {
  return {
    group: kind.group,
    version,
    ...namesOf(kind),
    namespaced: kind.scope === "Namespaced",
    subresources: subresourcesOf(kind.versions[version]),
  };
}

/** The names of a kind, without empty optional ones. */
export function namesOf(kind: Kind): KindNames {
  const { plural, singular = kind.kind.toLowerCase(), shortNames, categories } = kind;
  return {
    kind: kind.kind,
    listKind: `${kind.kind}List`,
    plural,
    singular,
    ...(shortNames?.length ? { shortNames } : {}),
    ...(categories?.length ? { categories } : {}),
  };
}

function subresourcesOf(version: VersionDeclaration | undefined): string[] {
  return [
    ...(version && "status" in version.fields ? ["status"] : []),
    ...(version?.scale ? ["scale"] : []),
  ];
}
