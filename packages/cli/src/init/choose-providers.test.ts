import assert from "node:assert/strict";
import { test } from "node:test";
import { chooseProviders } from "./choose-providers.ts";

const words = (providers: ReturnType<typeof chooseProviders>) =>
  providers.map(({ kind, name, version }) => [kind, name, version].filter(Boolean).join(" "));

test("a first init adds the core and the kubeadm providers", () => {
  assert.deepEqual(words(chooseProviders({ infrastructure: ["aws"] }, [])), [
    "CoreProvider cluster-api",
    "BootstrapProvider kubeadm",
    "ControlPlaneProvider kubeadm",
    "InfrastructureProvider aws",
  ]);
});

test("what is named takes the place of what is usual, and a dash leaves it out", () => {
  const flags = { core: ["cluster-api:v1.13.6"], bootstrap: ["talos"], controlPlane: ["-"] };
  assert.deepEqual(words(chooseProviders(flags, [])), [
    "CoreProvider cluster-api v1.13.6",
    "BootstrapProvider talos",
  ]);
});

test("where there is a core, nothing is added", () => {
  const there = [{ kind: "CoreProvider", name: "cluster-api" }] as const;
  assert.deepEqual(chooseProviders({}, there), []);
  assert.deepEqual(words(chooseProviders({ ipam: ["in-cluster"] }, there)), [
    "IPAMProvider in-cluster",
  ]);
});

test("what is usual and there already is not added again", () => {
  const there = [{ kind: "BootstrapProvider", name: "kubeadm" }] as const;
  assert.deepEqual(words(chooseProviders({}, there)), [
    "CoreProvider cluster-api",
    "ControlPlaneProvider kubeadm",
  ]);
});
