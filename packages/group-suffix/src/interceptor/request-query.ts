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
  if (fields === undefined || !query.includes("fieldSelector=")) return query;
  const parameters = query.split("&").map((parameter) => {
    const [, value] = /^fieldSelector=(.*)$/.exec(parameter) ?? [];
    if (value === undefined) return parameter;
    const selector = new URLSearchParams(parameter).get("fieldSelector") ?? "";
    const renamed = renameSelector(selector, fields, mapping);
    return renamed === selector ? parameter : `fieldSelector=${encodeURIComponent(renamed)}`;
  });
  return parameters.join("&");
}

/** Whether a query asks for a watch, as API servers read it: everything but "0" and "false" does. */
export function asksForWatch(query: string): boolean {
  // A letter may be written as %77.
  if (!/watch|%/.test(query)) return false;
  const watch = new URLSearchParams(query).get("watch");
  return watch !== null && watch !== "0" && watch.toLowerCase() !== "false";
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
