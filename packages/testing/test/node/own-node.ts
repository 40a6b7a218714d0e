/** Starts a node with a pod, says so, and disposes of it when its standard input ends. */
import { once } from "node:events";
import { busyboxImageName } from "../../src/images/busybox.ts";
import { startNode } from "../../src/node/start-node.ts";

const progress = (sentence: string) => process.stdout.write(`${sentence}\n`);
{
  await using node = await startNode({ progress });
  await using _ = await node.createNamespace("pods");
  const pod = `--namespace=${_.name}`;
  await node.kubectl(["run", "a", pod, `--image=${busyboxImageName}`, "--image-pull-policy=Never"]);
  await node.kubectl(["wait", "pod/a", pod, "--for=condition=Ready", "--timeout=120s"]);
  process.stdout.write(`ready ${node.description.folder}\n`);
  process.stdin.resume();
  await once(process.stdin, "end");
}
process.stdout.write("disposed\n");
