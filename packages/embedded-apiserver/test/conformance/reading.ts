import type { Exchange, Scenario } from "@rookery/testing";
import {
  allOf,
  collectionOf,
  nameOf,
  objectOf,
  partial,
  partialList,
  type Subject,
  table,
} from "./subject.ts";

/** Reads of a kind: one, many, selected, in pages, in other forms. */
export function reading(subject: Subject): Scenario {
  const path = collectionOf(subject);
  const one = `${path}/${nameOf(subject, "a")}`;
  const get = (
    what: string,
    at: Exchange["path"],
    headers: Record<string, string> = {},
  ): Exchange => ({
    what,
    path: at,
    headers,
  });
  const mine = "labelSelector=scenario%3D{ns}";
  const list = (what: string, query: string, headers: Record<string, string> = {}) =>
    get(what, `${path}?${query}`, headers);
  return {
    name: `reading ${subject.name}`,
    exchanges: [
      ...["a", "b", "c"].map(
        (name, index): Exchange => ({
          what: `making ${name}`,
          path,
          method: "POST",
          body: objectOf(subject, name, {
            labels: { index: `${index}`, ...(name === "b" && { odd: "yes" }) },
          }),
          keep: name,
          silent: true,
        }),
      ),
      get("one", one),
      get("one that is missing", `${path}/${nameOf(subject, "missing")}`),
      get("one as a Table", one, { accept: table }),
      get("one as a Table with its object", `${one}?includeObject=Object`, { accept: table }),
      get("one as a Table with something else", `${one}?includeObject=Some`, { accept: table }),
      get("its metadata", one, { accept: partial }),
      get("its metadata as a list", one, { accept: partialList }),
      get("one as YAML", one, { accept: "application/yaml" }),
      get("one as HTML", one, { accept: "text/html" }),
      get("one, pretty", `${one}?pretty=true`),
      {
        ...get("one from a cache", `${one}?resourceVersion=0`),
        // A cache hears of it some time later.
        until: ({ status }) => status === 200,
      },
      get("one of a version that is none", `${one}?resourceVersion=abc`),
      get("a subresource that is none", `${one}/nothing`),
      list("all", mine),
      list("all as a Table", mine, { accept: table }),
      list("all as a Table without objects", `${mine}&includeObject=None`, { accept: table }),
      list("the metadata of all", mine, { accept: partialList }),
      list("the metadata of all as one", mine, { accept: partial }),
      list("all as YAML", mine, { accept: "application/yaml" }),
      list("by a label", `${mine},index%3D1`),
      list("by labels in a set", `${mine},index%20in%20(0,2)`),
      list("by a label that is not", `${mine},index!%3D1`),
      list("by a label that is there", `${mine},odd`),
      list("by a label that is not there", `${mine},!odd`),
      list("by a selector that is none", "labelSelector=a%20b"),
      list("by a bad label value", "labelSelector=a%3D!!"),
      list("by name", `fieldSelector=metadata.name%3D${nameOf(subject, "b")}`),
      list("by another name", `${mine}&fieldSelector=metadata.name!%3D${nameOf(subject, "b")}`),
      list("by a field that can't be selected", "fieldSelector=spec.nonsense%3D1"),
      list("by a field selector that is none", "fieldSelector=nonsense"),
      get(
        "in all namespaces but one",
        `${allOf(subject)}?${mine}&fieldSelector=metadata.namespace!%3D{ns}`,
      ),
      get("in all namespaces", `${allOf(subject)}?${mine}`),
      { ...list("the first page", `${mine}&limit=2`), keep: "page" },
      get(
        "the second page",
        ({ page }) =>
          `${path}?${mine}&limit=2&continue=${encodeURIComponent(page?.metadata?.continue ?? "")}`,
      ),
      list("a page that is none", `${mine}&limit=2&continue=nonsense`),
      list("a limit that is none", "limit=many"),
      list("a negative limit", `${mine}&limit=-1`),
      get(
        "at least a version",
        ({ a }) =>
          `${path}?${mine}&resourceVersion=${a?.metadata?.resourceVersion}&resourceVersionMatch=NotOlderThan`,
      ),
      get(
        "exactly at a version",
        ({ a }) =>
          `${path}?${mine}&resourceVersion=${a?.metadata?.resourceVersion}&resourceVersionMatch=Exact`,
      ),
      list("exactly at no version", `${mine}&resourceVersion=0&resourceVersionMatch=Exact`),
      list("a match without a version", `${mine}&resourceVersionMatch=Exact`),
      list("a match that is none", `${mine}&resourceVersion=1&resourceVersionMatch=Nearly`),
      list("of a version that is none", `${mine}&resourceVersion=abc`),
      list("with initial events", `${mine}&sendInitialEvents=true`),
      list("from a cache", `${mine}&resourceVersion=0`),
      ...(subject.namespaced
        ? [get("in a namespace that is not there", path.replace("{ns}", "no-such-namespace"))]
        : []),
    ],
  };
}
