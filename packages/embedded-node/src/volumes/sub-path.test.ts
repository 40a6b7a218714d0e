import assert from "node:assert/strict";
import { symlink } from "node:fs/promises";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { VolumeMount } from "@rookery/api";
import { createTemporaryFolder } from "@rookery/testing";
import { subPathOf } from "./sub-path.ts";

const variables = { UP: "..", ROOT: "/etc", NAME: "team/web", EMPTY: "" };

describe("the part of a volume that a container mounts", () => {
  const good: Record<string, [VolumeMount, string | undefined]> = {
    "is the whole volume where none is named": [{}, undefined],
    "is a path in it": [{ subPath: "a/b" }, "a/b"],
    "is named by variables": [{ subPathExpr: "x-$(NAME)/$$(UP)" }, "x-team/web/$(UP)"],
  };
  for (const [name, [mount, part]] of Object.entries(good)) {
    it(name, async () => {
      await using folder = await createTemporaryFolder("part");
      const found = subPathOf(mount, { volume: folder.path, container: "c", variables });
      assert.equal(found?.source, part && join(folder.path, part));
    });
  }

  const bad: Record<string, [VolumeMount, string]> = {
    "a variable that goes up": [
      { subPathExpr: "$(UP)/$(UP)/etc" },
      "unable to provision SubPath `../../etc`: must not contain '..'",
    ],
    "a variable that begins at the root": [
      { subPathExpr: "$(ROOT)" },
      "error SubPath `/etc` must not be an absolute path",
    ],
    "variables that are not there, or empty": [
      { subPathExpr: "$(NONE)$(EMPTY)$(NAME)" },
      "missing value for EMPTY, NONE",
    ],
    "a path that goes up": [
      { subPath: "a/../../b" },
      "unable to provision SubPath `a/../../b`: must not contain '..'",
    ],
    "a link that leads out": [
      { name: "data", subPath: "out/x" },
      'failed to prepare subPath for volumeMount "data" of container "c"',
    ],
  };
  for (const [name, [mount, message]] of Object.entries(bad)) {
    it(`is refused in a kubelet's words for ${name}`, async () => {
      await using folder = await createTemporaryFolder("part");
      await symlink("/tmp", join(folder.path, "out"));
      assert.throws(() => subPathOf(mount, { volume: folder.path, container: "c", variables }), {
        code: "ContainerConfig",
        message,
      });
    });
  }
});
