import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { type AddressInfo, connect, createServer as createTcpServer } from "node:net";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { after, before, describe, it } from "node:test";
import {
  CommandFailedError,
  createTemporaryFolder,
  ensureBinaries,
  runCommand,
  waitFor,
  whyUnavailable,
} from "@rookery/testing";
import { type StreamingScene, startStreamingScene } from "./streaming-scene.ts";

const skip = await whyUnavailable(() => ensureBinaries(["kubectl"]));

/** Newer kubectls prefer WebSockets; this is what older ones, and programs in Go, still speak. */
const protocols: Record<string, NodeJS.ProcessEnv> = {
  WebSocket: {},
  SPDY: {
    KUBECTL_REMOTE_COMMAND_WEBSOCKETS: "false",
    KUBECTL_PORT_FORWARD_WEBSOCKETS: "false",
  },
};

describe("kubectl talks with processes of pods", { skip }, () => {
  let scene: StreamingScene;

  before(async () => {
    scene = await startStreamingScene();
  });
  after(() => scene?.[Symbol.asyncDispose]());

  /** A kubectl that goes on; what it has printed is kept. */
  function startKubectl(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
    const child = spawn(scene.kubectlPath, ["--kubeconfig", scene.kubeconfig, ...args], {
      env: { ...process.env, ...env },
    });
    const printed = { text: "" };
    for (const output of [child.stdout, child.stderr]) {
      output.on("data", (chunk) => {
        printed.text += chunk;
      });
    }
    return {
      child,
      printed,
      async [Symbol.asyncDispose]() {
        if (child.exitCode !== null || child.signalCode !== null) return;
        child.kill("SIGKILL");
        await once(child, "close");
      },
    };
  }

  async function failureOf(args: readonly string[], env: NodeJS.ProcessEnv = {}) {
    const failed = await scene.kubectl(args, { env }).then(
      (out) => assert.fail(`it printed ${out}`),
      (error: unknown) => error,
    );
    assert.ok(failed instanceof CommandFailedError);
    return failed;
  }

  for (const [protocol, env] of Object.entries(protocols)) {
    describe(`by ${protocol}`, () => {
      it("exec passes input, its end and output", async () => {
        const args = ["exec", "web", "-i", "--", "sh", "-c", "cat; echo done"];
        assert.equal(await scene.kubectl(args, { stdin: "hello\n", env }), "hello\ndone\n");
      });

      it("exec tells an exit code, and errors from output", async () => {
        const script = "echo out; echo err >&2; exit 7";
        const failed = await failureOf(["exec", "web", "--", "sh", "-c", script], env);
        assert.equal(failed.exitCode, 7);
        assert.equal(failed.stderr, "err\ncommand terminated with exit code 7\n");
      });

      it("exec with a terminal has one output, and sizes", async () => {
        const before = scene.streams.sizes.length;
        const command = `${scene.kubectlPath} --kubeconfig ${scene.kubeconfig} exec -it web -- sh -c 'tty; echo err >&2'`;
        const resized = `stty rows 40 cols 100; ${command}`;
        const out = await runCommand("script", ["-qec", resized, "/dev/null"], {
          env: { ...process.env, ...env },
        });
        // The end of the input of script(1) itself is typed, too, and the terminal echoes it as ^@ or ^D.
        assert.match(out, /\/dev\/pts\/\d+\r*\n(?:\^[@D])*err/);
        const told = scene.streams.sizes.slice(before);
        assert.ok(told.some(({ columns, rows }) => columns === 100 && rows === 40));
      });

      it("a client that leaves ends what it has begun", async () => {
        await using running = startKubectl(
          ["exec", "web", "--", "sh", "-c", "echo up; sleep 1000"],
          env,
        );
        await waitFor(() => running.printed.text.includes("up"), { what: "the process" });
        assert.equal(scene.streams.executing.size, 1);
        running.child.kill("SIGKILL");
        await waitFor(() => scene.streams.executing.size === 0, { what: "its end" });
      });

      it("exec says why it can't", async () => {
        const { stderr } = await failureOf(["exec", "two", "-c", "side", "--", "ls"], env);
        assert.match(stderr, /unable to upgrade connection: container not found \("side"\)/);
        assert.match(
          (await failureOf(["exec", "waiting", "--", "ls"], env)).stderr,
          /pod waiting does not have a host assigned/,
        );
      });

      it("attach joins a process that goes on without it", async () => {
        await using running = startKubectl(["attach", "web", "-i"], env);
        // Nothing is printed before something is said.
        const told = setInterval(() => running.child.stdin.write(`${protocol}\n`), 100);
        await waitFor(() => running.printed.text.includes(`said ${protocol}`), {
          what: "an answer",
        });
        clearInterval(told);
      });

      it("cp brings a file there and back", async () => {
        await using folder = await createTemporaryFolder("cp");
        const content = randomBytes(3_000_000);
        const [from, there, back] = ["from", "there", "back"].map((name) =>
          join(folder.path, name),
        );
        await writeFile(from ?? "", content);
        await scene.kubectl(["cp", from ?? "", `web:${there}`], { env });
        await scene.kubectl(["cp", `web:${there}`, back ?? ""], { env });
        assert.ok(content.equals(await readFile(back ?? "")));
      });

      it("port-forward serves parallel connections on several ports", async () => {
        await using server = await startHttp("hello from a pod");
        await using running = startKubectl(
          ["port-forward", "web", `:${server.port}`, `:${server.port}`, ":1"],
          env,
        );
        const ports = await waitFor(
          () => {
            const found = [...running.printed.text.matchAll(/127\.0\.0\.1:(\d+) -> /g)];
            return found.length === 3 ? found.map(([, port]) => Number(port)) : undefined;
          },
          { what: "the ports", detail: () => running.printed.text },
        );
        const asked = Array.from({ length: 40 }, (_, index) => ask(ports[index % 2] ?? 0));
        assert.deepEqual([...new Set(await Promise.all(asked))], ["hello from a pod"]);
        await assert.rejects(ask(ports[2] ?? 0));
        await waitFor(
          () => /error forwarding port 1 to pod web, uid \S+: /.test(running.printed.text),
          {
            what: "the refusal",
            detail: () => running.printed.text,
          },
        );
      });
    });
  }

  for (const [protocol, env] of Object.entries(protocols)) {
    it(`port-forward by ${protocol} passes 100 MB each way at once, and all of it`, async () => {
      await using server = await startExchange();
      await using running = startKubectl(["port-forward", "web", `:${server.port}`], env);
      const port = await waitFor(
        () => Number(/127\.0\.0\.1:(\d+) -> /.exec(running.printed.text)?.[1]) || undefined,
        { what: "the port" },
      );
      const socket = connect(port, "127.0.0.1");
      const received = hashOf(socket);
      await pipeline(hundredMegabytes, socket, { end: true });
      assert.equal(await received, expectedHash);
      assert.equal(await server.received, expectedHash);
    });
  }

  it("logs prints what there is, a part of it, and what comes", async () => {
    assert.match(await scene.kubectl(["logs", "web"]), /^one\ntwo\n/);
    assert.match(await scene.kubectl(["logs", "web", "--timestamps"]), /^2026-\S+ one\n/);
    await using running = startKubectl(["logs", "-f", "--tail=1", "web"]);
    await waitFor(() => running.printed.text !== "", { what: "the last line" });
    assert.doesNotMatch(running.printed.text, /one/);
    // The input of a container stays open after who was attached.
    await using attached = startKubectl(["attach", "web", "-i"]);
    attached.child.stdin.end("later\n");
    await waitFor(() => running.printed.text.includes("said later"), { what: "what comes" });
  });

  it("what listens in a pod is reached by its proxy subresource", async () => {
    await using server = await startHttp("hello from a pod", "127.64.0.1");
    const path = `/api/v1/namespaces/default/pods/web:${server.port}/proxy/`;
    assert.equal(await scene.kubectl(["get", "--raw", path]), "hello from a pod");
  });

  it("logs says why there are none", async () => {
    assert.equal(await scene.kubectl(["logs", "waiting"]), "");
    const rows: [args: string[], why: string][] = [
      [
        ["get", "--raw", "/api/v1/namespaces/default/pods/two/log"],
        "a container name must be specified for pod two, choose one of: [app side]",
      ],
      [["logs", "web", "-c", "x"], "container x is not valid for pod web"],
      [
        ["logs", "two", "-c", "side"],
        'container "side" in pod "two" is waiting to start: ContainerCreating',
      ],
      [["logs", "elsewhere"], 'pods "nowhere" not found'],
      [["logs", "gone"], 'pods "gone" not found'],
    ];
    for (const [args, why] of rows) {
      assert.ok((await failureOf(args)).stderr.includes(why), why);
    }
  });

  it("nothing of it was an error of the server", () => {
    assert.deepEqual(scene.errors, []);
  });
});

async function startHttp(text: string, host = "127.0.0.1") {
  const server = createServer((_, response) => response.end(text)).listen(0, host);
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}

const chunk = randomBytes(1_000_003);
function* hundredMegabytes(): Generator<Buffer> {
  for (let index = 0; index < 100; index += 1) yield chunk;
}
const expectedHash = await hashOf(Readable.from(hundredMegabytes()));

async function hashOf(stream: Readable): Promise<string> {
  const hash = createHash("sha256");
  for await (const part of stream.iterator({ destroyOnReturn: false })) hash.update(part);
  return hash.digest("hex");
}

/** Sends 100 MB to whoever connects, and reads what it is sent. */
async function startExchange() {
  const received = Promise.withResolvers<string>();
  const server = createTcpServer({ allowHalfOpen: true }, (socket) => {
    hashOf(socket).then(received.resolve, received.reject);
    void pipeline(hundredMegabytes, socket);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    received: received.promise,
    async [Symbol.asyncDispose]() {
      server.close();
    },
  };
}

async function ask(port: number): Promise<string> {
  return (await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: "close" } })).text();
}
