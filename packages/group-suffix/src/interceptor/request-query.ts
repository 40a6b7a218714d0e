import { parseQuery } from "@rookery/kube";
import type { Target } from "../body-renamer.ts";
import type { Form } from "../forms/form.ts";
import { renameName } from "../forms/rename-name.ts";
import type { GroupMapping } from "../mapping/group-mapping.ts";

/** The fields that select by something with a group in it, for each resource. */
const selectable: Readonly<Record<string, Readonly<Record<string, Form>>>> = {
  "apiextensions.k8s.io/customresourcedefinitions": { "metadata.name": "resourceName" },
  "apiregistration.k8s.io/apiservices": { "metadata.name": "versionedGroup" },
  "internal.apiserver.k8s.io/storageversions": { "metadata.name": "groupResource" },
  "/events": { "involvedObject.apiVersion": "apiVersion" },
  "events.k8s.io/events": {
    "involvedObject.apiVersion": "apiVersion",
    "regarding.apiVersion": "apiVersion",
  },
};

/** Renames what a query selects by; everything else in it stays as it is. */
export function renameQuery(
  query: string,
  target: Target | undefined,
  mapping: GroupMapping,
): string {
  const fields = selectable[`${target?.group}/${target?.resource}`];
  if (fields === undefined || query === "") return query;
  const parameters = parseQuery(query);
  // Of several, servers read the first.
  const selector = parameters.get("fieldSelector");
  const renamed = selector === null ? null : renameSelector(selector, fields, mapping);
  if (renamed === null || renamed === selector) return query;
  parameters.set("fieldSelector", renamed);
  return parameters.toString();
}

function renameSelector(
  selector: string,
  fields: Readonly<Record<string, Form>>,
  mapping: GroupMapping,
): string {
  const terms = selector.split(",").map((term) => {
    const [, field = "", operator = "", value = ""] = /^(.*?)(==|!=|=)(.*)$/.exec(term) ?? [];
    const form = fields[field.trim()];
    return form === undefined ? term : field + operator + renameName(value, form, mapping);
  });
  return terms.join(",");
}
