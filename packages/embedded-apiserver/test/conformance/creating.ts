import type { Exchange, Scenario } from "@rookery/testing";
import { collectionOf, nameOf, objectOf, type Subject, table } from "./subject.ts";

/** Creations of a kind, good and bad. */
export function creating(subject: Subject): Scenario {
  const path = collectionOf(subject);
  const post = (
    what: string,
    body: Exchange["body"] & {},
    more: Partial<Exchange> = {},
  ): Exchange => ({
    what,
    method: "POST",
    path,
    body,
    ...more,
  });
  const withMetadata = (metadata: Record<string, unknown>) => objectOf(subject, "m", metadata);
  const text = JSON.stringify(objectOf(subject, "t"));
  const unknownField = { ...objectOf(subject, "u"), nonsense: 1 };
  return {
    name: `creating ${subject.name}`,
    exchanges: [
      post("a good one", objectOf(subject, "a")),
      post("it again", objectOf(subject, "a")),
      { what: "it can be read", path: `${path}/${nameOf(subject, "a")}` },
      post(
        "with a generated name",
        withMetadata({ name: undefined, generateName: `${nameOf(subject, "x")}-gen-` }),
      ),
      post("without a name", withMetadata({ name: undefined })),
      post("with a bad name", withMetadata({ name: "No Name!" })),
      post("with a name that is too long", withMetadata({ name: "n".repeat(300) })),
      post("in another namespace", withMetadata({ namespace: "elsewhere" })),
      post("of another kind", { ...objectOf(subject, "k"), kind: "Other" }),
      post("of another version", { ...objectOf(subject, "k"), apiVersion: "other/v1" }),
      post("without a kind", { metadata: { name: nameOf(subject, "k") } }),
      post("as malformed JSON", `${text.slice(0, -1)},}`),
      post("with nothing", ""),
      post("as a list", "[]"),
      post("as YAML", yamlOf(objectOf(subject, "y")), { contentType: "application/yaml" }),
      post("as something else", text, { contentType: "text/plain" }),
      post("for who wants HTML", objectOf(subject, "h"), { headers: { accept: "text/html" } }),
      post("shown as a Table", objectOf(subject, "tab"), { headers: { accept: table } }),
      post("with an unknown field", unknownField),
      post(
        "with an unknown field, ignored",
        { ...unknownField, ...objectOf(subject, "u2") },
        { path: `${path}?fieldValidation=Ignore` },
      ),
      post("with an unknown field, strictly", unknownField, {
        path: `${path}?fieldValidation=Strict`,
      }),
      post("with a field twice, strictly", text.replace('"kind":', '"kind":"Twice","kind":'), {
        path: `${path}?fieldValidation=Strict`,
      }),
      post(
        "with an unknown field of the metadata",
        withMetadata({ name: nameOf(subject, "um"), nonsense: 1 }),
      ),
      post("with an unknown validation", text, { path: `${path}?fieldValidation=Maybe` }),
      post("as a dry run", objectOf(subject, "dry"), { path: `${path}?dryRun=All` }),
      { what: "a dry run leaves nothing", path: `${path}/${nameOf(subject, "dry")}` },
      post("as a dry run of some", text, { path: `${path}?dryRun=Some` }),
      post("by a manager with a long name", text, {
        path: `${path}?fieldManager=${"m".repeat(129)}`,
      }),
      post("by a manager of its own", objectOf(subject, "managed"), {
        path: `${path}?fieldManager=me`,
      }),
      post("with a bad label", withMetadata({ labels: { "bad label": "x" } })),
      post("with a bad value of a label", withMetadata({ labels: { good: "no!" } })),
      post("with labels that are numbers", withMetadata({ labels: { one: 1 } })),
      post("with bad annotations", withMetadata({ annotations: { "bad annotation!": "x" } })),
      post("with bad finalizers", withMetadata({ finalizers: ["plain", "a/b/c"] })),
      post(
        "with bad owners",
        withMetadata({ ownerReferences: [{ apiVersion: "v1", kind: "", name: "", uid: "" }] }),
      ),
      post(
        "with two controllers",
        withMetadata({
          ownerReferences: ["a", "b"].map((name) => ({
            apiVersion: "v1",
            kind: "ConfigMap",
            name,
            uid: name,
            controller: true,
          })),
        }),
      ),
      post(
        "with a resourceVersion",
        withMetadata({ name: nameOf(subject, "rv"), resourceVersion: "5" }),
      ),
      post(
        "with a uid and times of its own",
        withMetadata({
          name: nameOf(subject, "own"),
          uid: "mine",
          creationTimestamp: "2001-01-01T00:00:00Z",
          deletionTimestamp: "2001-01-01T00:00:00Z",
          generation: 7,
        }),
      ),
      post(
        "with managed fields of its own",
        withMetadata({
          name: nameOf(subject, "mf"),
          managedFields: [
            {
              manager: "other",
              operation: "Update",
              apiVersion: subject.apiVersion,
              time: "2001-01-01T00:00:00Z",
              fieldsType: "FieldsV1",
              fieldsV1: { "f:metadata": { "f:labels": { ".": {}, "f:scenario": {} } } },
            },
          ],
        }),
      ),
      ...(subject.status
        ? [post("with a status", { ...objectOf(subject, "st"), status: subject.status.good })]
        : []),
      ...Object.entries(subject.bad).map(([what, patch], index) =>
        post(`with ${what}`, merged(objectOf(subject, `bad${index}`), patch as object)),
      ),
      { what: "a path that leads nowhere", method: "POST", path: `${path}/a/nowhere`, body: {} },
      { what: "a method that is not allowed", method: "PUT", path, body: {} },
    ],
  };
}

/** JSON is YAML; a comment makes sure that it is read as such. */
function yamlOf(object: unknown): string {
  return `# a comment\n${JSON.stringify(object, undefined, 2)}\n`;
}

/** A merge patch, without deletions. */
export function merged(object: object, patch: object): object {
  const result: Record<string, unknown> = { ...object };
  for (const [key, value] of Object.entries(patch)) {
    const old = result[key];
    const isDeep = isPlain(value) && isPlain(old);
    result[key] = isDeep ? merged(old, value) : value;
  }
  return result;
}

function isPlain(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
