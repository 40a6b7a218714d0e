import type { ImageMeta } from "@rookery/api";
import {
  type Component,
  type Container,
  type ContainerSpec,
  type ImageOverrides,
  isWorkload,
  parseImage,
  type Workload,
} from "@rookery/components";

/**
 * What `images` of the configuration asks of a provider's containers, for spec.deployment.containers:
 * just the parts that it overrides, so that they outlast upgrades. Errors: ImageError.
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
      const meta = metaOf(image, label, images);
      if (Object.keys(meta).length === 0) return [];
      return { name: isOnly(name) ? name : `${deployment.metadata.name}/${name}`, image: meta };
    }),
  );
}

/** What is more special wins, part by part. */
function metaOf(image: string, label: string, images: ImageOverrides): ImageMeta {
  const keys = ["all", label, `${label}/${parseImage(image).name}`];
  const metas = keys.flatMap((key) => (Object.hasOwn(images, key) ? (images[key] ?? []) : []));
  return Object.assign({}, ...metas);
}

function containersOf({ spec }: Workload): readonly Container[] {
  const { containers = [], initContainers = [] } = spec.template.spec;
  return [...containers, ...initContainers];
}
