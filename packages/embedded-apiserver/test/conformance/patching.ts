import type { Exchange, Scenario } from "@rookery/testing";
import {
  applyPatch,
  collectionOf,
  jsonPatch,
  mergePatch,
  nameOf,
  objectOf,
  type Subject,
  strategicPatch,
} from "./subject.ts";

/** Patches of every type, good and bad, and server-side apply. */
export function patching(subject: Subject): Scenario {
  const path = collectionOf(subject);
  const one = `${path}/${nameOf(subject, "a")}`;
  const { pointer, otherValue, change } = subject;
  const patch = (
    what: string,
    contentType: string,
    body: Exchange["body"] & {},
    more: Partial<Exchange> = {},
  ): Exchange => ({
    what,
    method: "PATCH",
    path: one,
    contentType,
    body,
    ...more,
  });
  const labels = (values: Record<string, unknown>) => ({ metadata: { labels: values } });
  const operation = (op: string, more: object = {}) => [{ op, path: pointer, ...more }];
  return {
    name: `patching ${subject.name}`,
    exchanges: [
      {
        what: "making it",
        path,
        method: "POST",
        body: objectOf(subject, "a"),
        keep: "first",
        silent: true,
      },
      patch("merged", mergePatch, change),
      patch("merged with the same", mergePatch, change),
      patch("merged with a null", mergePatch, labels({ scenario: null, other: "x" })),
      patch(
        "merged with an old version",
        mergePatch,
        ({ first }: { first: { metadata: object } }) => ({
          metadata: {
            resourceVersion: (first.metadata as { resourceVersion: string }).resourceVersion,
            labels: { x: "y" },
          },
        }),
      ),
      patch("merged with another name", mergePatch, { metadata: { name: "other" } }),
      patch("merged with another kind", mergePatch, { kind: "Other" }),
      patch("merged with a text", mergePatch, '"text"'),
      patch("merged with malformed JSON", mergePatch, "{"),
      patch("merged with an unknown field", mergePatch, { nonsense: 1 }),
      patch(
        "merged with an unknown field, strictly",
        mergePatch,
        { nonsense: 1 },
        { path: `${one}?fieldValidation=Strict` },
      ),
      patch("merged as a dry run", mergePatch, labels({ dry: "run" }), {
        path: `${one}?dryRun=All`,
      }),
      patch("merged with force", mergePatch, labels({ dry: "run" }), { path: `${one}?force=true` }),
      patch("merged into nothing", mergePatch, labels({ a: "b" }), {
        path: `${path}/${nameOf(subject, "missing")}`,
      }),
      patch("merged with a bad label", mergePatch, labels({ "no!": "x" })),
      patch("replaced by an operation", jsonPatch, operation("replace", { value: otherValue })),
      patch("tested well", jsonPatch, [
        { op: "test", path: pointer, value: otherValue },
        { op: "add", path: "/metadata/annotations", value: { tested: "yes" } },
      ]),
      patch("tested badly", jsonPatch, operation("test", { value: "nonsense" })),
      patch("removed where nothing is", jsonPatch, [{ op: "remove", path: "/metadata/nothing" }]),
      patch("replaced where nothing is", jsonPatch, [
        { op: "replace", path: "/nothing/at/all", value: 1 },
      ]),
      patch("an operation that is none", jsonPatch, [{ op: "shout", path: "/metadata" }]),
      patch("operations that are no list", jsonPatch, { op: "add" }),
      patch("operations that are malformed", jsonPatch, "[{"),
      patch("copied and moved", jsonPatch, [
        { op: "copy", from: "/metadata/name", path: "/metadata/annotations/copied" },
        { op: "move", from: "/metadata/annotations/tested", path: "/metadata/annotations/moved" },
      ]),
      patch("no operations", jsonPatch, []),
      patch("strategically", strategicPatch, labels({ strategic: "yes", other: null })),
      patch("strategically with a text", strategicPatch, '"text"'),
      patch("strategically with a directive", strategicPatch, {
        metadata: { labels: { $patch: "replace", only: "this" } },
      }),
      patch("strategically with a bad directive", strategicPatch, {
        metadata: { labels: { $patch: "shout" } },
      }),
      patch("by a type that is none", "application/nonsense+json", {}),
      patch("by JSON", "application/json", {}),
      ...Object.entries(subject.bad).map(([what, bad]) =>
        patch(`merged with ${what}`, mergePatch, bad as object),
      ),
      ...applying(subject, { path, one }),
    ],
  };
}

function applying(subject: Subject, { path, one }: { path: string; one: string }): Exchange[] {
  const applied = `${path}/${nameOf(subject, "applied")}`;
  const apply = (
    what: string,
    body: Exchange["body"] & {},
    query: string,
    at = applied,
  ): Exchange => ({
    what: `applied: ${what}`,
    method: "PATCH",
    path: `${at}?${query}`,
    contentType: applyPatch,
    body,
  });
  const wanted = objectOf(subject, "applied");
  const { apiVersion, kind } = subject;
  const only = (labels: Record<string, unknown>, more: object = {}) => ({
    apiVersion,
    kind,
    metadata: { name: nameOf(subject, "applied"), labels, ...more },
    ...(subject.custom || subject.kind === "PriorityClass" ? subject.content : {}),
  });
  return [
    apply("without a manager", wanted, ""),
    apply("what is new", wanted, "fieldManager=one"),
    apply("the same again", wanted, "fieldManager=one"),
    apply("a label by another", only({ mine: "two" }), "fieldManager=two"),
    apply("a label that another manages", only({ mine: "three" }), "fieldManager=three"),
    apply(
      "a label that another manages, by force",
      only({ mine: "three" }),
      "fieldManager=three&force=true",
    ),
    apply("less than before", only({ scenario: "{ns}" }), "fieldManager=one&force=true"),
    apply("with managed fields", only({}, { managedFields: [] }), "fieldManager=one"),
    apply(
      "with managed fields of someone",
      only({}, { managedFields: [{ manager: "x", operation: "Apply" }] }),
      "fieldManager=one",
    ),
    apply("with another name", { ...wanted, metadata: { name: "other" } }, "fieldManager=one"),
    apply("without a kind", { metadata: { name: nameOf(subject, "applied") } }, "fieldManager=one"),
    apply("an unknown field", { ...only({}), nonsense: 1 }, "fieldManager=one&force=true"),
    apply(
      "an unknown field, strictly",
      { ...only({}), nonsense: 1 },
      "fieldManager=one&fieldValidation=Strict",
    ),
    apply("malformed YAML", "a: [", "fieldManager=one"),
    apply("as a dry run", only({ dry: "run" }), "fieldManager=four&dryRun=All&force=true"),
    apply("an old version", only({}, { resourceVersion: "1" }), "fieldManager=one&force=true"),
    apply(
      "onto what was created otherwise",
      objectOf(subject, "a", { labels: { applied: "too" } }),
      "fieldManager=one&force=true",
      one,
    ),
    ...(subject.status
      ? [
          {
            ...apply(
              "a status",
              {
                apiVersion,
                kind,
                metadata: { name: nameOf(subject, "applied") },
                ...(subject.custom ? subject.content : {}),
                status: subject.status.good,
              },
              "fieldManager=controller",
            ),
            path: `${applied}/status?fieldManager=controller&force=true`,
          },
        ]
      : []),
    { what: "applied: what there is then", path: applied },
  ];
}
