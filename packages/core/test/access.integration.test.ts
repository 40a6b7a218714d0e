import { after, before, describe, it } from "node:test";
import { createClient, loadConfig } from "@rookery/client";
import { coreRelease } from "@rookery/core";
import type { KubeObject } from "@rookery/kube";
import { CoreWorld, startCore } from "./core-world.ts";
import { stories } from "./stories.ts";
import { play } from "./story.ts";

const account = "system:serviceaccount:rookery-core-system:rookery-core";
const groups = ["system:serviceaccounts", "system:authenticated"];
const kinds = ["Namespace", "ServiceAccount", "ClusterRole", "ClusterRoleBinding"];

/** The rights that it is installed with have to be enough for all that it does. */
describe("the core with the rights of its installation", () => {
  const stack = new AsyncDisposableStack();
  let world: CoreWorld;

  before(async () => {
    world = stack.use(await CoreWorld.start("none"));
    const release = coreRelease({ image: "rookery:test" });
    for (const manifest of release.get("core-components.yaml") ?? []) {
      const object = manifest as KubeObject;
      if (kinds.includes(object.kind)) await (await world.client.kind(object)).create(object);
    }
    const config = await loadConfig({ path: world.kubernetes.kubeconfig });
    const impersonate = { user: account, groups };
    const client = createClient({ ...config, user: { ...config.user, impersonate } });
    stack.use(client);
    stack.use(startCore(client));
  });
  after(() => stack.disposeAsync());

  for (const name of ["provision", "alone", "machine", "apply-once"]) {
    it(`gets through the story ${name}`, async () => {
      await play(stories[name] ?? [], await world.scene(name));
    });
  }
});
