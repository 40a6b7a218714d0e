import type { ImageMeta } from "@rookery/api";
import type { ImageOverrides } from "@rookery/components";
import { operatorName, operatorVersion } from "@rookery/operator";

/** The image of the operator, with the parts that the configuration overrides for all or for it. */
export function operatorImage(images: ImageOverrides): string {
  const keys = ["all", operatorName, `${operatorName}/rookery`];
  const metas = keys.flatMap((key) => (Object.hasOwn(images, key) ? (images[key] ?? []) : []));
  const meta: ImageMeta = Object.assign({}, ...metas);
  const { repository, name = "rookery", tag = operatorVersion } = meta;
  return `${repository ? `${repository.replace(/\/$/, "")}/` : ""}${name}:${tag}`;
}
