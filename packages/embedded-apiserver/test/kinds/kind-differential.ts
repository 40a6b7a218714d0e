import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { resourcePath } from "@rookery/kube";
import {
  type Kubernetes,
  type KubernetesResponse,
  notOnEmbedded,
  startKubernetes,
  type TestNamespace,
} from "@rookery/testing";
import type { BuiltInKind } from "../../src/kinds/declaration/kind.ts";
import { judgeLocally, type Verdict } from "./kind-verdict.ts";

/**
 * An object to be created, or, where there is an old one, to take its place. Without apiVersion, kind,
 * name and namespace: the suite says them.
 */
export interface Row {
  /** Or what is made of the old one as it is stored. */
  readonly object: object | ((stored: StoredObject) => object);
  readonly old?: object;
  /** Of the old object, written before: as a controller would have done. */
  readonly oldStatus?: object;
  /** Whether the status alone is written. */
  readonly status?: boolean;
  /** Another subresource that is written as the status is. */
  readonly subresource?: string;
}

/** A copy of what the server has. */
// biome-ignore lint/suspicious/noExplicitAny: what it is made of is known to the row alone
export type StoredObject = any;

export interface DifferentialOptions {
  readonly rows: Readonly<Record<string, Row>>;
  /** Takes out of both what the embedded server leaves to others, such as admission. */
  readonly normalize?: (object: Record<string, unknown>) => void;
  /**
   * Whether problems may come in any order: maps of Go have none. The message, which is made of them,
   * is not compared then.
   */
  readonly anyOrder?: boolean;
  /** Rows that are left out where the server is the embedded one, whose dry runs say more. */
  readonly notOnEmbedded?: readonly string[];
  /** Cells that differ with time, beside the age. */
  readonly volatileColumns?: readonly string[];
  /** The server that is asked, for as long as the suite lasts; that of the run unless told otherwise. */
  readonly start?: () => Promise<Kubernetes>;
}

const onEmbedded = await notOnEmbedded("it is declared as a difference");
const concurrency = 12;
const accept = "application/json;as=Table;g=meta.k8s.io;v=v1,application/json";

/**
 * Sends rows to a real kube-apiserver, as dry runs, and compares what it says of each with what the
 * kind says: the object with its defaults and allocations, or the Status, the warnings, and the cells
 * of its Table.
 */
export function compareKind(kind: BuiltInKind, options: DifferentialOptions): void {
  describe(`${kind.kind} is judged as by a real kube-apiserver`, () => {
    const compared = new Map<string, Comparison>();
    let kubernetes: Kubernetes;
    let namespace: TestNamespace;
    before(async () => {
      kubernetes = await (options.start ?? startKubernetes)();
      namespace = await kubernetes.createNamespace(`differential-${kind.plural}`);
      await createAccount(kubernetes, namespace.name);
      const suite = new Suite(kind, { kubernetes, namespace: namespace.name, options });
      await inParallel(Object.entries(options.rows), async ([name, row], i) => {
        compared.set(name, await suite.compare(row, i).catch(asFailure));
      });
    });
    after(async () => {
      await namespace?.[Symbol.asyncDispose]();
      await kubernetes?.[Symbol.asyncDispose]();
    });
    for (const name of Object.keys(options.rows)) {
      const skip = options.notOnEmbedded?.includes(name) && onEmbedded;
      test(name, { skip }, () => {
        const { ours, theirs, failure } = compared.get(name) ?? {};
        if (failure) throw failure;
        assert.deepEqual(ours, theirs);
      });
    }
  });
}

interface Comparison {
  readonly ours?: unknown;
  readonly theirs?: unknown;
  /** Why there is nothing to compare. */
  readonly failure?: Error;
}

function asFailure(failure: Error): Comparison {
  return { failure };
}

interface Place {
  readonly kubernetes: Kubernetes;
  readonly namespace: string;
  readonly options: DifferentialOptions;
}

/** Pods need one; without a controller manager nobody makes it. */
async function createAccount(kubernetes: Kubernetes, namespace: string): Promise<void> {
  await kubernetes.request("POST", `/api/v1/namespaces/${namespace}/serviceaccounts`, {
    body: { metadata: { name: "default" } },
  });
}

async function inParallel<T>(
  items: readonly T[],
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  let next = 0;
  const worker = async () => {
    for (let i = next++; i < items.length; i = next++) await work(items[i] as T, i);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

class Suite {
  readonly #kind: BuiltInKind;
  readonly #place: Place;

  constructor(kind: BuiltInKind, place: Place) {
    this.#kind = kind;
    this.#place = place;
  }

  async compare(row: Row, index: number): Promise<Comparison> {
    // Objects without a namespace share their names with all suites of the run.
    const prefix = this.#kind.namespaced ? "" : `${this.#place.namespace}-`;
    const name = `${prefix}row-${index}`;
    const old = row.old === undefined ? undefined : await this.#createOld(row, name);
    const wanted = typeof row.object === "function" ? row.object(structuredClone(old)) : row.object;
    const object = this.#named(wanted, name);
    // Controllers of the server may write the old object meanwhile.
    if (!this.#kind.requiresResourceVersion) {
      delete (object.metadata as { resourceVersion?: string }).resourceVersion;
    }
    try {
      const { subresource = row.status ? "status" : undefined } = row;
      const answer = await this.#send(object, old, subresource);
      const status = subresource !== undefined;
      const ours = await judgeLocally(this.#kind, { object, old, status, subresource });
      const theirs = verdictOf(answer);
      // Further subresources are not shown as tables.
      if (row.subresource) return { ours: this.#bare(ours), theirs: this.#bare(theirs) };
      return { ours: this.#shown(ours), theirs: this.#shown(theirs, answer) };
    } finally {
      if (old !== undefined) await this.#delete(name);
    }
  }

  #named(object: object, name: string): Record<string, unknown> {
    const { group, version, kind, namespaced } = this.#kind;
    const { metadata } = object as { metadata?: object };
    return {
      apiVersion: group === "" ? version : `${group}/${version}`,
      kind,
      ...object,
      metadata: { name, ...(namespaced && { namespace: this.#place.namespace }), ...metadata },
    };
  }

  #path(target: { name?: string; subresource?: string }): string {
    const { group, version, plural, namespaced } = this.#kind;
    const { namespace } = this.#place;
    const resource = { group, version, resource: plural };
    return resourcePath(resource, { ...(namespaced && { namespace }), ...target });
  }

  /** What is stored, as the server shows it. */
  async #createOld(row: Row, name: string): Promise<object> {
    const { kubernetes } = this.#place;
    const body = this.#named(row.old ?? {}, name);
    const created = await kubernetes.request("POST", this.#path({}), { body });
    assert.equal(created.status, 201, `could not create the old object: ${created.body.message}`);
    if (row.oldStatus === undefined) return created.body;
    const path = this.#path({ name, subresource: "status" });
    // Of any version: a controller may have written it meanwhile.
    const { resourceVersion: _, ...metadata } = created.body.metadata;
    const status = { ...created.body, metadata, status: row.oldStatus };
    const written = await kubernetes.request("PUT", path, { body: status });
    assert.equal(written.status, 200, `could not write the old status: ${written.body.message}`);
    return written.body;
  }

  #send(
    object: Record<string, unknown>,
    old: object | undefined,
    subresource: string | undefined,
  ): Promise<KubernetesResponse> {
    const { name } = object.metadata as { name: string };
    const target = old === undefined ? {} : { name, ...(subresource && { subresource }) };
    const path = `${this.#path(target)}?dryRun=All&includeObject=Object`;
    const method = old === undefined ? "POST" : "PUT";
    return this.#place.kubernetes.request(method, path, { body: object, headers: { accept } });
  }

  /** At once: nobody is there who would take finalizers off. */
  async #delete(name: string): Promise<void> {
    const { kubernetes } = this.#place;
    await kubernetes.request("PATCH", this.#path({ name }), {
      body: { metadata: { finalizers: null } },
    });
    const body = { gracePeriodSeconds: 0 };
    await kubernetes.request("DELETE", this.#path({ name }), { body });
  }

  #bare(verdict: Verdict): unknown {
    if ("refused" in verdict) return verdict;
    const object = withoutMetadata(verdict.object);
    this.#place.options.normalize?.(object);
    return { object, warnings: verdict.warnings };
  }

  /** Without what differs each time; with the cells where there is an object. */
  #shown(verdict: Verdict, answer?: KubernetesResponse): unknown {
    const { normalize, anyOrder, volatileColumns = [] } = this.#place.options;
    if ("refused" in verdict) return anyOrder ? withoutOrder(verdict.refused) : verdict;
    const ignored = ["Age", ...volatileColumns];
    const cells = this.#kind.columns.map(({ name, value }, i) => {
      if (ignored.includes(name)) return "";
      return answer ? answer.body.rows[0].cells[i] : value(verdict.object as never, new Date());
    });
    const columns = answer
      ? answer.body.columnDefinitions.map(headOf)
      : this.#kind.columns.map(headOf);
    const object = withoutMetadata(verdict.object);
    normalize?.(object);
    return { object, warnings: verdict.warnings, columns, cells };
  }
}

function withoutOrder(refused: object): object {
  const { causes, message: _, ...rest } = refused as { causes: object[]; message: string };
  const sorted = causes
    .map((cause) => JSON.stringify(cause, ["field", "reason", "message"]))
    .sort();
  return { ...rest, causes: sorted };
}

function headOf(column: { name: string; type: string; format?: string; priority?: number }) {
  const { name, type, format = "", priority = 0 } = column;
  return { name, type, format, priority };
}

/** Labels and annotations only: the rest is the registry's. */
function withoutMetadata(object: object): Record<string, unknown> {
  const { metadata, ...rest } = structuredClone(object) as { metadata?: Record<string, unknown> };
  const { labels, annotations, generation } = metadata ?? {};
  const kept = Object.entries({ labels, annotations, generation }).filter(([, value]) => value);
  return { ...rest, metadata: Object.fromEntries(kept) };
}

function verdictOf({ status, body, headers }: KubernetesResponse): Verdict {
  const warning = [headers.warning ?? []].flat();
  const warnings = warning
    .flatMap((text) => [...String(text).matchAll(/299 - "((?:[^"\\]|\\.)*)"/g)])
    .map(([, text = ""]) => text.replaceAll('\\"', '"').replaceAll("\\\\", "\\"));
  if (status >= 300) {
    const { reason, message, details } = body;
    return { refused: { code: status, reason, message, causes: details?.causes ?? [] } };
  }
  return { object: body.kind === "Table" ? body.rows[0].object : body, warnings };
}
