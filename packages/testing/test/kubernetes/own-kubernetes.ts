/** Starts a Kubernetes of its own, says where, and goes on until it is ended. */
import { startKubernetes } from "../../src/kubernetes/start.ts";

const progress = (sentence: string) => process.stdout.write(`${sentence}\n`);
const kubernetes = await startKubernetes({ flavour: "kube-apiserver", private: true, progress });
process.stdout.write(`ready ${kubernetes.description.folder}\n`);
process.stdin.resume();
