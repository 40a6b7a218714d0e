import type { ImageMeta } from "@rookery/api";
import { type ImageOverrides, imageOverridesFor, tryParseVersion } from "@rookery/components";
import { operatorName, operatorVersion } from "@rookery/operator";
import { ProvidersError } from "../errors.ts";
import type { FoundOperator } from "./find-operator.ts";

/** The image of the operator, with the overrides of the configuration. */
export function operatorImage(images: ImageOverrides): string {
  const meta: ImageMeta = Object.assign({}, ...overridesOf(images));
  const { repository, name = "rookery", tag = operatorVersion } = meta;
  return `${repository ? `${repository.replace(/\/$/, "")}/` : ""}${name}:${tag}`;
}

/** The sources of the image of this version, for an installed operator. */
export interface ImageSources {
  readonly images: ImageOverrides;
  /** The image that the user names. */
  readonly image?: string | undefined;
}

/**
 * The image for an upgrade of the operator: the user's, else that of the configuration, else the installed
 * one with the tag of this version. Throws ProvidersError if the installed tag is not a version.
 */
export function nextOperatorImage(
  { image: installed, version }: Pick<FoundOperator, "image" | "version">,
  { images, image }: ImageSources,
): string {
  if (image !== undefined) return image;
  if (overridesOf(images).length > 0 || installed === "") return operatorImage(images);
  const [, repository = "", tag = "", digest = ""] = imagePattern.exec(installed) ?? [];
  if (version === operatorVersion || (tag === operatorVersion && digest === "")) return installed;
  const isVersion = version === undefined ? tryParseVersion(tag) !== undefined : tag === version;
  if (isVersion && digest === "") return `${repository}:${operatorVersion}`;
  throw new ProvidersError("upgrade the operator", [
    `it runs ${installed}, whose tag is not its version (${version ?? "unknown"}); ` +
      `"rookery upgrade operator --image <image>" names the image of ${operatorVersion}`,
  ]);
}

/** A colon before the last slash belongs to a port. */
const imagePattern = /^(.+?)(?::([^:/@]+))?(?:@(.+))?$/;

function overridesOf(images: ImageOverrides): readonly ImageMeta[] {
  return imageOverridesFor(images, operatorName, "rookery");
}
