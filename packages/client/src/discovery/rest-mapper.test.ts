import assert from "node:assert/strict";
import { beforeEach, describe, it } from "node:test";
import type { Resource } from "@rookery/kube";
import { FakeTime } from "../../test/fake-time.ts";
import { NoMatchError } from "../errors.ts";
import type { ApiResources } from "./resource-index.ts";
import { createRestMapper, type RestMapper } from "./rest-mapper.ts";

function resource(apiVersion: string, kind: string, parts: Partial<Resource> = {}): Resource {
  const [version = "", group = ""] = apiVersion.split("/").reverse();
  const singular = kind.toLowerCase();
  return { group, version, kind, singular, plural: `${singular}s`, namespaced: true, ...parts };
}

const initial: readonly Resource[] = [
  resource("v1", "Event", { shortNames: ["ev"] }),
  resource("v1", "Service", { shortNames: ["svc"] }),
  resource("apps/v1", "Deployment", { shortNames: ["deploy"] }),
  resource("apps/v1beta1", "Deployment", { shortNames: ["deploy"] }),
  resource("events.k8s.io/v1", "Event", { shortNames: ["ev"] }),
  resource("storage.k8s.io/v1", "StorageClass", { plural: "storageclasses", shortNames: ["sc"] }),
  resource("serving.knative.dev/v1", "Service", { shortNames: ["kservice", "ksvc"] }),
  resource("odd.dev/v1", "Thing", { plural: "svc", singular: "svc" }),
];

describe("the REST mapper", () => {
  let served: readonly Resource[];
  let failed: Map<string, Error>;
  let asked: number;
  let time: FakeTime;
  let mapper: RestMapper;
  let answer: () => Promise<ApiResources>;
  beforeEach(() => {
    served = initial;
    failed = new Map();
    asked = 0;
    time = new FakeTime();
    answer = async () => {
      const names = [...new Set(served.map(({ group }) => group))];
      const groups = names.map((name) => ({ name, versions: ["v1"] }));
      return { groups, resources: served, failed };
    };
    const discovery = {
      discover: () => {
        asked += 1;
        return answer();
      },
    };
    mapper = createRestMapper(discovery, { timekeeper: time });
  });

  const kinds: Record<string, [group: string, version: string | undefined, kind: string, string]> =
    {
      "a kind in the preferred version": ["apps", undefined, "Deployment", "apps/v1"],
      "a kind in another version": ["apps", "v1beta1", "Deployment", "apps/v1beta1"],
      "a kind of the core group": ["", undefined, "Event", "/v1"],
      "a kind of the same name": ["events.k8s.io", undefined, "Event", "events.k8s.io/v1"],
    };
  for (const [name, [group, version, kind, expected]] of Object.entries(kinds)) {
    it(`finds ${name}`, async () => {
      const found = await mapper.resourceForKind({ group, kind, ...(version && { version }) });
      assert.equal(`${found.group}/${found.version}`, expected);
      assert.equal(found.kind, kind);
    });
  }

  const names: Record<string, [name: string, expected: string]> = {
    "a plural": ["deployments", "apps/v1 Deployment"],
    "a singular": ["deployment", "apps/v1 Deployment"],
    "capitals as well": ["Deployments", "apps/v1 Deployment"],
    "a short name": ["deploy", "apps/v1 Deployment"],
    "core first": ["events", "/v1 Event"],
    "a short name of core first": ["ev", "/v1 Event"],
    "a name before somebody else's short name": ["svc", "odd.dev/v1 Thing"],
    "a name with its group": ["events.events.k8s.io", "events.k8s.io/v1 Event"],
    "a short name with its group": ["ev.events.k8s.io", "events.k8s.io/v1 Event"],
    "a name with the beginning of its group": [
      "storageclass.storage",
      "storage.k8s.io/v1 StorageClass",
    ],
    "a name with version and group": ["deployments.v1beta1.apps", "apps/v1beta1 Deployment"],
  };
  for (const [name, [text, expected]] of Object.entries(names)) {
    it(`finds ${name}`, async () => {
      const { group, version, kind } = await mapper.resourceFor(text);
      assert.equal(`${group}/${version} ${kind}`, expected);
      assert.deepEqual(await mapper.kindFor(text), { group, version, kind });
    });
  }

  it("asks the server once for all", async () => {
    await Promise.all([mapper.resourceFor("ev"), mapper.resourceFor("svc"), mapper.served()]);
    await mapper.resourceFor("deploy");
    assert.equal(asked, 1);
  });

  it("asks again for what it does not know, but not all the time", async () => {
    const late = { group: "late.dev", kind: "Late" };
    await mapper.served();
    await assert.rejects(mapper.resourceForKind(late), NoMatchError);
    assert.equal(asked, 1, "it has only just asked");

    served = [...initial, resource("late.dev/v1", "Late")];
    await time.pass(999);
    await assert.rejects(mapper.resourceForKind(late), NoMatchError);
    await time.pass(1);
    const found = await Promise.all([mapper.resourceForKind(late), mapper.resourceFor("lates")]);
    assert.deepEqual(found[0], found[1]);
    assert.equal(asked, 2);
  });

  it("asks again when it is reset", async () => {
    await mapper.served();
    served = [resource("late.dev/v1", "Late")];
    mapper.reset();
    assert.equal((await mapper.resourceFor("lates")).kind, "Late");
    await assert.rejects(mapper.resourceFor("deploy"), NoMatchError);
  });

  it("asks again after it failed", async () => {
    const good = answer;
    answer = () => Promise.reject(new Error("unreachable"));
    await assert.rejects(mapper.resourceFor("deploy"), /unreachable/);
    answer = good;
    assert.equal((await mapper.resourceFor("deploy")).kind, "Deployment");

    mapper.reset();
    answer = () => Promise.reject(new Error("unreachable"));
    await assert.rejects(mapper.resourceFor("deploy"), /unreachable/);
    await assert.rejects(mapper.resourceFor("deploy"), /unreachable/);
  });

  it("keeps what it knew of a group that cannot be discovered any more", async () => {
    await mapper.served();
    served = initial.filter(({ group }) => group !== "serving.knative.dev");
    failed.set("serving.knative.dev/v1", new Error("down"));
    mapper.reset();
    assert.equal((await mapper.resourceFor("ksvc")).group, "serving.knative.dev");
    failed.clear();
    mapper.reset();
    await assert.rejects(mapper.resourceFor("ksvc"), NoMatchError);
  });

  describe("says what comes closest", () => {
    const rows: Record<string, [() => Promise<unknown>, RegExp]> = {
      "other versions": [
        () => mapper.resourceForKind({ group: "apps", kind: "Deployment", version: "v2" }),
        /could not find kind "Deployment" in version "apps\/v2": no matches; the server serves it in apps\/v1, apps\/v1beta1$/,
      ],
      "other groups": [
        () => mapper.resourceForKind({ group: "extensions", kind: "Deployment" }),
        /could not find kind "Deployment" in group "extensions": .* serves it in apps\/v1, apps\/v1beta1$/,
      ],
      "other kinds": [
        () => mapper.resourceForKind({ group: "apps", kind: "ReplicaSet" }),
        /could not find kind "ReplicaSet" in group "apps": .* the group has the kinds Deployment$/,
      ],
      "the groups": [
        () => mapper.resourceForKind({ group: "x.dev", kind: "X" }),
        /kind "X" in group "x.dev": .* the server has the groups core, apps, events\.k8s\.io, /,
      ],
      "the groups, for a name": [
        () => mapper.resourceFor("xs"),
        /could not find resource "xs": no matches; the server has the groups core, apps, /,
      ],
      "the group of a name": [
        () => mapper.resourceFor("deployments.extensions"),
        /resource "deployments" in group "extensions": .* the server serves it in apps\/v1$/,
      ],
    };
    for (const [name, [ask, message]] of Object.entries(rows)) {
      it(name, async () => {
        await assert.rejects(ask, (error) => {
          assert(error instanceof NoMatchError);
          assert.match(error.message, message);
          return true;
        });
      });
    }

    it("and what could not be discovered", async () => {
      failed.set("metrics.k8s.io/v1", new Error("stale"));
      await assert.rejects(
        mapper.resourceFor("xs"),
        /; could not be discovered: metrics\.k8s\.io\/v1 \(stale\)$/,
      );
    });
  });
});
