import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { AdmissionPlugin } from "@rookery/apiserver";
import { plainFieldManager } from "../../test/plain-field-manager.ts";
import { createStored, greeting, path } from "../../test/stored.ts";

const fieldManager = plainFieldManager;

function managers(body: { metadata: { managedFields?: readonly { manager: string }[] } }) {
  return body.metadata.managedFields?.map(({ manager }) => manager);
}

describe("an account of fields is kept", () => {
  const userAgents: Record<string, [headers: object, query: string, manager: string]> = {
    "of the manager that a client says": [{ "user-agent": "kubectl/v1" }, "?fieldManager=me", "me"],
    "of the client's product": [{ "user-agent": "kubectl/v1.34 (linux)" }, "", "kubectl"],
    "of a client that says nothing": [{}, "", "unknown"],
    "without what can't be printed": [{ "user-agent": "a\tb c/1" }, "", "ab c"],
    "without bytes that are no text": [{ "user-agent": "caf\u00e9/1" }, "", "caf\ufffd"],
    "of no more than 128 bytes": [{ "user-agent": "x".repeat(200) }, "", "x".repeat(128)],
  };
  for (const [sentence, [headers, query, manager]] of Object.entries(userAgents)) {
    test(sentence, async () => {
      const { ask } = createStored({ fieldManager });
      const answer = await ask(`${path}${query}`, { body: greeting(), headers: { ...headers } });
      assert.deepEqual(managers(answer.body), [manager]);
    });
  }

  test("by creations, replacements and patches", async () => {
    const { ask } = createStored({ fieldManager });
    await ask(`${path}?fieldManager=a`, { body: greeting() });
    const put = await ask(`${path}/x?fieldManager=b`, {
      method: "PUT",
      body: greeting({ metadata: { name: "x", resourceVersion: "1" } }),
    });
    assert.deepEqual(managers(put.body), ["b"]);
    const headers = { "content-type": "application/merge-patch+json" };
    const patch = { method: "PATCH", headers, body: { spec: { times: 2 } } };
    assert.deepEqual(managers((await ask(`${path}/x?fieldManager=c`, patch)).body), ["c"]);
  });

  test("and stays as it was where the kind keeps none", async () => {
    const { ask } = createStored();
    const managedFields = [{ manager: "someone" }];
    const { body } = await ask(path, {
      body: greeting({ metadata: { name: "x", managedFields } }),
    });
    assert.deepEqual(managers(body), ["someone"]);
  });
});

describe("plugins that mutate", () => {
  function createAdmitted(managedFields: readonly object[] | undefined) {
    let seen: unknown;
    const plugin: AdmissionPlugin = {
      name: "meddler",
      operations: ["CREATE"],
      mutate: ({ object }) => {
        seen = object?.metadata.managedFields;
        return { ...greeting(), metadata: { name: "x", ...(managedFields && { managedFields }) } };
      },
    };
    return { ...createStored({ fieldManager }, { admission: [plugin] }), seen: () => seen };
  }

  test("see the account", async () => {
    const { ask, seen } = createAdmitted(undefined);
    await ask(`${path}?fieldManager=me`, { body: greeting() });
    assert.equal((seen() as { manager: string }[])[0]?.manager, "me");
  });

  test("may change it", async () => {
    const { ask } = createAdmitted([{ manager: "they" }]);
    assert.deepEqual(managers((await ask(path, { body: greeting() })).body), ["they"]);
  });

  test("can't spoil it", async () => {
    const { ask } = createAdmitted([{ manager: "" }]);
    const { body, headers } = await ask(`${path}?fieldManager=me`, { body: greeting() });
    assert.deepEqual(managers(body), ["me"]);
    assert.match(
      String(headers.warning),
      /\.metadata\.managedFields was in an invalid state after admission; .*: no manager/,
    );
  });

  test("leave no owner twice", async () => {
    const owner = { apiVersion: "v1", kind: "Pod", name: "a", uid: "1" };
    const plugin: AdmissionPlugin = {
      name: "owner",
      operations: ["CREATE"],
      mutate: () => greeting({ metadata: { name: "x", ownerReferences: [owner, owner] } }),
    };
    const { ask } = createStored({}, { admission: [plugin] });
    const { body, headers } = await ask(path, { body: greeting() });
    assert.deepEqual(body.metadata.ownerReferences, [owner]);
    assert.match(String(headers.warning), /duplicate entries after mutating admission happens;/);
  });
});
