import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { FieldError, fieldPath } from "@rookery/kube";
import { goStruct } from "./internal-form.ts";

type Shown = Record<string, unknown> & { Spec: Record<string, unknown> };

function shown(template: Parameters<typeof goStruct>[1]): Shown {
  return JSON.parse(JSON.stringify(goStruct("PodTemplateSpec", template))) as Shown;
}

describe("a template in an error", () => {
  it("begins with its metadata, and has fields by their names in Go", () => {
    const error = FieldError.invalid(
      fieldPath("spec", "template"),
      goStruct("PodTemplateSpec", { metadata: { labels: { b: "2", a: "1" } }, spec: {} }),
      "field is immutable",
    );
    const head = '{"labels":{"a":"1","b":"2"},"Spec":{"Volumes":null,"InitContainers":null,';
    assert.ok(error.body.startsWith(`Invalid value: ${head}`), error.body);
  });

  it("has what is of the host in its security context", () => {
    const { Spec } = shown({ spec: { hostNetwork: true, securityContext: { runAsUser: 1 } } });
    const context = Spec.SecurityContext as Record<string, unknown>;
    assert.equal(context.HostNetwork, true);
    assert.equal(context.HostPID, false);
    assert.equal(context.RunAsUser, 1);
    assert.equal(Object.keys(Spec).includes("HostNetwork"), false);
  });

  it("says null of lists that are empty", () => {
    assert.equal(shown({ spec: { containers: [] } }).Spec.Containers, null);
  });

  it("has the fields of a volume's source beside its name", () => {
    const { Spec } = shown({
      spec: { volumes: [{ name: "v", rbd: { monitors: ["m"], image: "i" } }] },
    });
    const [volume] = Spec.Volumes as Record<string, unknown>[];
    assert.equal(volume?.Name, "v");
    assert.equal(volume?.EmptyDir, null);
    const source = volume?.RBD as Record<string, unknown>;
    assert.deepEqual([source.CephMonitors, source.RBDImage], [["m"], "i"]);
  });
});
