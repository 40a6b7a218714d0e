import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { busyboxImage, type KubernetesNode, startNode, waitFor } from "@rookery/testing";
import { type RunningProxy, startProxy } from "./start-proxy.ts";
import { mapping } from "./widgets.ts";

describe("exec, attach, logs and port-forward through the proxy, on a real node", () => {
  let node: KubernetesNode;
  let proxy: RunningProxy;

  before(async () => {
    node = await startNode({ shared: true });
    const image = busyboxImage();
    await node.importImage(image);
    const args = [`--upstream=${node.kubeconfig}`, mapping];
    proxy = await startProxy(node.description.kubectl, args);
    await proxy.kubectl(["create", "-f", "-"], { stdin: JSON.stringify(pod(image.name)) });
    await proxy.kubectl(["wait", "pod/web", "--for=condition=Ready", "--timeout=120s"]);
  });
  after(async () => {
    await proxy?.[Symbol.asyncDispose]();
    await node?.[Symbol.asyncDispose]();
  });

  for (const sockets of ["true", "false"]) {
    const env = {
      KUBECTL_REMOTE_COMMAND_WEBSOCKETS: sockets,
      KUBECTL_PORT_FORWARD_WEBSOCKETS: sockets,
    };
    const protocol = sockets === "true" ? "WebSocket" : "SPDY";

    test(`${protocol}: a command runs in the pod, with its input, output and exit code`, async () => {
      const echoed = await proxy.tryKubectl(["exec", "-i", "web", "--", "cat"], {
        stdin: "hello\n",
        env,
      });
      assert.deepEqual(echoed, { failed: false, output: "hello\n" });
      const failed = await proxy.tryKubectl(["exec", "web", "--", "sh", "-c", "exit 3"], { env });
      assert.match(failed.output, /exit code 3/);
    });

    test(`${protocol}: a port of the pod is a port here`, async () => {
      await using forward = proxy.followKubectl(["port-forward", "pod/web", ":8080"], env);
      const port = await waitFor(() => /127\.0\.0\.1:(\d+)/.exec(forward.output)?.[1], {
        what: "the port",
        detail: () => forward.output,
      });
      const answer = await waitFor(async () => (await fetch(`http://127.0.0.1:${port}/`)).text(), {
        what: "the pod's answer",
        detail: () => forward.output,
      });
      assert.equal(answer, "from the pod\n");
    });
  }

  test("a log is followed", async () => {
    await using logs = proxy.followKubectl(["logs", "-f", "web"]);
    await waitFor(() => /serving/.test(logs.output), { what: "the log" });
    await proxy.kubectl(["exec", "web", "--", "sh", "-c", "echo more > /proc/1/fd/1"]);
    await waitFor(() => /more/.test(logs.output), { what: "the rest of the log" });
  });
});

function pod(image: string) {
  const script =
    "echo from the pod > /tmp/index.html; echo serving; exec busybox httpd -f -p 8080 -h /tmp";
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: "web" },
    spec: {
      terminationGracePeriodSeconds: 1,
      containers: [
        {
          name: "web",
          image,
          imagePullPolicy: "Never",
          command: ["sh", "-c", script],
          readinessProbe: { tcpSocket: { port: 8080 }, periodSeconds: 1 },
        },
      ],
    },
  };
}
