import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** All files of a folder, in an order of their own. A nested node_modules is left out. */
export function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) return [];
  const items = readdirSync(folder, { withFileTypes: true });
  return items
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((item) => {
      const path = join(folder, item.name);
      if (item.isDirectory()) return item.name === "node_modules" ? [] : filesBelow(path);
      return item.isFile() ? [path] : [];
    });
}
