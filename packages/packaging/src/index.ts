/**
 * The published artifacts: the bundle of the `rookery` command (`bundle/`) and its image, made without
 * Docker (`images/`). `commands/` has the programs of `npm run bundle` and `npm run image`.
 */
export { filesBelow, writeBundle } from "./bundle/bundle-command.ts";
export { UnavailableError } from "./errors.ts";
export { fetchPackage, lockedPackages } from "./images/debian-packages.ts";
export { type Image, imageContent, writeImage } from "./images/image.ts";
export { type NodeImageOptions, nodeImage, rookeryImage } from "./images/rookery-image.ts";
export type { TarEntry } from "./tar.ts";
