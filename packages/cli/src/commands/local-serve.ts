import { flushCompileCache } from "node:module";
import { type LocalServerOptions, startLocalServer } from "@rookery/local";
import { collectStartGarbage } from "@rookery/runtime";
import type { CommandIo } from "../command.ts";
import { defineCommand } from "../define-command.ts";
import { repeatedList } from "../flags.ts";
import {
  type CertificateFlags,
  certificateFilesOf,
  withCertificateFlags,
} from "../local/certificate-flags.ts";
import { listenForEnd } from "../local/end-signal.ts";
import { dataFlag, parsePort, parseSeconds } from "../local/flags.ts";
import { describeError } from "../local/messages.ts";

interface Options extends CertificateFlags {
  readonly data: string;
  readonly address: string;
  readonly port: number;
  readonly kubeconfig?: string;
  readonly tlsSan?: readonly string[];
  readonly serviceClusterIpRange: string;
  readonly history: number;
  readonly controllerManager: boolean;
  readonly workloads: boolean;
  readonly disableAdmissionPlugins?: readonly string[];
  readonly auditLogPath?: string;
}

/**
 * The delay until compiled code is kept for the next process, such as another light tenant: Node would
 * do so when it ends, which may be days later. At once it would slow down the first requests.
 */
const compiledMs = 2_000;

/** Serves the embedded API in the foreground until the process is asked to end. */
export const run = defineCommand<Options>({
  description:
    "Serves a small Kubernetes API, with its data in a folder, until it is interrupted. It is for " +
    "development and tests; kubectl and controllers use it unchanged.",
  examples: `  rookery local serve --data ./cluster                an API alone; Ctrl-C ends it, data stays
  rookery local serve --data ./cluster --port 0       on any free port
  KUBECONFIG=./cluster/kubeconfig kubectl get ns      from another terminal`,
  declare: (command, io) =>
    dataFlag(withCertificateFlags(command), io.env)
      .option("--address <ip>", "the address to listen on", "127.0.0.1")
      .option("--port <port>", "the port to listen on; 0 is any free one", parsePort, 6443)
      .option("--kubeconfig <file>", "another file for the administrator's kubeconfig")
      .option("--tls-san <name...>", "a further name or address of the server's certificate")
      .option("--service-cluster-ip-range <cidr>", "addresses of Services", "10.0.0.0/24")
      .option(
        "--history <seconds>",
        "how long old versions are kept for watches",
        parseSeconds,
        300,
      )
      .option(
        "--no-controller-manager",
        "leave its work, such as garbage collection, to another one",
      )
      .option("--no-workloads", "leave Deployments, Jobs and the like to other controllers")
      .option(
        "--disable-admission-plugins <names>",
        "admission plugins to turn off, separated by commas",
        repeatedList,
      )
      .option("--audit-log-path <file>", "the file in which each request is logged"),
  async run(options, io) {
    const server = await startLocalServer(serverOptions(options, io));
    io.write(`The Kubernetes API is ready at ${server.url}\n`);
    if (server.kubeconfig) io.write(`export KUBECONFIG=${server.kubeconfig}\n`);
    using end = listenForEnd();
    void collectStartGarbage(end.signal);
    setTimeout(flushCompileCache, compiledMs).unref();
    await end.asked;
    await server.stop();
  },
});

function serverOptions(options: Options, io: CommandIo): LocalServerOptions {
  const { data, address, port, kubeconfig, tlsSan = [], auditLogPath } = options;
  const certificates = certificateFilesOf(options);
  return {
    data,
    address,
    port,
    tlsSans: tlsSan,
    serviceCidr: options.serviceClusterIpRange,
    controllerManager: options.controllerManager,
    workloads: options.workloads,
    disabledAdmission: options.disableAdmissionPlugins ?? [],
    historyMs: options.history * 1000,
    ...(kubeconfig !== undefined && { kubeconfig }),
    ...(auditLogPath !== undefined && { auditLogPath }),
    ...(certificates && { certificates }),
    onError: (error) => io.writeError(`rookery: ${describeError(error)}\n`),
  };
}
