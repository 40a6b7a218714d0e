import { UnsafeManifestError } from "./errors.ts";
import { isManifest, type Manifest } from "./manifest.ts";
import { createPlan, type InjectOptions, type Plan } from "./plan.ts";
import { refuseInjected, refuseInstance, refuseShared } from "./refuse.ts";
import { renderManifest } from "./render-manifest.ts";
import { isFields } from "./update-at.ts";
import { warningsAbout } from "./warnings.ts";

export interface Injected {
  /** One for each input; documents without changes are the same objects. */
  readonly documents: readonly unknown[];
  /** What to check before applying the documents. */
  readonly warnings: readonly string[];
}

/**
 * Renders the manifests of an app for one of several instances in a cluster, with the proxy as a
 * sidecar. A mapping renames API groups; a scope restricts what the instance sees; a name makes
 * cluster-scoped objects its own, which are shared otherwise. Errors: InvalidInstanceError,
 * AlreadyInjectedError, UnsafeManifestError.
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

function manifestsIn(document: unknown): Manifest[] {
  if (isList(document)) return document.items.flatMap(manifestsIn);
  if (!isManifest(document)) return [];
  if (Array.isArray(document.items) && document.kind.endsWith("List")) {
    const why = "a list of one kind is not rendered; give its objects as documents, or as a List";
    throw new UnsafeManifestError(document, why);
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
  // A caller that renders parts of an app chooses the namespaces itself.
  if (options.instance === undefined || (move && move.to !== from)) return [];
  const where = from === undefined ? "that kubectl is told" : from;
  return [
    `instance ${options.instance} lives in the namespace ${where}: another instance there would use the same Leases, Secrets and ConfigMaps; give each its own with --namespace`,
  ];
}
