import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import { coreRelease } from "@rookery/core";
import type { KubeObject } from "@rookery/kube";
import { clusterApiSource, whyUnavailable } from "@rookery/testing";
import { parse } from "yaml";

interface Role extends KubeObject {
  readonly rules?: readonly Rule[];
}

interface Rule {
  readonly apiGroups: readonly string[];
  readonly resources: readonly string[];
  readonly verbs: readonly string[];
  readonly resourceNames?: readonly string[];
}

const skip = await whyUnavailable(clusterApiSource);

/** What has no name of its own in Cluster API, whose certificates are another program's. */
const ownAffairs = ["admissionregistration.k8s.io", "events.k8s.io"];

describe("the rights of the core", { skip }, () => {
  const rules = (coreRelease({ image: "rookery:test" }).get("core-components.yaml") ?? [])
    .map((manifest) => manifest as Role)
    .filter(({ kind }) => kind === "ClusterRole")
    .flatMap(({ rules = [] }) => rules);

  it("are among those of Cluster API's own core", async () => {
    const file = join(await clusterApiSource(), "config/rbac/role.yaml");
    const real = (parse(await readFile(file, "utf8")) as Role).rules ?? [];
    const holds = (list: readonly string[], one: string) =>
      list.includes(one) || list.includes("*");
    const isAllowed = (group: string, resource: string, verb: string) =>
      real.some(
        ({ apiGroups, resources, verbs, resourceNames }) =>
          !resourceNames &&
          holds(apiGroups, group) &&
          holds(resources, resource) &&
          holds(verbs, verb),
      );
    for (const { apiGroups, resources, verbs } of rules) {
      for (const group of apiGroups.filter((one) => !ownAffairs.includes(one))) {
        for (const resource of resources) {
          for (const verb of verbs) {
            assert.ok(isAllowed(group, resource, verb), `${verb} ${resource}.${group}`);
          }
        }
      }
    }
  });

  it("name what is written where Cluster API's core has no such right", () => {
    const own = rules.filter(({ apiGroups }) => apiGroups.some((one) => ownAffairs.includes(one)));
    for (const { apiGroups, verbs, resourceNames } of own) {
      if (apiGroups.includes("events.k8s.io")) assert.deepEqual(verbs, ["create", "patch"]);
      else assert.equal(resourceNames?.length, 1);
    }
  });
});
