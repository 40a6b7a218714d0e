import {
  applyJsonPatch,
  applyStrategicMergePatch,
  deepEqual,
  type JsonPatchOperation,
  type ObjectMeta,
  PatchError,
  parseLabelSelector,
  patchSchemaOf,
} from "@rookery/kube";
import { type Component, parseDocuments } from "../documents/documents.ts";
import type { Problem } from "../errors.ts";
import { DocumentError } from "../errors.ts";
import type { ProviderIdentity } from "../providers/provider.ts";
import { componentLabels } from "../providers/provider.ts";
import type { ComponentPatch } from "../spec/provider-spec.ts";
import { compileGlob } from "../variables/glob.ts";
import { describeComponent, groupOf, isWorkload } from "./component-shapes.ts";
import { isExternal } from "./known-kinds.ts";

interface Patched {
  readonly components: readonly Component[];
  readonly problems: readonly Problem[];
}

type Fields = Readonly<Record<string, unknown>>;

/** A parsed patch. */
interface ReadPatch {
  readonly isFor: (component: Component) => boolean;
  /** Undefined if the patch deletes the component. */
  readonly apply: (component: Component) => unknown;
}

/**
 * Applies the patches of a spec to rendered components. A patch is a problem if it matches none, can't
 * be applied, or would change the identity of a component.
 */
export function applyPatches(
  components: readonly Component[],
  patches: readonly ComponentPatch[],
  provider: ProviderIdentity,
): Patched {
  const problems: Problem[] = [];
  let patched = components;
  for (const [index, patch] of patches.entries()) {
    const field = `patches[${index}]`;
    const refuse = (why: string) => {
      const message = `could not apply spec.${field}: ${why}`;
      problems.push({ reason: "PatchRefused", message, field });
    };
    const read = asProblem(() => readPatch(patch), refuse);
    if (read === undefined) continue;
    if (!patched.some(read.isFor)) {
      refuse(`it fits none of the components; there are ${listed(patched, patch)}`);
      continue;
    }
    patched = patched.flatMap((component) => {
      if (!read.isFor(component)) return [component];
      const object = describeComponent(component);
      const result = asProblem(
        () => [patchOne(component, read, provider)],
        (why) => refuse(`${object}: ${why}`),
      );
      return (result ?? [component]).filter((one) => one !== undefined);
    });
  }
  return { components: patched, problems };
}

/** The problem of a patch, independent of components. */
export function patchProblem(patch: ComponentPatch): string | undefined {
  let found: string | undefined;
  asProblem(
    () => readPatch(patch),
    (why) => {
      found = why;
    },
  );
  return found;
}

class RefusedPatch extends Error {
  override readonly name = "RefusedPatch";
}

function asProblem<T>(step: () => T, refuse: (why: string) => void): T | undefined {
  try {
    return step();
  } catch (error) {
    const isExpected =
      error instanceof RefusedPatch ||
      error instanceof PatchError ||
      error instanceof DocumentError ||
      error instanceof RangeError;
    if (!isExpected) throw error;
    refuse(error instanceof RangeError ? "it is nested too deeply" : error.message);
    return undefined;
  }
}

function readPatch({ patch, target }: ComponentPatch): ReadPatch {
  const documents = parseDocuments(patch);
  const [first] = documents;
  if (first === undefined || documents.length > 1) {
    throw new RefusedPatch(
      `it has ${documents.length} YAML documents, and has to be one: make a patch of each`,
    );
  }
  const { value } = first;
  if (Array.isArray(value)) return jsonPatch(value, target);
  if (typeof value !== "object" || value === null) {
    throw new RefusedPatch(
      "it is neither an object (strategic merge) nor a list of operations (JSON 6902)",
    );
  }
  return mergePatch(value as Fields, target);
}

function jsonPatch(operations: readonly unknown[], target: ComponentPatch["target"]): ReadPatch {
  if (!target) throw new RefusedPatch("a list of operations (JSON 6902) needs a target");
  return {
    isFor: selecting(target),
    apply: (component) => applyJsonPatch(component, operations as readonly JsonPatchOperation[]),
  };
}

function mergePatch(body: Fields, target: ComponentPatch["target"]): ReadPatch {
  // With a target, these fields do not select objects.
  const { apiVersion, kind, metadata, ...rest } = body;
  const { name, namespace, ...meta } = Object(metadata) as Fields;
  const isDeletion = rest.$patch === "delete";
  const changes = { ...rest, ...(Object.keys(meta).length > 0 && { metadata: meta }) };
  if (!target && typeof kind !== "string") {
    throw new RefusedPatch("it has neither a target nor a kind, by which its objects are found");
  }
  const isNamed = (component: Component) =>
    component.kind === kind &&
    (apiVersion === undefined || component.apiVersion === apiVersion) &&
    (name === undefined || component.metadata.name === name) &&
    (namespace === undefined || component.metadata.namespace === namespace);
  return {
    isFor: target ? selecting(target) : isNamed,
    apply: (component) =>
      isDeletion
        ? undefined
        : applyStrategicMergePatch(component, changes, patchSchemaOf(component.kind)),
  };
}

function selecting(target: NonNullable<ComponentPatch["target"]>): ReadPatch["isFor"] {
  const { group, version, labelSelector } = target;
  const globs = { kind: target.kind, name: target.name, namespace: target.namespace };
  const matches = Object.fromEntries(
    Object.entries(globs).map(([field, pattern]) => [field, matching(pattern)]),
  );
  const labels = labelSelector === undefined ? undefined : readSelector(labelSelector);
  return (component) => {
    const { apiVersion, kind, metadata } = component;
    return (
      (group === undefined || groupOf(component) === group) &&
      (version === undefined || apiVersion.split("/").at(-1) === version) &&
      (matches.kind?.(kind) ?? true) &&
      (matches.name?.(metadata.name ?? "") ?? true) &&
      (matches.namespace?.(metadata.namespace ?? "") ?? true) &&
      (labels?.matches(metadata.labels ?? {}) ?? true)
    );
  };
}

/** Accepts "capi-*" and ".*", as in kustomize. The time is at most the product of both lengths. */
function matching(pattern: string | undefined): ((text: string) => boolean) | undefined {
  if (pattern === undefined) return undefined;
  const glob = compileGlob(pattern.replaceAll(".*", "*"));
  return (text) => glob([...text]);
}

function readSelector(text: string): ReturnType<typeof parseLabelSelector> {
  try {
    return parseLabelSelector(text);
  } catch (error) {
    throw new RefusedPatch(`target.labelSelector: ${(error as Error).message}`);
  }
}

function patchOne(
  component: Component,
  { apply }: ReadPatch,
  provider: ProviderIdentity,
): Component | undefined {
  const patched = apply(component);
  if (patched === undefined) {
    if (component.kind !== "Namespace" || groupOf(component) !== "") return undefined;
    throw new RefusedPatch("the provider needs its Namespace");
  }
  const { metadata } = Object(patched) as { readonly metadata?: ObjectMeta };
  if (typeof metadata !== "object" || metadata === null) {
    throw new RefusedPatch("nothing with metadata would be left");
  }
  const after = patched as Component;
  for (const [what, read] of Object.entries(fixed(provider))) {
    if (deepEqual(read(after), read(component))) continue;
    throw new RefusedPatch(`it would change ${what}, by which the operator knows its own`);
  }
  if (isWorkload(component) && !hasContainers(after)) {
    throw new RefusedPatch("no list of containers would be left in its pods");
  }
  return after;
}

function fixed(provider: ProviderIdentity): Readonly<Record<string, (one: Component) => unknown>> {
  const labels = Object.keys(componentLabels(provider)).map((key) => [
    `the label ${key}`,
    ({ metadata }: Component) => metadata.labels?.[key],
  ]);
  return {
    apiVersion: ({ apiVersion }) => apiVersion,
    kind: ({ kind }) => kind,
    "metadata.name": ({ metadata }) => metadata.name,
    "metadata.namespace": ({ metadata }) => metadata.namespace,
    "the annotation of external kinds": isExternal,
    ...Object.fromEntries(labels),
  };
}

function hasContainers(component: Component): boolean {
  if (!isWorkload(component)) return false;
  const { containers, initContainers = [] } = component.spec.template.spec;
  return [containers, initContainers].every(
    (list) => Array.isArray(list) && list.every((one) => typeof one === "object" && one !== null),
  );
}

/** The components of its kind, if there are any. */
function listed(components: readonly Component[], { target }: ComponentPatch): string {
  const same = components.filter(({ kind }) => kind === target?.kind);
  const names = (same.length > 0 ? same : components).map(describeComponent);
  const more = names.length > shown ? ` and ${names.length - shown} more` : "";
  return `${names.slice(0, shown).join(", ")}${more}`;
}

/** The maximum number of objects in a message. */
const shown = 10;
