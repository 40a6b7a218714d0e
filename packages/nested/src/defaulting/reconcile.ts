import type { NestedControlPlane } from "@rookery/api";
import { isPaused } from "@rookery/cluster-api";
import { getCondition, isControlledBy, parseApiVersion, withConditions } from "@rookery/kube";
import { done, isBeingDeleted, type Request, type Result } from "@rookery/runtime";
import type { ConditionTypeOf } from "../conditions.ts";
import {
  type ComponentField,
  componentFields,
  createdFields,
  neededFields,
  withCreatedFields,
} from "../control-plane/component.ts";
import { apiServers, controlPlanes } from "../resources.ts";
import {
  type DefaultComponent,
  type DefaultComponentManifest,
  defaultComponents,
  defaultedVersionAnnotation,
} from "./default-components.ts";
import type { DefaultingDependencies } from "./scope.ts";

/**
 * Creates the components that a control plane with a version does not name, creates those anew that
 * somebody deleted, and takes later versions on to them. Components of somebody else are not touched.
 */
export async function reconcileDefaults(
  request: Request,
  dependencies: DefaultingDependencies,
): Promise<Result> {
  const controlPlane = await dependencies.getControlPlane(request);
  if (!controlPlane?.spec.version || isBeingDeleted(controlPlane)) return done;
  const owner = await dependencies.getOwner(controlPlane);
  if (!owner || isBeingDeleted(owner) || isPaused(owner, controlPlane)) return done;
  const manifests = defaultComponents(controlPlane, owner);
  const needed = neededFields(controlPlane, await namedApiServer(controlPlane, dependencies)) ?? [];
  const seen = await Promise.all(
    componentFields.map((field) => {
      const scope = { controlPlane, manifest: manifests[field], isNeeded: needed.includes(field) };
      return lookAt(field, scope, dependencies);
    }),
  );
  const recorded = await record(controlPlane, seen, dependencies);
  await followVersion(controlPlane, seen, dependencies);
  await takeBack(recorded, dependencies);
  return done;
}

/** There once components could not be created. A condition of its own: others write the others. */
export const componentsCreated =
  "ComponentsCreated" satisfies ConditionTypeOf<"NestedControlPlane">;

async function takeBack(
  controlPlane: NestedControlPlane,
  { commit, clock }: DefaultingDependencies,
): Promise<void> {
  const condition = getCondition(controlPlane.status?.conditions, componentsCreated);
  if (condition?.status !== "False") return;
  const statement = {
    type: componentsCreated,
    status: "True",
    reason: "Created",
    message: "",
  } as const;
  await commit(controlPlane, withConditions(controlPlane, [statement], clock));
}

/** What is known of the component of a field. */
interface Seen {
  readonly field: ComponentField;
  readonly manifest: DefaultComponentManifest;
  /** Undefined where the field names something else than the manifest. */
  readonly component?: DefaultComponent | undefined;
  /** Whether it was created for the control plane, and is to be created anew. */
  readonly isCreated: boolean;
}

interface FieldScope extends Pick<Seen, "manifest"> {
  readonly controlPlane: NestedControlPlane;
  readonly isNeeded: boolean;
}

async function lookAt(
  field: ComponentField,
  { controlPlane, manifest, isNeeded }: FieldScope,
  dependencies: DefaultingDependencies,
): Promise<Seen> {
  const isNamed = controlPlane.spec[field] !== undefined;
  const known = { field, manifest, isCreated: false };
  if (isNamed ? !namesDefault(controlPlane, known) : !isNeeded) return known;
  const wasCreated = createdFields(controlPlane).includes(field);
  const found = await dependencies.getComponent(manifest.kind, keyOf(manifest));
  // A component that somebody named is created by them.
  const isWanted = !found && (!isNamed || wasCreated);
  const component = isWanted ? await dependencies.createComponent(manifest) : found;
  const isCreated = component ? isMade(component, controlPlane) : wasCreated;
  return { ...known, component, isCreated };
}

/** Components first: what the control plane names is there. */
async function record(
  controlPlane: NestedControlPlane,
  seen: readonly Seen[],
  { commit }: DefaultingDependencies,
): Promise<NestedControlPlane> {
  const unnamed = seen.filter(({ field, component }) => component && !controlPlane.spec[field]);
  const references = unnamed.map(({ field, manifest }) => [field, referenceTo(manifest)]);
  const created = seen.filter(({ isCreated }) => isCreated).map(({ field }) => field);
  const named =
    references.length === 0
      ? controlPlane
      : {
          ...controlPlane,
          spec: { ...controlPlane.spec, ...Object.fromEntries(references) },
        };
  // Somebody may have named others meanwhile: theirs count.
  return commit(controlPlane, withCreatedFields(named, created), { optimisticLock: true });
}

async function followVersion(
  controlPlane: NestedControlPlane,
  seen: readonly Seen[],
  { commitComponent }: DefaultingDependencies,
): Promise<void> {
  await Promise.all(
    seen.map(async ({ component, manifest, isCreated }) => {
      const made = component?.metadata.annotations?.[defaultedVersionAnnotation];
      if (!component || !isCreated || isBeingDeleted(component)) return;
      if (made === controlPlane.spec.version) return;
      await commitComponent(component, brought(component, manifest));
    }),
  );
}

/** The API server whose profile decides what else is needed; undefined where it is not there. */
async function namedApiServer(
  controlPlane: NestedControlPlane,
  { getComponent }: DefaultingDependencies,
): Promise<DefaultComponent | undefined> {
  const { apiserver: reference } = controlPlane.spec;
  if (reference?.kind !== apiServers.kind) return undefined;
  const { namespace = "" } = controlPlane.metadata;
  return getComponent("NestedAPIServer", { namespace, name: reference.name });
}

/** Whether a field of the spec names the very object that would be created for it. */
function namesDefault(
  { spec, metadata }: NestedControlPlane,
  { field, manifest }: Pick<Seen, "field" | "manifest">,
): boolean {
  const { apiVersion = "", kind, name, namespace } = spec[field] ?? {};
  return (
    parseApiVersion(apiVersion).group === controlPlanes.group &&
    kind === manifest.kind &&
    name === manifest.metadata.name &&
    (!namespace || namespace === metadata.namespace)
  );
}

function isMade(component: DefaultComponent, controlPlane: NestedControlPlane): boolean {
  const made = component.metadata.annotations?.[defaultedVersionAnnotation];
  return made !== undefined && isControlledBy(component, controlPlane);
}

function keyOf({ metadata }: DefaultComponentManifest) {
  const { namespace, name = "" } = metadata;
  return { name, ...(namespace && { namespace }) };
}

function referenceTo({ apiVersion, kind, metadata }: DefaultComponentManifest) {
  return { apiVersion, kind, name: metadata.name ?? "" };
}

function brought(component: DefaultComponent, wanted: DefaultComponentManifest): DefaultComponent {
  const { metadata } = component;
  const annotations = { ...metadata.annotations, ...wanted.metadata.annotations };
  const { version = "" } = wanted.spec ?? {};
  return {
    ...component,
    metadata: { ...metadata, annotations },
    spec: { ...component.spec, version },
  };
}
