import type { Exchange, Memory, Scenario } from "@rookery/testing";
import { merged } from "./creating.ts";
import {
  collectionOf,
  jsonPatch,
  mergePatch,
  nameOf,
  objectOf,
  type Subject,
  strategicPatch,
} from "./subject.ts";

/** Replacements of an object, good and bad. */
export function updating(subject: Subject): Scenario {
  const path = collectionOf(subject);
  const one = `${path}/${nameOf(subject, "a")}`;
  const put = (
    what: string,
    change: (now: object, memory: Memory) => unknown,
    more: Partial<Exchange> = {},
  ): Exchange => ({
    what,
    method: "PUT",
    path: one,
    body: (memory: Memory) => change(memory.now, memory),
    ...more,
  });
  const look: Exchange = { what: "looking", path: one, keep: "now", silent: true };
  const metadata = (more: Record<string, unknown>) => (now: object) =>
    merged(now, { metadata: more });
  return {
    name: `updating ${subject.name}`,
    exchanges: [
      {
        what: "making it",
        path,
        method: "POST",
        body: objectOf(subject, "a"),
        keep: "first",
        silent: true,
      },
      look,
      put("with a change", (now) => merged(now, subject.change), { keep: "now" }),
      put("with no change", (now) => now),
      put("with an old version", (_, { first }) =>
        merged(first, { metadata: { labels: { x: "y" } } }),
      ),
      put("without a version", (now) =>
        merged(now, { metadata: { resourceVersion: undefined, labels: { unconditional: "yes" } } }),
      ),
      look,
      put("with another uid", metadata({ uid: "11111111-1111-1111-1111-111111111111" })),
      put("with another name", metadata({ name: "other" })),
      put("without a name", metadata({ name: undefined })),
      put("in another namespace", metadata({ namespace: "elsewhere" })),
      put("with another time of creation", metadata({ creationTimestamp: "2001-01-01T00:00:00Z" })),
      look,
      put("with a time of deletion", metadata({ deletionTimestamp: "2001-01-01T00:00:00Z" })),
      look,
      put("with another generation", metadata({ generation: 77 })),
      look,
      put("with no managed fields", metadata({ managedFields: [{}] })),
      look,
      put("with an empty list of managed fields", metadata({ managedFields: [] })),
      look,
      put(
        "of what is not there",
        (now) =>
          merged(now, {
            metadata: {
              name: nameOf(subject, "missing"),
              uid: undefined,
              resourceVersion: undefined,
            },
          }),
        { path: `${path}/${nameOf(subject, "missing")}` },
      ),
      put("as a dry run", metadata({ labels: { dry: "run" } }), { path: `${one}?dryRun=All` }),
      put("by another manager", metadata({ labels: { by: "other" } }), {
        path: `${one}?fieldManager=other`,
        keep: "now",
      }),
      put("with an unknown field, strictly", (now) => ({ ...now, nonsense: 1 }), {
        path: `${one}?fieldValidation=Strict`,
      }),
      put("of another kind", (now) => ({ ...now, kind: "Other" })),
      put("as malformed JSON", () => "{"),
      ...Object.entries(subject.bad).map(([what, patch]) =>
        put(`with ${what}`, (now) => merged(now, patch as object)),
      ),
      put("with finalizers", metadata({ finalizers: ["example.com/keep"] }), { keep: "now" }),
      put("without finalizers", metadata({ finalizers: [] }), { keep: "now" }),
      ...(subject.status ? statusExchanges(subject, { one, look }) : []),
      ...(subject.scale ? scaleExchanges(one) : []),
    ],
  };
}

function statusExchanges(
  subject: Subject,
  { one, look }: { one: string; look: Exchange },
): Exchange[] {
  const status = `${one}/status`;
  const good = subject.status?.good ?? {};
  return [
    look,
    { what: "the status, read", path: status },
    {
      what: "the status, replaced",
      method: "PUT",
      path: status,
      body: ({ now }: Memory) => merged(now, { status: good, spec: { ignored: true } }),
    },
    look,
    {
      what: "the status, replaced by the same",
      method: "PUT",
      path: status,
      body: ({ now }: Memory) => now,
    },
    {
      what: "the status, with an old version",
      method: "PUT",
      path: status,
      body: ({ first }: Memory) => merged(first, { status: good }),
    },
    {
      what: "the status, merged",
      method: "PATCH",
      path: status,
      contentType: mergePatch,
      body: {
        status: { observedGeneration: 1, phase: "Other" },
        metadata: { labels: { not: "taken" } },
      },
    },
    {
      what: "the status, patched",
      method: "PATCH",
      path: status,
      contentType: jsonPatch,
      body: [{ op: "add", path: "/status/phase", value: "Third" }],
    },
    {
      what: "the status, by a write of the object",
      method: "PATCH",
      path: one,
      contentType: mergePatch,
      body: { status: { phase: "Fourth" } },
    },
    {
      what: "the status that is no status",
      method: "PATCH",
      path: status,
      contentType: mergePatch,
      body: { status: 3 },
    },
    {
      what: "the status, strategically",
      method: "PATCH",
      path: status,
      contentType: strategicPatch,
      body: { status: {} },
    },
    { what: "the status, deleted", method: "DELETE", path: status },
  ];
}

function scaleExchanges(one: string): Exchange[] {
  const scale = `${one}/scale`;
  return [
    { what: "the scale, read", path: scale, keep: "scale" },
    {
      what: "the scale, replaced",
      method: "PUT",
      path: scale,
      body: ({ scale }: Memory) => merged(scale, { spec: { replicas: 4 } }),
    },
    {
      what: "the scale, with an old version",
      method: "PUT",
      path: scale,
      body: ({ scale }: Memory) => merged(scale, { spec: { replicas: 5 } }),
    },
    {
      what: "the scale, merged",
      method: "PATCH",
      path: scale,
      contentType: mergePatch,
      body: { spec: { replicas: 6 } },
    },
    {
      what: "the scale, negative",
      method: "PATCH",
      path: scale,
      contentType: mergePatch,
      body: { spec: { replicas: -6 } },
    },
    {
      what: "the scale, as another kind",
      method: "PUT",
      path: scale,
      body: { kind: "Other", apiVersion: "v1" },
    },
    { what: "the scaled object", path: one },
  ];
}
