import { formatPairs } from "../output/table.ts";
import type { ProviderComponents } from "./provider-components.ts";

/** What is known of a release of a provider, without its components; `width` is that of the terminal. */
export function describeProvider(release: ProviderComponents, width?: number): string {
  const { provider, url, version, file, namespace, variables, images } = release;
  const facts: readonly (readonly [string, string])[] = [
    ["Name:", provider.name],
    ["Type:", provider.kind],
    ["URL:", baseOf(url)],
    ["Version:", version],
    ["File:", file],
    ["TargetNamespace:", namespace],
  ];
  const list = (title: string, items: readonly string[]) =>
    items.length > 0 ? [title, ...items.map((item) => `  - ${item}`)] : [];
  const lists = [...list("Variables:", variables), ...list("Images:", images), "", ""];
  return `${formatPairs(facts, { width, gap: 4 })}${lists.join("\n")}`;
}

/** Without the version and the file. */
function baseOf(url: string): string {
  return url.split("/").slice(0, -2).join("/").concat("/");
}
