import type { ImageMeta } from "@rookery/api";
import {
  type Component,
  type ContainerSpec,
  containersOf,
  type ImageOverrides,
  imageOverridesFor,
  isWorkload,
  parseImage,
} from "@rookery/components";

/**
 * The image overrides of the configuration for a provider's containers, for spec.deployment.containers:
 * only the parts that they override, so that upgrades keep them. Throws ImageError.
 */
export function imageChanges(
  components: readonly Component[],
  label: string,
  images: ImageOverrides,
): readonly ContainerSpec[] {
  const isConcerned = (key: string) =>
    key === "all" || key === label || key.startsWith(`${label}/`);
  if (!Object.keys(images).some(isConcerned)) return [];
  const deployments = components.filter(isWorkload).filter(({ kind }) => kind === "Deployment");
  const names = deployments.flatMap((one) => containersOf(one).map(({ name = "" }) => name));
  const isOnly = (name: string) => names.filter((other) => other === name).length === 1;
  return deployments.flatMap((deployment) =>
    containersOf(deployment).flatMap(({ name = "", image = "" }) => {
      const overrides = imageOverridesFor(images, label, parseImage(image).name);
      const meta: ImageMeta = Object.assign({}, ...overrides);
      if (Object.keys(meta).length === 0) return [];
      return { name: isOnly(name) ? name : `${deployment.metadata.name}/${name}`, image: meta };
    }),
  );
}
