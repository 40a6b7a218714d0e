import { test } from "node:test";
import type { Node } from "@rookery/api";
import { builtInResources } from "@rookery/kube";
import { waitFor } from "@rookery/testing";
import { find, startScene } from "../../test/scene.ts";

const nodes = builtInResources.nodes;

test("taints follow the conditions of a node, and others' taints stay", async () => {
  await using scene = await startScene();
  const taints = [{ key: "mine", effect: "NoSchedule" }];
  const metadata = { name: "n" };
  const condition = (type: string, status: string) => ({ type, status });
  const status = { conditions: [condition("Ready", "False")] };
  await scene.create({ apiVersion: "v1", kind: "Node", metadata, spec: { taints }, status }, nodes);
  const tainted = (...keys: readonly string[]) =>
    waitFor(
      async () => {
        const node = (await find(scene, nodes, { name: "n" })) as Node;
        return (node.spec?.taints ?? []).map(({ key }) => key).join() === keys.join();
      },
      { what: `the taints ${keys}` },
    );
  await tainted("mine", "node.kubernetes.io/not-ready");
  const say = async (patch: object, subresource: "status" | "spec") => {
    const all = scene.client.resource(nodes);
    const options = { type: "merge", patch } as const;
    if (subresource === "status") await all.status.patch({ name: "n" }, options);
    else await all.patch({ name: "n" }, options);
  };
  await say({ status: { conditions: [condition("Ready", "True")] } }, "status");
  await tainted("mine");
  await say({ spec: { unschedulable: true } }, "spec");
  await tainted("mine", "node.kubernetes.io/unschedulable");
  const pressed = [condition("Ready", "Unknown"), condition("DiskPressure", "True")];
  await say({ status: { conditions: pressed } }, "status");
  await say({ spec: { unschedulable: null } }, "spec");
  await tainted("mine", "node.kubernetes.io/unreachable", "node.kubernetes.io/disk-pressure");
});
