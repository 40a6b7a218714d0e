import assert from "node:assert/strict";
import { chmod, copyFile, mkdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { after, before, describe, it } from "node:test";
import type { PodSpec } from "@rookery/api";
import { createTemporaryFolder } from "@rookery/testing";
import type { ImagePrograms } from "../src/containers/images.ts";
import { NodeScene, shell, shellImages, statusOf } from "./node-scene.ts";

const isRoot = process.getuid?.() === 0;
const notRoot = { skip: isRoot ? false : "only root runs pods as other users" };
const nonRoot = { runAsNonRoot: true };
const identity = "id -u; id -g; id -G";

describe("the users of pods on a node of processes", () => {
  const stack = new AsyncDisposableStack();
  let scene: NodeScene;
  let closed: string;

  /** A program, and what it reads, that lie where nobody but their owner may enter. */
  before(async () => {
    closed = stack.use(await createTemporaryFolder("closed")).path;
    await mkdir(join(closed, "app"), { mode: 0o755 });
    const program = join(closed, "app", "program");
    await writeFile(program, `#!/bin/sh\ncat ${closed}/app/data; ${identity}\n`);
    await chmod(program, 0o755);
    await writeFile(join(closed, "app", "data"), "data\n", { mode: 0o644 });
    await writeFile(join(closed, "secret"), "secret\n", { mode: 0o644 });
    await copyFile("/bin/sh", join(closed, "private"));
    await chmod(join(closed, "private"), 0o700);
    await mkdir(join(closed, "locked"), { mode: 0o700 });
    scene = stack.use(await NodeScene.start({ flavour: "embedded", images: programs() }));
  });
  after(() => stack.disposeAsync());

  function programs(): ImagePrograms {
    const app = join(closed, "app");
    const program = join(app, "program");
    const own = join(closed, "private");
    const locked = join(closed, "locked");
    const known: Record<string, readonly string[]> = {
      "app:1": [program, app, program],
      "private:1": [own, own],
      "locked:1": ["/bin/sh", locked],
    };
    return {
      hint: "",
      programOf(image) {
        const [entrypoint, ...files] = known[image] ?? [];
        if (entrypoint === undefined) return shellImages.programOf(image);
        return { entrypoint: [entrypoint], files, id: image };
      },
    };
  }

  async function output(name: string, spec: Parameters<NodeScene["create"]>[1]): Promise<string> {
    await scene.create(name, { restartPolicy: "Never", ...spec });
    await scene.waitForPod(name, "to end", ({ status }) => /Succ|Fail/.test(status?.phase ?? ""));
    return scene.log(name);
  }

  it("are another one than root where a pod asks for that", notRoot, async () => {
    const containers = [shell("main", identity)];
    assert.equal(
      await output("plain", { securityContext: nonRoot, containers }),
      "65532\n65532\n65532\n",
    );
    const securityContext = { runAsUser: 1234, runAsGroup: 5, supplementalGroups: [7], fsGroup: 9 };
    assert.equal(await output("named", { securityContext, containers }), "1234\n5\n5 7 9\n");
    assert.equal(await output("root", { containers }), "0\n0\n0\n");
    const own = [shell("main", identity, { securityContext: { runAsUser: 77 } })];
    assert.equal(
      await output("own", { securityContext: { runAsUser: 1 }, containers: own }),
      "77\n77\n77\n",
    );
  });

  it("can't become root again where their container says so", notRoot, async () => {
    const script = "grep NoNewPrivs /proc/self/status";
    const securityContext = { ...nonRoot, allowPrivilegeEscalation: false };
    const containers = [shell("main", script, { securityContext })];
    assert.equal(await output("privileges", { containers }), "NoNewPrivs:\t1\n");
  });

  it("read their program where they may not enter, and nothing beside it", notRoot, async () => {
    const containers = [{ name: "main", image: "app:1" }];
    assert.equal(
      await output("hidden", { securityContext: nonRoot, containers }),
      "data\n65532\n65532\n65532\n",
    );
    const looking = [{ name: "main", image: "app:1", command: ["/bin/sh", "-c"] }].map((one) => ({
      ...one,
      args: [`ls ${closed}; cat ${closed}/secret 2>&1; id -u`],
    }));
    const seen = await output("looking", { securityContext: nonRoot, containers: looking });
    assert.equal(seen, `app\ncat: ${closed}/secret: No such file or directory\n65532\n`);
  });

  it("run a program that its owner alone may read, from a copy", notRoot, async () => {
    const containers = [{ name: "main", image: "private:1", args: ["-c", identity] }];
    assert.equal(
      await output("copied", { securityContext: nonRoot, containers }),
      "65532\n65532\n65532\n",
    );
  });

  it("are refused in a kubelet's words where it is impossible", async () => {
    const containers = [{ name: "main", image: "locked:1", securityContext: nonRoot }];
    const impossible: (readonly [string, PodSpec, RegExp])[] = isRoot
      ? [
          [
            "locked",
            { containers },
            /^container has runAsNonRoot and image will run as root \(pod: "locked_.*\(.*\)", container: main\): user 65532 may not read .*locked$/,
          ],
        ]
      : [];
    const rows: (readonly [string, PodSpec, RegExp])[] = [
      ...impossible,
      [
        "breaking",
        { securityContext: { ...nonRoot, runAsUser: 0 }, containers: [shell("main", "id -u")] },
        /^container's runAsUser breaks non-root policy \(pod: "breaking_.*\(.*\)", container: main\)$/,
      ],
    ];
    for (const [name, spec, message] of rows) {
      await scene.create(name, spec);
      const pod = await scene.waitForPod(
        name,
        "to be refused",
        (one) => statusOf(one).state?.waiting?.reason === "CreateContainerConfigError",
      );
      assert.match(statusOf(pod).state?.waiting?.message ?? "", message);
      await scene.delete(name, 0);
    }
  });

  it("read and write their volumes", notRoot, async () => {
    await scene.putSecret("keys", { key: "for the group" });
    const projected = { sources: [{ serviceAccountToken: { path: "token" } }] };
    const script = `
      cat /keys/key; echo; test -s /token/token && echo token; stat -L -c '%u %g %a' /token/token /keys/key
      echo written > /scratch/file && stat -c '%g' /scratch/file
      (echo over > /keys/key) 2>/dev/null || echo read-only
      echo message > /dev/termination-log; cat /etc/hosts >/dev/null && echo hosts`;
    const volumeMounts = ["keys", "token", "scratch"].map((name) => ({
      name,
      mountPath: `/${name}`,
    }));
    const spec = {
      securityContext: { ...nonRoot, runAsUser: 4321, fsGroup: 99 },
      volumes: [
        { name: "keys", secret: { secretName: "keys", defaultMode: 0o400 } },
        { name: "token", projected },
        { name: "scratch", emptyDir: {} },
      ],
      containers: [shell("main", script, { volumeMounts })],
    };
    assert.equal(
      await output("volumes", spec),
      "for the group\ntoken\n4321 99 640\n0 99 440\n99\nread-only\nhosts\n",
    );
    const { status } = await scene.get("volumes");
    assert.match(status?.containerStatuses?.[0]?.state?.terminated?.message ?? "", /^message/);
  });

  it("run what is executed, attached to and probed in their pods, too", notRoot, async () => {
    const readinessProbe = { exec: { command: ["sh", "-c", 'test "$(id -u)" = 65532'] } };
    const main = shell("main", "while read -r line; do echo got $line; done", {
      stdin: true,
      readinessProbe,
    });
    await scene.create("talking", { securityContext: nonRoot, containers: [main] });
    const { metadata } = await scene.waitForReady("talking");
    const of = {
      namespace: scene.namespace,
      pod: "talking",
      uid: metadata.uid ?? "",
      container: "main",
    };
    const options = { stdin: false, stdout: true, stderr: true, tty: false };
    const command = await scene.node.streams.exec(of, ["sh", "-c", "id -u"], options);
    command.stderr?.resume();
    assert.equal(command.stdout && (await text(command.stdout)), "65532\n");
    const terminal = await scene.node.streams.exec(of, ["sh", "-c", "id -u; tty"], {
      ...options,
      tty: true,
    });
    terminal.stderr?.resume();
    assert.match((terminal.stdout && (await text(terminal.stdout))) ?? "", /^65532\r\n\/dev\/pts/);
    const attached = await scene.node.streams.attach(of, { ...options, stdin: true });
    attached.stdin?.write("hello\n");
    assert.match(await scene.waitForLog("talking", /got hello/), /got hello/);
    attached.leave();
  });

  it("find nothing of the node's own files", notRoot, async () => {
    const files = ["pods", "logs", "programs"].map((name) => join(scene.folder, name));
    const script = files.map((file) => `ls ${file} >/dev/null 2>&1 && echo ${file}`).join("; ");
    const containers = [shell("main", `${script}; echo done`)];
    assert.equal(await output("curious", { securityContext: nonRoot, containers }), "done\n");
    assert.equal((await stat(join(scene.folder, "logs"))).mode & 0o077, 0);
  });
});
