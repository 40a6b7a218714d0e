import { UnsafeManifestError } from "./errors.ts";
import { describe, isManifest, type Manifest } from "./manifest.ts";
import { createPlan, type InjectOptions, type Plan } from "./plan.ts";
import { refuseInjected, refuseInstance, refuseShared } from "./refuse.ts";
import { renderManifest } from "./render-manifest.ts";
import { isFields } from "./update-at.ts";
import { warningsAbout } from "./warnings.ts";

export interface Injected {
  /** One for each that was given; what is no object of Kubernetes, or needs no change, is the same. */
  readonly documents: readonly unknown[];
  /** What should be looked at before the documents are applied. */
  readonly warnings: readonly string[];
}

/**
 * Renders the manifests of an app for one instance of several in a cluster, with the proxy beside the
 * app. With a mapping API groups are renamed; with a scope the proxy narrows what each instance sees;
 * with a name cluster-scoped objects are made its own, and without one the instances share them.
 * Errors: InvalidInstanceError, AlreadyInjectedError, UnsafeManifestError.
 */
export function injectProxy(documents: readonly unknown[], options: InjectOptions): Injected {
  refuseInstance(options);
  const manifests = documents.flatMap(manifestsIn);
  for (const manifest of manifests) {
    refuseInjected(manifest, options.mapping);
    if (options.mapping) refuseShared(manifest, options.mapping);
  }
  const plan = createPlan(manifests, options);
  return {
    documents: documents.map((document) => renderDocument(document, plan)),
    warnings: [...namespaceWarning(plan), ...warningsAbout(plan)],
  };
}

/** A List holds documents of its own. */
function manifestsIn(document: unknown): Manifest[] {
  if (isList(document)) return document.items.flatMap(manifestsIn);
  if (!isManifest(document)) return [];
  if (Array.isArray(document.items) && document.kind.endsWith("List")) {
    const why = "a list of one kind is not rendered; give its objects as documents, or as a List";
    throw new UnsafeManifestError(describe(document), why);
  }
  return [document];
}

function isList(document: unknown): document is { readonly items: readonly unknown[] } {
  if (!isFields(document) || document.apiVersion !== "v1" || document.kind !== "List") return false;
  return Array.isArray(document.items);
}

function renderDocument(document: unknown, plan: Plan): unknown {
  if (isList(document)) {
    return { ...document, items: document.items.map((item) => renderDocument(item, plan)) };
  }
  return isManifest(document) ? renderManifest(document, plan) : document;
}

function namespaceWarning({ options, from, move }: Plan): string[] {
  // Who renders parts of an app for an instance says itself where each lives.
  if (options.instance === undefined || (move && move.to !== from)) return [];
  const where = from === undefined ? "that kubectl is told" : from;
  return [
    `instance ${options.instance} lives in the namespace ${where}: another instance there would use the same Leases, Secrets and ConfigMaps; give each its own with --namespace`,
  ];
}
