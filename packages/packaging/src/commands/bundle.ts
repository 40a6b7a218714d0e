/** `npm run bundle [-- --folder place]`: the published form of the command, in packages/cli/dist. */
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { writeBundle } from "../bundle/bundle-command.ts";

const published = join(import.meta.dirname, "../../../cli/dist");
const { values } = parseArgs({ options: { folder: { type: "string", default: published } } });
const folder = resolve(values.folder);
const files = await writeBundle(folder);
const bytes = files.reduce((total, { content }) => total + Buffer.byteLength(content), 0);
console.log(`${folder}: ${files.length} files, ${(bytes / 1e6).toFixed(1)} MB`);
