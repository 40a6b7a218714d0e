import type { ImageMeta } from "@rookery/api";
import type { Component } from "../documents/documents.ts";
import { ImageError, type Problem } from "../errors.ts";
import {
  type Container,
  containersOf,
  describeComponent,
  isWorkload,
  mapContainers,
  type Workload,
} from "./component-shapes.ts";

/** A parsed image reference. */
export interface Image {
  /** The registry and the path before the name, such as "registry.k8s.io/cluster-api". */
  readonly repository: string;
  readonly name: string;
  readonly tag: string;
  readonly digest: string;
}

const label = "(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])";
const domain = `(?:${label}(?:\\.${label})*|\\[[a-fA-F0-9:]+\\])(?::\\d+)?`;
const component = "[a-z0-9]+(?:(?:\\.|_|__|-+)[a-z0-9]+)*";
const path = `${component}(?:/${component})*`;
const suffix = "(?::(\\w[\\w.-]{0,127}))?(?:@([a-zA-Z][\\w+.-]*:[0-9a-fA-F]{32,}))?";
const pattern = new RegExp(`^((?:${domain}/)?${path})${suffix}$`);
const qualified = /^(?:localhost|[^/]*[.:][^/]*)\//;

export function isImage(text: string): boolean {
  return pattern.test(text);
}

/** Parses an image with its registry, which clusterctl requires for overrides. Throws ImageError. */
export function parseImage(text: string): Image {
  const [, whole, tag = "", digest = ""] = pattern.exec(text) ?? [];
  if (whole === undefined) throw new ImageError(text, "it is no image reference");
  if (!qualified.test(whole)) throw new ImageError(text, "it does not name its registry");
  const slash = whole.lastIndexOf("/");
  return { repository: whole.slice(0, slash), name: whole.slice(slash + 1), tag, digest };
}

export function formatImage({ repository, name, tag, digest }: Image): string {
  return `${repository}/${name}${tag && `:${tag}`}${digest && `@${digest}`}`;
}

/** The image with the parts of `meta` in place of its own, by clusterctl's rules. */
export function withImageMeta(image: Image, meta: ImageMeta): Image {
  return {
    repository: meta.repository?.replace(/\/$/, "") || image.repository,
    name: meta.name || image.name,
    tag: meta.tag || image.tag,
    digest: image.digest,
  };
}

/**
 * Image overrides of clusterctl's configuration: by "all", by component (a provider label) and by
 * component/image; parts of a more specific entry take precedence.
 */
export type ImageOverrides = Readonly<Record<string, ImageMeta>>;

/** The image that the overrides make of one. Throws ImageError for one that cannot be overridden. */
export function overrideImage(text: string, component: string, overrides: ImageOverrides): string {
  if (Object.keys(overrides).length === 0) return text;
  const image = parseImage(text);
  const metas = imageOverridesFor(overrides, component, image.name);
  return formatImage(metas.reduce(withImageMeta, image));
}

/** The overrides of one image, the most general first. */
export function imageOverridesFor(
  overrides: ImageOverrides,
  component: string,
  name: string,
): readonly ImageMeta[] {
  const keys = ["all", component, `${component}/${name}`];
  return keys.flatMap((key) => (Object.hasOwn(overrides, key) ? (overrides[key] ?? []) : []));
}

/** The images of components, sorted. */
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
