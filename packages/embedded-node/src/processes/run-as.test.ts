import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { PodSpec, SecurityContext } from "@rookery/api";
import { containerOf, podOf } from "../../test/pod.ts";
import { commonUser, runAsOf } from "./run-as.ts";

interface Row {
  readonly pod?: PodSpec["securityContext"];
  readonly container?: SecurityContext;
  readonly node?: { readonly uid: number | undefined; readonly canSwitch: boolean };
  readonly user?: object;
  readonly refused?: string;
}

const root = { uid: 0, canSwitch: true };
const bound = { uid: 0, canSwitch: false };
const ordinary = { uid: 1000, canSwitch: false };
const place = '(pod: "web-0_team(uid-1)", container: main)';

describe("the user of a container", () => {
  const rows: Record<string, Row> = {
    "is the node's where the pod names none": {},
    "is nobody's where it must not be root": {
      pod: { runAsNonRoot: true },
      user: { uid: 65_532, gid: 65_532, groups: [] },
    },
    "is the container's rather than the pod's": {
      pod: { runAsNonRoot: true, runAsUser: 1, runAsGroup: 2 },
      container: { runAsUser: 3 },
      user: { uid: 3, gid: 2, groups: [] },
    },
    "has each further group once": {
      pod: { runAsUser: 1, runAsGroup: 5, supplementalGroups: [5, 6], fsGroup: 6 },
      user: { uid: 1, gid: 5, groups: [6] },
    },
    "is root where the pod says so": { pod: { runAsUser: 0 } },
    "is an ordinary user's own, whatever the pod says": {
      pod: { runAsNonRoot: true, runAsUser: 5 },
      node: ordinary,
    },
    "is refused where it is root and must not be": {
      pod: { runAsNonRoot: true },
      container: { runAsUser: 0 },
      refused: `container's runAsUser breaks non-root policy ${place}`,
    },
    "is refused the same for an ordinary user's node": {
      pod: { runAsNonRoot: true, runAsUser: 0 },
      node: ordinary,
      refused: `container's runAsUser breaks non-root policy ${place}`,
    },
    "is refused where root can't become somebody else": {
      pod: { runAsNonRoot: true, runAsUser: 5 },
      node: bound,
      refused:
        `container has runAsNonRoot and image will run as root ${place}: root can't mount or switch ` +
        "users on this machine; start the node as an ordinary user",
    },
    "is root where it can't be somebody else, and may be root": {
      pod: { runAsUser: 5 },
      node: bound,
    },
  };
  for (const [name, { pod, container, node = root, user, refused }] of Object.entries(rows)) {
    it(name, () => {
      const main = containerOf("main", container && { securityContext: container });
      const spec = podOf({ containers: [main], ...(pod && { securityContext: pod }) });
      const find = () => runAsOf(spec, main, node);
      if (refused === undefined) assert.deepEqual(find(), user);
      else assert.throws(find, { code: "ContainerConfig", message: refused });
    });
  }

  it("is the one of all containers, where they have one", () => {
    const of = (...users: (number | undefined)[]) =>
      commonUser(
        podOf({
          securityContext: { runAsUser: 1 },
          containers: users.map((runAsUser, index) =>
            containerOf(`c${index}`, runAsUser ? { securityContext: { runAsUser } } : {}),
          ),
        }),
      );
    assert.deepEqual([of(undefined), of(2, 2), of(undefined, 2)], [1, 2, undefined]);
  });
});
