import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { PassThrough, Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { after, before, describe, it } from "node:test";
import { Attach, Exec, KubeConfig, Log, PortForward, type V1Status } from "@kubernetes/client-node";
import { ensureBinaries, waitFor, whyUnavailable } from "@rookery/testing";
import { type StreamingScene, startStreamingScene } from "./streaming-scene.ts";

const skip = await whyUnavailable(() => ensureBinaries(["kubectl"]));
const namespace = "default";

describe("@kubernetes/client-node talks with processes of pods", { skip }, () => {
  let scene: StreamingScene;
  let config: KubeConfig;

  before(async () => {
    scene = await startStreamingScene();
    config = new KubeConfig();
    config.loadFromFile(scene.kubeconfig);
  });
  after(() => scene?.[Symbol.asyncDispose]());

  it("Exec passes input and both outputs, and hears of the exit code", async () => {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const ended = Promise.withResolvers<V1Status>();
    const command = ["sh", "-c", "read line; echo out $line; echo err >&2; exit 3"];
    const input = Readable.from(["hello\n"]);
    const outputs = [text(stdout), text(stderr)];
    const exec = new Exec(config);
    await exec.exec(namespace, "web", "app", command, stdout, stderr, input, false, ended.resolve);
    const { status, details } = await ended.promise;
    stdout.end();
    stderr.end();
    assert.deepEqual(await Promise.all(outputs), ["out hello\n", "err\n"]);
    assert.equal(status, "Failure");
    assert.deepEqual(details?.causes, [{ reason: "ExitCode", message: "3" }]);
  });

  it("Attach joins the process of a container", async () => {
    const [stdin, stdout] = [new PassThrough(), new PassThrough()];
    let heard = "";
    stdout.on("data", (chunk) => {
      heard += chunk;
    });
    const attach = new Attach(config);
    const socket = await attach.attach(namespace, "web", "app", stdout, null, stdin, false);
    stdin.write("attached\n");
    await waitFor(() => heard.includes("said attached"), { what: "an answer" });
    socket.close();
  });

  it("Log follows until its client goes", async () => {
    const lines = new PassThrough();
    let heard = "";
    lines.on("data", (chunk) => {
      heard += chunk;
    });
    // An abort is an error of what it pipes from, which it leaves unheard.
    lines.on("pipe", (source: Readable) => source.on("error", () => {}));
    const leave = await new Log(config).log(namespace, "web", "app", lines, { follow: true });
    await waitFor(() => heard.startsWith("one\ntwo\n"), { what: "the log" });
    leave.abort();
  });

  it("PortForward leads to what listens in a pod", async () => {
    await using server = await startForwarding(config);
    const asked = Array.from({ length: 8 }, async () => {
      const headers = { connection: "close" };
      return (await fetch(`http://127.0.0.1:${server.port}/`, { headers })).text();
    });
    assert.deepEqual([...new Set(await Promise.all(asked))], ["hello"]);
  });

  it("PortForward says why it can't", async () => {
    const errors = new PassThrough();
    let heard = "";
    errors.on("data", (chunk) => {
      heard += chunk;
    });
    const [output, input] = [new PassThrough(), new PassThrough()];
    await new PortForward(config).portForward(namespace, "web", [1], output, errors, input);
    await waitFor(() => /error forwarding port 1 to pod web/.test(heard), { what: "the reason" });
  });
});

/** Each connection to it is forwarded to a server in a pod. */
async function startForwarding(config: KubeConfig) {
  const pod = createServer((_, response) => response.end("hello")).listen(0, "127.0.0.1");
  await once(pod, "listening");
  const { port } = pod.address() as AddressInfo;
  const forward = new PortForward(config);
  const listener = createTcpServer((socket) => {
    socket.on("error", () => {});
    void forward.portForward(namespace, "web", [port], socket, null, socket);
  }).listen(0, "127.0.0.1");
  await once(listener, "listening");
  return {
    port: (listener.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      for (const server of [pod, listener]) server.close();
      pod.closeAllConnections();
    },
  };
}
