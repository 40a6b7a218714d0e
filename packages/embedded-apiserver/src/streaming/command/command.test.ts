import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import type { AdmissionPlugin } from "@rookery/apiserver";
import { badRequestError, forbiddenError } from "@rookery/kube";
import { waitFor } from "@rookery/testing";
import { SpdyClient } from "../../../test/streaming/spdy/spdy-client.ts";
import {
  type FakeCommand,
  nodeObject,
  podObject,
  type StreamingScene,
  spdyHeaders,
  streamingScene,
  webSocketHeaders,
} from "../../../test/streaming/streaming.ts";
import { WebSocketClient } from "../../../test/streaming/websocket/websocket-client.ts";

const exec =
  "/api/v1/namespaces/ns/pods/web/exec?command=sh&command=-c&stdin=1&stdout=true&stderr=1";
const soon = (what: string) => ({ what, interval: 2 });

async function started({ streams }: StreamingScene): Promise<FakeCommand> {
  return waitFor(() => streams.commands[0], soon("the process")) as Promise<FakeCommand>;
}

async function overWebSocket(scene: StreamingScene, protocol: string, target = exec) {
  return new WebSocketClient(await scene.upgrade(target, { headers: webSocketHeaders(protocol) }));
}

async function overSpdy(scene: StreamingScene, protocol: string, types: readonly string[]) {
  const asking = { method: "POST", headers: spdyHeaders(protocol) };
  const client = new SpdyClient(await scene.upgrade(exec, asking));
  const ids: Record<string, number> = {};
  for (const streamtype of types) ids[streamtype] = await client.open({ streamtype });
  return { client, ids };
}

describe("exec", () => {
  test("by a WebSocket of v5: both outputs, the end of the input, the exit code", async () => {
    await using scene = await streamingScene();
    const client = await overWebSocket(scene, "v5.channel.k8s.io");
    const command = await started(scene);
    const [of, words, options] = command.asked;
    assert.deepEqual(of, { namespace: "ns", pod: "web", uid: "uid-web", container: "app" });
    assert.deepEqual(words, ["sh", "-c"]);
    assert.deepEqual(options, { stdin: true, stdout: true, stderr: true, tty: false });
    client.sendOn(0, "input");
    client.send(Buffer.from([255, 0]));
    assert.equal(Buffer.concat(await command.stdin.toArray()).toString(), "input");
    client.sendOn(4, '{"Width":100,"Height":40}\n{"width":1,"height":2}');
    await waitFor(() => command.sizes.length === 2, soon("the sizes"));
    assert.deepEqual(command.sizes, [
      { columns: 100, rows: 40 },
      { columns: 1, rows: 2 },
    ]);
    command.stdout.write("out");
    command.stderr.write("err");
    command.exit(3);
    await client.whenClosed();
    assert.equal(client.channel(1), "out");
    assert.equal(client.channel(2), "err");
    assert.deepEqual(JSON.parse(client.channel(3)), {
      metadata: {},
      status: "Failure",
      message: "command terminated with non-zero exit code: command terminated with exit code 3",
      reason: "NonZeroExitCode",
      details: { causes: [{ reason: "ExitCode", message: "3" }] },
    });
    assert.equal(command.hasBeenLeft, false);
  });

  test("the first message says that it is connected", async () => {
    await using scene = await streamingScene();
    const client = await overWebSocket(scene, "v4.channel.k8s.io");
    await waitFor(() => client.messages.length > 0, soon("a message"));
    assert.deepEqual(client.messages[0]?.payload, Buffer.from([1]));
    (await started(scene)).exit(0);
    await client.whenClosed();
    assert.deepEqual(JSON.parse(client.channel(3)), { metadata: {}, status: "Success" });
  });

  test("versions before the fourth tell nothing of success, and errors as text", async () => {
    for (const [code, text] of [
      [0, ""],
      [2, /exit code 2$/],
    ] as const) {
      await using scene = await streamingScene();
      const client = await overWebSocket(scene, "channel.k8s.io");
      (await started(scene)).exit(code);
      await client.whenClosed();
      if (typeof text === "string") assert.equal(client.channel(3), text);
      else assert.match(client.channel(3), text);
    }
  });

  test("by SPDY it starts when all streams are there", async () => {
    await using scene = await streamingScene();
    const { client, ids } = await overSpdy(scene, "v4.channel.k8s.io", [
      "error",
      "stdin",
      "stdout",
    ]);
    await waitFor(() => client.replied.size === 3, soon("replies"));
    await setTimeout(20);
    assert.equal(scene.streams.commands.length, 0);
    const stderr = await client.open({ streamtype: "stderr" });
    const command = await started(scene);
    client.send(ids.stdin ?? 0, "input", true);
    assert.equal(Buffer.concat(await command.stdin.toArray()).toString(), "input");
    command.stdout.write("out");
    command.stderr.write("err");
    command.exit(0);
    await client.whenClosed();
    assert.equal(client.received.get(ids.stdout ?? 0), "out");
    assert.equal(client.received.get(stderr), "err");
    assert.deepEqual(JSON.parse(client.received.get(ids.error ?? 0) ?? ""), {
      metadata: {},
      status: "Success",
    });
    assert.ok(client.isGoingAway);
  });

  test("100 KB of output come whole, and then its end", async () => {
    await using scene = await streamingScene();
    const client = await overWebSocket(scene, "v5.channel.k8s.io");
    const command = await started(scene);
    command.stdout.write(Buffer.alloc(100_000, "x"));
    command.exit(0);
    await client.whenClosed();
    assert.equal(client.channel(1).length, 100_000);
    assert.match(client.channel(3), /Success/);
  });

  test("a process that no longer reads does not hold up its own end", async () => {
    await using scene = await streamingScene();
    const client = await overWebSocket(scene, "v5.channel.k8s.io");
    const command = await started(scene);
    command.stdin.destroy();
    for (let index = 0; index < 64; index += 1) client.sendOn(0, Buffer.alloc(16 * 1024));
    client.send("", 9);
    await waitFor(() => client.messages.some(({ opcode }) => opcode === 10), soon("a pong"));
    command.exit(0);
    await client.whenClosed();
  });

  test("a client that goes ends it", async () => {
    await using scene = await streamingScene();
    const client = await overWebSocket(scene, "v5.channel.k8s.io");
    const command = await started(scene);
    client.peer.destroy();
    await waitFor(() => command.hasBeenLeft, soon("its end"));
  });

  test("a client that reads nothing holds up the process, in little memory", async () => {
    await using scene = await streamingScene();
    const near = await scene.upgrade(exec, { headers: webSocketHeaders("v5.channel.k8s.io") });
    const command = await started(scene);
    let written = 0;
    while (command.stdout.write(Buffer.alloc(16 * 1024)) && written < 1_000) {
      written += 1;
      await setTimeout(0);
    }
    assert.ok(written < 1_000, `${written} chunks were taken`);
    near.destroy();
    await waitFor(() => command.hasBeenLeft, soon("its end"));
  });

  test("why it can't be is told on the error channel, in a kubelet's words", async () => {
    await using scene = await streamingScene();
    scene.streams.refusal = new Error('container not found ("app")');
    const client = await overWebSocket(scene, "v5.channel.k8s.io");
    await client.whenClosed();
    const { message, reason, code } = JSON.parse(client.channel(3));
    assert.equal(
      message,
      'Internal error occurred: unable to upgrade connection: container not found ("app")',
    );
    assert.deepEqual([reason, code], ["InternalError", 500]);
  });

  test("a process that can't be started says so itself", async () => {
    await using scene = await streamingScene();
    scene.streams.refusal = new Error("error executing command in container: no such file");
    const client = await overWebSocket(scene, "v5.channel.k8s.io");
    await client.whenClosed();
    const { message } = JSON.parse(client.channel(3));
    assert.equal(
      message,
      "Internal error occurred: error executing command in container: no such file",
    );
  });

  for (const stdinOnce of [true, false]) {
    test(`the input of a container ${stdinOnce ? "ends" : "goes on"} after who was attached`, async () => {
      const containers = [{ name: "app", stdin: true, stdinOnce }];
      const objects = [nodeObject, podObject("web", { spec: { containers } })];
      await using scene = await streamingScene({ objects });
      const target = "/api/v1/namespaces/ns/pods/web/attach?stdin=1&stdout=1";
      const client = await overWebSocket(scene, "v5.channel.k8s.io", target);
      const command = await started(scene);
      client.sendOn(0, "hello");
      client.send(Buffer.from([255, 0]));
      await waitFor(() => command.stdin.readableLength === 5, soon("the input"));
      client.peer.destroy();
      await waitFor(() => command.hasBeenLeft, soon("its end"));
      assert.equal(command.stdin.writableEnded, stdinOnce);
    });
  }

  test("attach says that it has ended, not with which code", async () => {
    await using scene = await streamingScene();
    const target = "/api/v1/namespaces/ns/pods/web/attach?stdout=1&tty=1&stderr=1";
    const client = await overWebSocket(scene, "v5.channel.k8s.io", target);
    const command = await started(scene);
    assert.deepEqual(command.asked[1], { stdin: false, stdout: true, stderr: false, tty: true });
    command.exit(9);
    await client.whenClosed();
    assert.match(client.channel(3), /"Success"/);
  });
});

describe("exec is refused", () => {
  const objects = [
    nodeObject,
    podObject("web"),
    podObject("two", {
      spec: { containers: [{ name: "a" }, { name: "b" }], initContainers: [{ name: "i" }] },
    }),
    podObject("waiting", { spec: { nodeName: "" } }),
    podObject("lost", { spec: { nodeName: "gone" } }),
  ];
  const rows: Record<string, [target: string, status: number, message: RegExp]> = {
    "where there is no such pod": ["none/exec?stdout=1", 404, /pods \\"none\\" not found/],
    "without a container of several": [
      "two/exec?stdout=1",
      400,
      /must be specified for pod two, choose one of: \[i a b\]/,
    ],
    "for a container that is none": [
      "web/exec?stdout=1&container=x",
      400,
      /container x is not valid for pod web/,
    ],
    "where nobody runs the pod": [
      "waiting/exec?stdout=1",
      400,
      /pod waiting does not have a host assigned/,
    ],
    "where its node is not known": ["lost/exec?stdout=1", 404, /pods \\"gone\\" not found/],
    "without any stream": ["web/exec", 400, /you must specify at least 1 of stdin, stdout, stderr/],
    "as a dry run": ["web/exec?stdout=1&dryRun=All", 400, /dryRun is not supported/],
  };
  for (const [sentence, [target, status, message]] of Object.entries(rows)) {
    test(sentence, async () => {
      await using scene = await streamingScene({ objects });
      const headers = webSocketHeaders("v5.channel.k8s.io");
      const answer = await scene.ask(`/api/v1/namespaces/ns/pods/${target}`, { headers });
      assert.equal(answer.status, status);
      assert.match(answer.text, message);
    });
  }

  test("without an upgrade, by other methods, by protocols that are not known", async () => {
    await using scene = await streamingScene();
    const plain = await scene.ask(exec);
    assert.deepEqual([plain.status, /Upgrade request required/.test(plain.text)], [400, true]);
    assert.equal((await scene.ask(exec, { method: "PUT" })).status, 405);
    const unknown = await scene.ask(exec, { headers: webSocketHeaders("v9.channel.k8s.io") });
    assert.equal(unknown.status, 403);
    const spdy = await scene.answer(exec, { method: "POST", headers: spdyHeaders("v9") });
    assert.equal(spdy.status, 403);
    assert.deepEqual(spdy.headers["x-accepted-stream-protocol-versions"], [
      ...["v4.channel.k8s.io", "v3.channel.k8s.io", "v2.channel.k8s.io", "channel.k8s.io"],
    ]);
    const { "x-stream-protocol-version": _, ...none } = spdyHeaders("");
    assert.equal((await scene.ask(exec, { method: "POST", headers: none })).status, 400);
    const keyless = { ...webSocketHeaders(""), "sec-websocket-key": "short" };
    assert.equal((await scene.ask(exec, { headers: keyless })).status, 400);
    assert.equal(scene.streams.commands.length, 0);
  });

  test("where no node runs here", async () => {
    await using scene = await streamingScene({ hasNode: false });
    const answer = await scene.ask(exec, { headers: webSocketHeaders("") });
    assert.equal(answer.status, 500);
    assert.match(answer.text, /error dialing backend: node here does not run here/);
  });

  test("by admission, which sees the options", async () => {
    const seen: unknown[] = [];
    const plugin: AdmissionPlugin = {
      name: "Guard",
      operations: ["CONNECT"],
      validate({ operation, object, kind, subresource, name }) {
        seen.push([operation, object, kind.kind, subresource, name]);
        throw forbiddenError({ group: "", resource: "pods" }, name, "not today");
      },
    };
    await using scene = await streamingScene({ admission: [plugin] });
    const answer = await scene.ask(exec, { headers: webSocketHeaders("") });
    assert.equal(answer.status, 403);
    const options = { stdin: true, stdout: true, stderr: true, command: ["sh", "-c"] };
    const object = { kind: "PodExecOptions", apiVersion: "v1", ...options };
    assert.deepEqual(seen, [["CONNECT", object, "PodExecOptions", "exec", "web"]]);
  });

  test("by the node with a Status", async () => {
    await using scene = await streamingScene();
    scene.streams.refusal = badRequestError("container is not running");
    const client = await overWebSocket(scene, "v5.channel.k8s.io");
    await client.whenClosed();
    assert.match(client.channel(3), /unable to upgrade connection: container is not running/);
  });
});

test("a thousand clients come and go, and leave nothing", async () => {
  await using scene = await streamingScene();
  for (let index = 0; index < 1_000; index += 1) {
    const near = await scene.upgrade(exec, { headers: webSocketHeaders("v5.channel.k8s.io") });
    near.on("error", () => {}).destroy();
  }
  await waitFor(
    () => scene.streams.commands.every(({ hasBeenLeft }) => hasBeenLeft),
    soon("all ends"),
  );
});
