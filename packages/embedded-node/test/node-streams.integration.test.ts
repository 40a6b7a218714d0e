import assert from "node:assert/strict";
import { createServer } from "node:net";
import type { Duplex, Readable } from "node:stream";
import { after, before, describe, it } from "node:test";
import { waitFor } from "@rookery/testing";
import { NodeScene, shell } from "./node-scene.ts";

const all = { stdin: false, stdout: true, stderr: true, tty: false };
const plain = { follow: false, previous: false, timestamps: false };

describe("the streams of a node", () => {
  let scene: NodeScene;
  let of = { namespace: "", pod: "talking", uid: "", container: "main" };
  before(async () => {
    scene = await NodeScene.start({ flavour: "embedded" });
    const env = [{ name: "COLOR", value: "blue" }];
    const main = shell("main", "while read -r line; do echo got $line; done", {
      env,
      workingDir: "/made/for/it",
      stdin: true,
    });
    await scene.create("talking", { containers: [main] });
    const { metadata } = await scene.waitForReady("talking");
    of = { ...of, namespace: scene.namespace, uid: metadata.uid ?? "" };
  });
  after(() => scene[Symbol.asyncDispose]());

  it("run a command with the container's variables and folder, and give its exit code", async () => {
    const script = "echo $COLOR; pwd; echo oops >&2; exit 7";
    const command = await scene.node.streams.exec(of, ["sh", "-c", script], all);
    const [out, error, code] = await Promise.all([
      textOf(command.stdout),
      textOf(command.stderr),
      command.ended,
    ]);
    assert.deepEqual([out, error, code], ["blue\n/made/for/it\n", "oops\n", 7]);
  });

  it("lose nothing of a long output that is read late", async () => {
    const command = await scene.node.streams.exec(of, ["sh", "-c", "seq 1 200000"], all);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    command.stderr?.resume();
    const [out] = await Promise.all([textOf(command.stdout), command.ended]);
    assert.equal(out.split("\n").length, 200_001);
  });

  it("give a command what is typed, on a terminal of the size that is asked for", async () => {
    const options = { ...all, stdin: true, tty: true };
    const script = "test -t 0 && echo terminal; read -r line; stty size; echo $line";
    const command = await scene.node.streams.exec(of, ["sh", "-c", script], options);
    let out = "";
    command.stdout?.on("data", (chunk: Buffer) => {
      out += chunk;
    });
    command.stderr?.resume();
    await waitFor(() => out.includes("terminal"), { what: "the terminal" });
    command.resize({ columns: 132, rows: 43 });
    await new Promise((resolve) => setTimeout(resolve, 500));
    command.stdin?.write("typed\n");
    assert.equal(await command.ended, 0);
    assert.match(out, /43 132/);
    assert.match(out, /typed\r\n$/);
  });

  it("end a command that nobody listens to any more", async () => {
    const command = await scene.node.streams.exec(of, ["sleep", "1000"], all);
    command.stdout?.resume();
    command.stderr?.resume();
    command.leave();
    assert.equal(await command.ended, 137);
  });

  it("attach to what runs, and follow its log", async () => {
    const stopping = new AbortController();
    const log = await scene.node.streams.logs(of, { ...plain, follow: true }, stopping.signal);
    const attached = await scene.node.streams.attach(of, { ...all, stdin: true });
    let [seen, followed] = ["", ""];
    attached.stdout?.on("data", (chunk: Buffer) => {
      seen += chunk;
    });
    log.on("data", (chunk: Buffer) => {
      followed += chunk;
    });
    attached.stdin?.write("hello\n");
    await waitFor(() => seen === "got hello\n" && followed === "got hello\n", {
      what: "the answer",
    });
    attached.leave();
    stopping.abort();
  });

  it("connect to the pod's address, or to 127.0.0.1 where it does not listen there", async () => {
    const { status } = await scene.get("talking");
    const server = createServer((socket) => socket.end("own"));
    await new Promise<void>((resolve) => server.listen(0, status?.podIP, resolve));
    const { port } = server.address() as { port: number };
    assert.equal(await answerOf(await scene.node.streams.connect(of, port)), "own");
    server.close();
    const other = createServer((socket) => socket.end("local"));
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port: local } = other.address() as { port: number };
    assert.equal(await answerOf(await scene.node.streams.connect(of, local)), "local");
    other.close();
  });

  it("say in a kubelet's words what is not there", async () => {
    const { streams } = scene.node;
    const { signal } = new AbortController();
    const nobody = { ...of, container: "nobody" };
    await assert.rejects(streams.logs(nobody, plain, signal), {
      message: 'container "nobody" in pod "talking" is not available',
    });
    await assert.rejects(streams.logs(of, { ...plain, previous: true }, signal), {
      message: 'previous terminated container "main" in pod "talking" not found',
    });
    await assert.rejects(streams.exec(nobody, ["sh"], all), /container not found \("nobody"\)/);
    await assert.rejects(
      streams.exec(of, ["no-such-program"], all),
      /executable file not found in \$PATH/,
    );
    await assert.rejects(streams.connect(of, 1), /connection refused/);
    await assert.rejects(streams.exec({ ...of, uid: "other" }, ["sh"], all), {
      message: 'pods "talking" not found',
    });
  });
});

/** What the other side says until it ends; then this one ends, too. */
async function answerOf(connection: Duplex): Promise<string> {
  const text = await textOf(connection);
  connection.end();
  return text;
}

async function textOf(stream: Readable | undefined): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream ?? []) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}
