/** `npm run bundle`: the published form of the command, in packages/cli/dist. */
import { join } from "node:path";
import { writeBundle } from "@rookery/testing";
import { root } from "./steps.ts";

const folder = join(root, "packages", "cli", "dist");
const files = await writeBundle(folder);
const bytes = files.reduce((total, { content }) => total + Buffer.byteLength(content), 0);
console.log(`${folder}: ${files.length} files, ${(bytes / 1e6).toFixed(1)} MB`);
