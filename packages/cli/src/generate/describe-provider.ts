import type { ProviderComponents } from "./provider-components.ts";

/** What is known of a release of a provider, without its components. */
export function describeProvider(release: ProviderComponents): string {
  const { provider, url, version, file, namespace, variables, images } = release;
  const facts = [
    ["Name:", provider.name],
    ["Type:", provider.kind],
    ["URL:", baseOf(url)],
    ["Version:", version],
    ["File:", file],
    ["TargetNamespace:", namespace],
  ];
  const list = (title: string, items: readonly string[]) =>
    items.length > 0 ? [title, ...items.map((item) => `  - ${item}`)] : [];
  return [
    ...facts.map(([name = "", value]) => `${name.padEnd(20)}${value}`),
    ...list("Variables:", variables),
    ...list("Images:", images),
    ...["", ""],
  ].join("\n");
}

/** Without the version and the file. */
function baseOf(url: string): string {
  return url.split("/").slice(0, -2).join("/").concat("/");
}
