/**
 * What is published: the bundle of the `rookery` command (`bundle/`) and its image, made without
 * Docker (`images/`). `commands/` has the programs behind `npm run bundle` and `npm run image`.
 */
export { filesBelow } from "./bundle/files-below.ts";
export { writeBundle } from "./bundle/write-bundle.ts";
export { UnavailableError } from "./errors.ts";
export { fetchPackage, lockedPackages } from "./images/debian-packages.ts";
export { type Image, imageContent, writeImage } from "./images/image.ts";
export { type NodeImageOptions, nodeImage } from "./images/node-image.ts";
export { rookeryImage } from "./images/rookery-image.ts";
export type { TarEntry } from "./tar.ts";
