import type {
  Answer,
  CustomResourceDefinition,
  Exchange,
  Memory,
  Scenario,
} from "@rookery/testing";
import { normalize } from "@rookery/testing";

/** A custom kind that has nothing particular about it. */
export const nest = {
  group: "registry.testing.rookery.dev",
  kind: "Nest",
  plural: "nests",
  namespaced: true,
  schema: {
    type: "object",
    properties: {
      spec: { type: "object", properties: { size: { type: "integer" } } },
      status: { type: "object", properties: { eggs: { type: "integer" } } },
    },
  },
} as const;

export const nestDefinition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `${nest.plural}.${nest.group}` },
  spec: {
    group: nest.group,
    scope: "Namespaced",
    names: { plural: nest.plural, kind: nest.kind },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: nest.schema },
        subresources: { status: {} },
      },
    ],
  },
} as unknown as CustomResourceDefinition;

interface Subject {
  readonly name: string;
  /** Of all namespaces. */
  readonly root: string;
  readonly plural: string;
  readonly object: object;
}

const subjects: readonly Subject[] = [
  { name: "ConfigMaps", root: "/api/v1", plural: "configmaps", object: {} },
  {
    name: "a custom kind",
    root: `/apis/${nest.group}/v1`,
    plural: nest.plural,
    object: { apiVersion: `${nest.group}/v1`, kind: nest.kind, spec: { size: 1 } },
  },
];

/** Answers by what two servers can have in common. */
export function comparable(answers: readonly Answer[], namespace: string): Answer[] {
  const text = JSON.stringify(normalize(answers, namespace), (key, value) =>
    key === "managedFields" ? undefined : value,
  );
  return JSON.parse(text.replace(/current: \d+/g, "current: {version}"));
}

const mine = "labelSelector=scenario%3D{ns}";
const pathOf = ({ root, plural }: Subject) => `${root}/namespaces/{ns}/${plural}`;

function make(subject: Subject, name: string): Exchange {
  const metadata = { name, labels: { scenario: "{ns}", [name]: "yes" } };
  const body = { ...subject.object, metadata };
  return {
    what: `making ${name}`,
    method: "POST",
    path: pathOf(subject),
    body,
    keep: name,
    silent: true,
  };
}

const versionOf = (object: Memory[string]): string => object?.metadata?.resourceVersion;
const tokenOf = (list: Memory[string]): string => list?.metadata?.continue;

function encoded(token: unknown): string {
  return Buffer.from(JSON.stringify(token)).toString("base64url");
}

function paging(subject: Subject): Scenario {
  const path = pathOf(subject);
  const list = (what: string, query: string | ((memory: Memory) => string)): Exchange => ({
    what,
    path: (memory) => `${path}?${mine}&${typeof query === "string" ? query : query(memory)}`,
  });
  const v = "meta.k8s.io/v1";
  const bad: Record<string, string> = {
    "that is no base64": "a$b",
    "that is no object": encoded([]),
    "of another version": encoded({ v: "x", rv: 1, start: "a" }),
    "without a version": encoded({ v, rv: 0, start: "a" }),
    "without a start": encoded({ v, rv: 5, start: "" }),
    "that leads elsewhere": encoded({ v, rv: 5, start: "../x" }),
    "of another type": encoded({ v, rv: "5", start: "a" }),
    "that goes on with what is there": encoded({ v, rv: -1, start: "/b\0" }),
  };
  return {
    name: `pages of ${subject.name}`,
    exchanges: [
      ...["a", "b", "c", "d", "e"].map((name) => make(subject, name)),
      { ...list("the first page", "limit=2"), keep: "first" },
      { what: "removing d", method: "DELETE", path: `${path}/d`, silent: true },
      make(subject, "f"),
      list("the second page", ({ first }) => `limit=2&continue=${tokenOf(first)}`),
      list("the rest", ({ first }) => `continue=${tokenOf(first)}`),
      list("a page of a version", ({ first }) => `continue=${tokenOf(first)}&resourceVersion=5`),
      list("a page of any version", ({ first }) => `continue=${tokenOf(first)}&resourceVersion=0`),
      {
        what: "a page after which nothing is selected",
        path: `${path}?${mine},a&limit=1`,
      },
      {
        what: "a page of all namespaces",
        path: `${subject.root}/${subject.plural}?${mine}&limit=1`,
      },
      {
        ...list("any version with a limit", "limit=2&resourceVersion=0"),
        // A cache hears of the last changes some time later.
        until: ({ body }) => {
          const { items = [] } = body as { items?: { metadata: { name: string } }[] };
          return items.map(({ metadata }) => metadata.name).join() === "a,b,c,e,f";
        },
      },
      list("a version with a limit", ({ c }) => `limit=9&resourceVersion=${versionOf(c)}`),
      list("one with a limit", "fieldSelector=metadata.name%3Da&limit=1"),
      list("one on a page that is none", "fieldSelector=metadata.name%3Da&continue=nonsense"),
      ...Object.entries(bad).map(([what, token]) => list(`a token ${what}`, `continue=${token}`)),
    ],
  };
}

function versions(subject: Subject): Scenario {
  const path = pathOf(subject);
  const get = (what: string, target: string): Exchange => ({ what, path: `${path}${target}` });
  const far = "resourceVersion=99999999999";
  return {
    name: `versions of ${subject.name}`,
    exchanges: [
      make(subject, "a"),
      {
        ...get("one of an old version", "/a?resourceVersion=1"),
        // It comes from a cache, which hears of the last changes some time later.
        until: ({ status }) => status === 200,
      },
      get("one of a version to come", `/a?${far}`),
      get("one of a version below zero", "/a?resourceVersion=-1"),
      get("one of a version beyond numbers", "/a?resourceVersion=99999999999999999999"),
      get("all of a version to come", `?${mine}&${far}`),
      get("all of exactly a version to come", `?${mine}&${far}&resourceVersionMatch=Exact`),
      get(
        "one name of exactly a version to come",
        `?fieldSelector=metadata.name%3Da&${far}&resourceVersionMatch=Exact`,
      ),
    ],
  };
}

function watching(subject: Subject): Scenario {
  const path = pathOf(subject);
  const watch = (what: string, query: string): Exchange => ({
    what,
    // A machine that is busy takes seconds to tell what is there.
    path: `${path}?watch=1&timeoutSeconds=5&${query}`,
    watch: true,
  });
  const one = "fieldSelector=metadata.name%3Da";
  const match = "resourceVersionMatch=NotOlderThan";
  const far = "resourceVersion=99999999999";
  return {
    name: `watches of ${subject.name}`,
    exchanges: [
      make(subject, "a"),
      {
        what: "waiting until a cache has heard of a",
        path: `${path}/a?resourceVersion=0`,
        until: ({ status }) => status === 200,
        silent: true,
      },
      watch("from a version to come", far),
      watch("initial events of a version to come", `${far}&sendInitialEvents=true&${match}`),
      watch("no initial events", `sendInitialEvents=false&${match}&allowWatchBookmarks=true`),
      watch("one name from any version", `${one}&resourceVersion=0&allowWatchBookmarks=true`),
      watch("initial events without bookmarks", `${one}&sendInitialEvents=true&${match}`),
      {
        what: "a version below zero",
        path: `${path}?watch=1&timeoutSeconds=1&resourceVersion=-1`,
      },
    ],
  };
}

/** What clients get from a storage, by the versions that they name and the pages that they take. */
export const registryScenarios: readonly Scenario[] = subjects.flatMap((subject) => [
  paging(subject),
  versions(subject),
  watching(subject),
]);
