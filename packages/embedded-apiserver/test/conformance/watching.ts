import type { Answer, Exchange, Memory, Scenario } from "@rookery/testing";
import {
  collectionOf,
  mergePatch,
  nameOf,
  objectOf,
  partial,
  type Subject,
  table,
} from "./subject.ts";

/** Watches of what has happened, by everything that a watch can be narrowed with. */
export function watching(subject: Subject): Scenario {
  const path = collectionOf(subject);
  const at = (name: string) => `${path}/${nameOf(subject, name)}`;
  const mine = "labelSelector=scenario%3D{ns}";
  // A machine that is busy takes seconds to tell what is there.
  const watch = (what: string, query: string, headers: Record<string, string> = {}): Exchange => ({
    what,
    path: (memory: Memory) =>
      `${path}?watch=true&timeoutSeconds=5&${query.replace("{rv}", memory.first?.metadata?.resourceVersion ?? "")}`,
    watch: true,
    headers,
  });
  const refused = (
    what: string,
    query: string,
    headers: Record<string, string> = {},
  ): Exchange => ({
    what,
    path: `${path}?watch=true&timeoutSeconds=1&${query}`,
    headers,
  });
  const label = (name: string, labels: Record<string, unknown>): Exchange => ({
    what: `labelling ${name}`,
    method: "PATCH",
    path: at(name),
    contentType: mergePatch,
    body: { metadata: { labels } },
    silent: true,
  });
  return {
    name: `watching ${subject.name}`,
    exchanges: [
      {
        what: "making the first",
        path,
        method: "POST",
        body: objectOf(subject, "first"),
        keep: "first",
        silent: true,
      },
      {
        what: "making the second",
        path,
        method: "POST",
        body: objectOf(subject, "second", { labels: { in: "yes" } }),
        silent: true,
      },
      label("second", { in: "no" }),
      label("second", { in: "yes" }),
      label("first", { in: "yes" }),
      { what: "removing the second", method: "DELETE", path: at("second"), silent: true },
      {
        what: "waiting until a cache has heard of all that",
        path: `${path}?${mine},in%3Dyes&resourceVersion=0`,
        until: hasOnlyTheFirst,
        silent: true,
      },
      watch("everything since the first", `${mine}&resourceVersion={rv}`),
      watch("what enters and leaves a selection", `${mine},in%3Dyes&resourceVersion={rv}`),
      watch(
        "one name",
        `fieldSelector=metadata.name%3D${nameOf(subject, "first")}&resourceVersion={rv}`,
      ),
      watch("what is there, then what comes", mine),
      watch("what is there in a cache", `${mine}&resourceVersion=0`),
      watch("the metadata", `${mine}&resourceVersion={rv}`, { accept: partial }),
      watch("as a Table", `${mine}&resourceVersion={rv}`, { accept: table }),
      watch(
        "initial events with their end",
        `${mine}&sendInitialEvents=true&resourceVersionMatch=NotOlderThan&allowWatchBookmarks=true`,
      ),
      refused("initial events without a match", "sendInitialEvents=true"),
      refused("a version that is none", "resourceVersion=abc"),
      refused("a selector that is none", "labelSelector=a%20b"),
      refused("a field that can't be selected", "fieldSelector=spec.nonsense%3D1"),
      refused("as YAML", "resourceVersion=0", { accept: "application/yaml" }),
    ],
  };
}

function hasOnlyTheFirst({ body }: Answer): boolean {
  const { items = [] } = body as { items?: { metadata: { name: string } }[] };
  return items.length === 1 && items[0]?.metadata.name.endsWith("first") === true;
}
