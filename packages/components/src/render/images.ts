import type { Component } from "../documents/documents.ts";
import { ImageError } from "../errors.ts";
import type { Problem } from "../problem.ts";
import {
  type Container,
  containersOf,
  describeComponent,
  isWorkload,
  type Workload,
} from "./component-shapes.ts";
import { type ImageOverrides, overrideImage } from "./image.ts";

/** Every image that components run, once each, sorted. */
export function imagesOf(components: readonly Component[]): readonly string[] {
  const images = components
    .filter(isWorkload)
    .flatMap(containersOf)
    .flatMap(({ image }) => image ?? []);
  return [...new Set(images)].sort();
}

/** Applies clusterctl's image overrides to every workload. */
export function withImageOverrides(
  components: readonly Component[],
  label: string,
  overrides: ImageOverrides,
): { readonly components: readonly Component[]; readonly problems: readonly Problem[] } {
  const problems: Problem[] = [];
  const replace = (component: Workload) => (container: Container) => {
    try {
      const image = overrideImage(container.image ?? "", label, overrides);
      return image === container.image ? container : { ...container, image };
    } catch (error) {
      if (!(error instanceof ImageError)) throw error;
      const object = describeComponent(component);
      const message = `container ${container.name} of ${object}: ${error.message}`;
      problems.push({ reason: "InvalidImage", message, object });
      return container;
    }
  };
  if (Object.keys(overrides).length === 0) return { components, problems };
  const changed = components.map((component) =>
    isWorkload(component) ? mapContainers(component, replace(component)) : component,
  );
  return { components: changed, problems };
}

function mapContainers(workload: Workload, change: (container: Container) => Container): Workload {
  const { template } = workload.spec;
  const { containers, initContainers } = template.spec;
  const spec = {
    ...template.spec,
    ...(containers && { containers: containers.map(change) }),
    ...(initContainers && { initContainers: initContainers.map(change) }),
  };
  return { ...workload, spec: { ...workload.spec, template: { ...template, spec } } };
}
