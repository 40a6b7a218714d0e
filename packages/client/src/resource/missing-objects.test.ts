import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  alreadyExistsError,
  conflictError,
  type KubeObject,
  notFoundError,
  type ObjectKey,
} from "@rookery/kube";
import { getOptional, ignoreAlreadyExists, ignoreNotFound } from "./missing-objects.ts";
import type { GetOptions } from "./options.ts";

const nests = { group: "nests.example", resource: "nests" };
const nest: KubeObject = { apiVersion: "nests.example/v1", kind: "Nest", metadata: { name: "a" } };
const missing = notFoundError(nests, "a");
const existing = alreadyExistsError(nests, "a");
const conflict = conflictError(nests, "a", "it has changed");

describe("getOptional", () => {
  it("returns the object that is there, read with the options", async () => {
    const requests: unknown[] = [];
    const get = async (key: ObjectKey, options?: GetOptions) => {
      requests.push([key, options]);
      return nest;
    };
    const options = { resourceVersion: "0" };
    assert.equal(await getOptional({ get }, { name: "a" }, options), nest);
    assert.deepEqual(requests, [[{ name: "a" }, options]]);
  });

  it("returns undefined for a missing object, and throws everything else", async () => {
    const failing = (error: Error) => ({ get: () => Promise.reject<KubeObject>(error) });
    assert.equal(await getOptional(failing(missing), { name: "a" }), undefined);
    await assert.rejects(getOptional(failing(conflict), { name: "a" }), conflict);
  });
});

describe("ignoreNotFound", () => {
  it("ignores NotFound alone, also as a cause", async () => {
    const wrapped = new Error("could not read the nest", { cause: missing });
    assert.equal(await ignoreNotFound(Promise.reject(wrapped)), undefined);
    assert.equal(await ignoreNotFound(Promise.resolve(nest)), nest);
    await assert.rejects(ignoreNotFound(Promise.reject(existing)), existing);
  });
});

describe("ignoreAlreadyExists", () => {
  it("ignores AlreadyExists alone", async () => {
    assert.equal(await ignoreAlreadyExists(Promise.reject(existing)), undefined);
    assert.equal(await ignoreAlreadyExists(Promise.resolve(nest)), nest);
    await assert.rejects(ignoreAlreadyExists(Promise.reject(conflict)), conflict);
  });
});
