import type { Exchange, Memory, Scenario } from "@rookery/testing";
import { collectionOf, mergePatch, nameOf, objectOf, type Subject } from "./subject.ts";

/** Deletions of one and of many, with everything that may hold them up. */
export function deleting(subject: Subject): Scenario {
  const path = collectionOf(subject);
  const at = (name: string) => `${path}/${nameOf(subject, name)}`;
  const make = (name: string, metadata: Record<string, unknown> = {}): Exchange => ({
    what: `making ${name}`,
    method: "POST",
    path,
    body: objectOf(subject, name, metadata),
    keep: name,
    silent: true,
  });
  const remove = (what: string, name: string, more: Partial<Exchange> = {}): Exchange => ({
    what,
    method: "DELETE",
    path: at(name),
    ...more,
  });
  const options = (more: object) => ({ apiVersion: "v1", kind: "DeleteOptions", ...more });
  const uidOf = (name: string) => (memory: Memory) =>
    options({ preconditions: { uid: memory[name]?.metadata?.uid } });
  const release = { metadata: { finalizers: null } };
  return {
    name: `deleting ${subject.name}`,
    exchanges: [
      remove("what is not there", "missing"),
      make("a"),
      remove("as a dry run", "a", { path: `${at("a")}?dryRun=All` }),
      remove("with another uid", "a", {
        body: options({ preconditions: { uid: "22222222-2222-2222-2222-222222222222" } }),
      }),
      remove("with another version", "a", {
        body: options({ preconditions: { resourceVersion: "1" } }),
      }),
      remove("with a policy that is none", "a", {
        body: options({ propagationPolicy: "Sideways" }),
      }),
      remove("with two policies", "a", {
        body: options({ propagationPolicy: "Orphan", orphanDependents: true }),
      }),
      remove("with a negative grace", "a", { body: options({ gracePeriodSeconds: -5 }) }),
      remove("with options that are malformed", "a", { body: "{" }),
      remove("with options of another kind", "a", { body: { kind: "Other", apiVersion: "v1" } }),
      remove("with its uid", "a", { body: uidOf("a") }),
      remove("it again", "a"),
      make("held", { finalizers: ["example.com/hold"] }),
      remove("what a finalizer holds", "held"),
      { what: "what a finalizer holds, read", path: at("held") },
      remove("what a finalizer holds, again", "held", {
        path: `${at("held")}?gracePeriodSeconds=0`,
      }),
      {
        what: "a new finalizer while it goes",
        method: "PATCH",
        path: at("held"),
        contentType: mergePatch,
        body: { metadata: { finalizers: ["example.com/hold", "example.com/more"] } },
      },
      {
        what: "a label while it goes",
        method: "PATCH",
        path: at("held"),
        contentType: mergePatch,
        body: { metadata: { labels: { going: "yes" } } },
      },
      {
        what: "letting it go",
        method: "PATCH",
        path: at("held"),
        contentType: mergePatch,
        body: release,
      },
      { what: "what was let go, read", path: at("held") },
      make("tried", { finalizers: ["example.com/hold"] }),
      remove("what a finalizer holds, as a dry run", "tried", {
        path: `${at("tried")}?dryRun=All`,
      }),
      { what: "what was only tried, read", path: at("tried") },
      make("background"),
      remove("in the background", "background", {
        body: options({ propagationPolicy: "Background" }),
      }),
      make("query"),
      remove("with a policy in the query", "query", {
        path: `${at("query")}?propagationPolicy=Background&gracePeriodSeconds=0`,
      }),
      ...["x", "y", "z"].map((name) =>
        make(name, { labels: { many: name === "z" ? "no" : "yes" } }),
      ),
      {
        what: "many, as a dry run",
        method: "DELETE",
        path: `${path}?labelSelector=scenario%3D{ns},many%3Dyes&dryRun=All`,
      },
      { what: "many, by a bad selector", method: "DELETE", path: `${path}?labelSelector=a%20b` },
      { what: "many", method: "DELETE", path: `${path}?labelSelector=scenario%3D{ns},many%3Dyes` },
      { what: "what is left of many", path: `${path}?labelSelector=scenario%3D{ns},many` },
      {
        what: "letting the last one go",
        method: "PATCH",
        path: at("tried"),
        contentType: mergePatch,
        body: release,
      },
    ],
  };
}
