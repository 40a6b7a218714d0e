import type { NestedControlPlane } from "@rookery/api";
import { isControlledBy } from "@rookery/kube";
import { done, isBeingDeleted, type Request, type Result } from "@rookery/runtime";
import { isPaused } from "../cluster-api/owners.ts";
import { componentFields } from "../control-plane/component.ts";
import {
  type DefaultComponent,
  type DefaultComponentManifest,
  type DefaultComponents,
  defaultComponents,
  defaultedVersionAnnotation,
} from "./default-components.ts";
import type { DefaultingDependencies } from "./scope.ts";

/**
 * Makes the components of a control plane that has a version and names none, and takes later versions
 * on to those that it made. Control planes that name their components are not touched.
 */
export async function reconcileDefaults(
  request: Request,
  dependencies: DefaultingDependencies,
): Promise<Result> {
  const controlPlane = await dependencies.getControlPlane(request);
  if (!controlPlane?.spec.version || isBeingDeleted(controlPlane)) return done;
  const owner = await dependencies.getOwner(controlPlane);
  if (!owner || isPaused(owner, controlPlane)) return done;
  const components = defaultComponents(controlPlane, owner);
  const namesNone = componentFields.every((field) => controlPlane.spec[field] === undefined);
  if (namesNone) await makeComponents(controlPlane, components, dependencies);
  else await followVersion(controlPlane, components, dependencies);
  return done;
}

/** Components first: what the control plane names is there. */
async function makeComponents(
  controlPlane: NestedControlPlane,
  components: DefaultComponents,
  dependencies: DefaultingDependencies,
): Promise<void> {
  await Promise.all(Object.values(components).map(dependencies.createComponent));
  const references = componentFields.map((field) => {
    const { apiVersion, kind, metadata } = components[field];
    return [field, { apiVersion, kind, name: metadata.name ?? "" }];
  });
  const spec = { ...controlPlane.spec, ...Object.fromEntries(references) };
  // Somebody may have named others meanwhile: theirs count.
  await dependencies.commit(controlPlane, { ...controlPlane, spec }, { optimisticLock: true });
}

async function followVersion(
  controlPlane: NestedControlPlane,
  components: DefaultComponents,
  dependencies: DefaultingDependencies,
): Promise<void> {
  await Promise.all(
    Object.values(components).map(async (wanted) => {
      const component = await dependencies.getComponent(wanted);
      if (!component || !isBehind(component, controlPlane)) return;
      await dependencies.commitComponent(component, brought(component, wanted));
    }),
  );
}

function isBehind(component: DefaultComponent, controlPlane: NestedControlPlane): boolean {
  const made = component.metadata.annotations?.[defaultedVersionAnnotation];
  const isMade = made !== undefined && isControlledBy(component, controlPlane);
  return isMade && made !== controlPlane.spec.version;
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
