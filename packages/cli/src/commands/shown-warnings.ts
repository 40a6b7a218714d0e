/** Which warnings of an API server nobody wants to see, in clusterctl's words. */
export type HiddenWarnings = "default" | "all" | "none";

/** Finalizers without a domain are no news: providers have had them for years. */
export function shownWarnings(hidden: HiddenWarnings): (warning: string) => boolean {
  if (hidden === "default") return (warning) => !warning.startsWith("metadata.finalizers:");
  return () => hidden === "none";
}
