import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { FieldManager } from "@rookery/apiserver";
import { groupVersionKindOf, type KubeObject, type Status, StatusError } from "@rookery/kube";
import {
  type CustomResourceDefinition,
  type Kubernetes,
  startKubernetes,
  type TestNamespace,
} from "@rookery/testing";
import { createBuiltInFieldManager } from "../../src/managed-fields/built-in-field-manager.ts";
import { createFieldManager } from "../../src/managed-fields/field-manager.ts";
import type { MergeSchema } from "../../src/managed-fields/merge-schema.ts";
import { mergeSchemaOfProps } from "../../src/managed-fields/schema-of-open-api.ts";
import { builtInSubjects } from "./built-in-subjects.ts";
import { customSubject, group, otherSchema, schema } from "./custom-subjects.ts";
import type { Step, Subject } from "./sequence.ts";

const contentTypes = {
  create: "application/json",
  update: "application/json",
  merge: "application/merge-patch+json",
  json: "application/json-patch+json",
  strategic: "application/strategic-merge-patch+json",
  apply: "application/apply-patch+yaml",
};

const nests: CustomResourceDefinition = {
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `nests.${group}` },
  spec: {
    group,
    scope: "Namespaced",
    names: { kind: "Nest", plural: "nests" },
    versions: [
      {
        name: "v1",
        served: true,
        storage: true,
        schema: { openAPIV3Schema: schema },
        subresources: { status: {} },
      },
      {
        name: "v2",
        served: true,
        storage: false,
        schema: { openAPIV3Schema: otherSchema },
        subresources: { status: {} },
      },
    ],
  },
};

const customSchemas: Readonly<Record<string, MergeSchema>> = {
  [`${group}/v1`]: mergeSchemaOfProps(schema),
  [`${group}/v2`]: mergeSchemaOfProps(otherSchema),
};

function managerOf({ resetFields, ...subject }: Subject, apiVersion: string): FieldManager {
  const { kind, model, goType } = subject;
  if (model !== undefined && goType !== undefined) {
    const { group: own, version } = groupVersionKindOf({ apiVersion, kind });
    return createBuiltInFieldManager({ ...subject, group: own, version, model, goType });
  }
  return createFieldManager({
    apiVersion,
    kind,
    schema: (version) => customSchemas[version],
    convert: (object, version) => ({ ...object, apiVersion: version }),
    ...(resetFields && { resetFields }),
  });
}

describe("fields are managed as a real kube-apiserver manages them", () => {
  let kubernetes: Kubernetes;
  let namespace: TestNamespace;
  before(async () => {
    kubernetes = await startKubernetes();
    await kubernetes.applyCrd(nests);
    namespace = await kubernetes.createNamespace("managed-fields");
  });
  after(async () => {
    await kubernetes?.[Symbol.asyncDispose]();
  });

  for (const subject of [...builtInSubjects, customSubject]) {
    Object.entries(subject.sequences).forEach(([sentence, steps], index) => {
      test(`${subject.kind}: ${sentence}`, async () => {
        const name = `s${index}`;
        let live: KubeObject | undefined;
        for (const step of steps) live = await compare(subject, step, { name, live });
      });
    });
  }

  interface Place {
    readonly name: string;
    readonly live: KubeObject | undefined;
  }

  async function compare(subject: Subject, step: Step, place: Place) {
    const { name } = place;
    const { apiVersion = subject.apiVersion } = step;
    const manager = managerOf(subject, apiVersion);
    const live = place.live && { ...place.live, apiVersion };
    const body = bodyOf(subject, step, place);
    const answer = await send(subject, step, { name, body });
    const isFailure = answer.kind === "Status";
    const time = isFailure ? new Date() : latest(answer);
    const change = { manager: step.as, subresource: step.subresource ?? "", time };
    if (step.by !== "apply") {
      assert.ok(!isFailure, JSON.stringify(answer));
      const next = asAsked(answer, { subject, step, live, body });
      const ours = await manager.update(next, live, change);
      assertSameEntries(subject, ours, answer);
      return answer;
    }
    const ours = await applied(manager, body as KubeObject, live, {
      ...change,
      force: step.force ?? false,
    });
    if (isFailure) {
      assert.deepEqual(withoutOrder(ours), withoutOrder(answer));
      return live;
    }
    assert.ok(ours.kind !== "Status", JSON.stringify(ours));
    assertSameEntries(subject, ours as KubeObject, answer);
    assertContained(contentOf(ours as KubeObject), contentOf(answer));
    return answer;
  }

  async function send(
    subject: Subject,
    step: Step,
    { name, body }: { name: string; body: unknown },
  ) {
    const { apiVersion = subject.apiVersion } = step;
    const { plural } = subject;
    const root = apiVersion.includes("/") ? `/apis/${apiVersion}` : `/api/${apiVersion}`;
    const collection = `${root}/namespaces/${namespace.name}/${plural}`;
    const part = step.subresource ? `/${step.subresource}` : "";
    const query = `?fieldManager=${step.as}${step.by === "apply" && step.force ? "&force=true" : ""}`;
    const method = { create: "POST", update: "PUT" }[step.by as string] ?? "PATCH";
    const path = step.by === "create" ? collection : `${collection}/${name}${part}`;
    const headers = { "content-type": contentTypes[step.by] };
    const response = await kubernetes.request(method, path + query, {
      headers,
      body: JSON.stringify(body),
    });
    return response.body as KubeObject;
  }

  function bodyOf(
    subject: Subject,
    { by, body, apiVersion = subject.apiVersion }: Step,
    { name, live }: Place,
  ): unknown {
    if (by !== "create" && by !== "update" && by !== "apply") return body;
    const { kind } = subject;
    const { metadata = {}, ...rest } = body as Partial<KubeObject>;
    const { resourceVersion } = live?.metadata ?? {};
    const own = {
      namespace: namespace.name,
      name,
      ...(by === "update" && resourceVersion !== undefined && { resourceVersion }),
    };
    return { apiVersion, kind, metadata: { ...metadata, ...own }, ...rest };
  }
});

/** Built-in kinds have their fields in an order of their own, custom ones by name. */
function assertSameEntries(subject: Subject, ours: KubeObject, theirs: KubeObject): void {
  const [own, other] = [ours.metadata.managedFields, theirs.metadata.managedFields];
  assert.deepEqual(own, other);
  const fieldsOf = (entries: typeof own) => entries?.map(({ fieldsV1 }) => fieldsV1);
  if (subject.model) assert.equal(JSON.stringify(fieldsOf(own)), JSON.stringify(fieldsOf(other)));
}

async function applied(
  manager: FieldManager,
  wanted: KubeObject,
  live: KubeObject | undefined,
  change: Parameters<FieldManager["apply"]>[2],
): Promise<KubeObject | Status> {
  try {
    return await manager.apply(wanted, live, change);
  } catch (error) {
    if (error instanceof StatusError) return error.status;
    throw error;
  }
}

function latest({ metadata }: KubeObject): Date {
  const times = (metadata.managedFields ?? []).map(({ time = "" }) => time).sort();
  return new Date(times.at(-1) ?? 0);
}

interface Asked {
  readonly subject: Subject;
  readonly step: Step;
  readonly live: KubeObject | undefined;
  readonly body: unknown;
}

/** The object as the account was kept of it: with the entries that the client sent. */
function asAsked(answer: KubeObject, { subject, step, live, body }: Asked): KubeObject {
  const { managedFields: _, ...metadata } = answer.metadata;
  const sent = (body as Partial<KubeObject>).metadata;
  const isPatch = step.by !== "create" && step.by !== "update";
  const says = sent !== undefined && "managedFields" in sent;
  const entries = isPatch && !says ? live?.metadata.managedFields : sent?.managedFields;
  const allocated = step.by === "create" ? (subject.allocated ?? []) : [];
  const object = allocated.reduce(without, answer);
  return { ...object, metadata: { ...metadata, ...(entries && { managedFields: entries }) } };
}

function without<T>(value: T, [name = "", ...rest]: readonly string[]): T {
  const { [name]: part, ...others } = value as Record<string, unknown>;
  if (rest.length === 0) return others as T;
  return { ...others, [name]: without(part, rest) } as T;
}

/** Causes come in any order of managers. */
function withoutOrder(status: KubeObject | Status): unknown {
  const { details, ...rest } = status as Status;
  const causes = details?.causes?.map((cause) => JSON.stringify(cause)).sort();
  return { ...rest, details: { ...details, causes } };
}

/** What an apply decides on; the server counts generations and versions. */
function contentOf({ metadata, status: _, ...content }: KubeObject): unknown {
  const { labels, annotations, finalizers, ownerReferences } = metadata;
  return { ...content, metadata: { labels, annotations, finalizers, ownerReferences } };
}

/** The server has filled in defaults, and drops what is nothing. */
function assertContained(ours: unknown, theirs: unknown): void {
  if (ours === null || ours === undefined) return;
  if (Array.isArray(ours) && Array.isArray(theirs)) {
    assert.equal(ours.length, theirs.length, JSON.stringify([ours, theirs]));
    for (const [index, item] of ours.entries()) assertContained(item, theirs[index]);
  } else if (typeof ours === "object" && typeof theirs === "object" && theirs !== null) {
    for (const [key, value] of Object.entries(ours)) {
      assertContained(value, (theirs as Record<string, unknown>)[key]);
    }
  } else if (!isEmptyMap(ours)) assert.deepEqual(ours, theirs);
}

function isEmptyMap(value: unknown): boolean {
  return typeof value === "object" && Object.keys(value ?? {}).length === 0;
}
