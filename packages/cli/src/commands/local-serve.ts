import { flushCompileCache } from "node:module";
import { type LocalServerOptions, startLocalServer } from "@rookery/local";
import { collectStartGarbage } from "@rookery/runtime";
import type { CommandIo } from "../command.ts";
import {
  type CertificateFlags,
  certificateFilesOf,
  withCertificateFlags,
} from "../local/certificate-flags.ts";
import { listenForEnd } from "../local/end-signal.ts";
import { defaultFolder, describeError, parsePort, parseSeconds } from "../local/flags.ts";
import { parseArguments } from "../parse-arguments.ts";

const examples = `
Examples:
  rookery local serve --data ./cluster                an API alone; Ctrl-C ends it, a second start finds all data
  rookery local serve --data ./cluster --port 0       on any free port
  KUBECONFIG=./cluster/kubeconfig kubectl get ns      from another terminal`;

/**
 * After which what was compiled is kept for the next one, such as another light tenant: Node itself would
 * do it at the end, which may be days away. Not at once: whoever waits for this one asks it now.
 */
const compiledMs = 2_000;

/** Runs the embedded API server in the foreground until the process is asked to end. */
export async function run(args: readonly string[], io: CommandIo): Promise<void> {
  const options = parseArguments(args, io, (command) =>
    withCertificateFlags(command)
      .name("rookery local serve")
      .description(
        "Serves a small Kubernetes API, with its data in a folder, until it is interrupted. It is for " +
          "development and tests; kubectl and controllers use it as they are.",
      )
      .option("--data <folder>", "where its data and certificates stay", defaultFolder(io.env))
      .option("--address <ip>", "the address to listen on", "127.0.0.1")
      .option("--port <port>", "the port to listen on; 0 takes any free one", parsePort, 6443)
      .option("--kubeconfig <file>", "where to write the administrator's kubeconfig, too")
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
        "plugins of admission to leave out, with commas between them",
        parseNames,
      )
      .option("--audit-log-path <file>", "where to tell of every request")
      .addHelpText("after", examples),
  ).opts<ServeFlags>();
  const server = await startLocalServer(serverOptions(options, io));
  io.write(`The Kubernetes API is ready at ${server.url}\n`);
  if (server.kubeconfig) io.write(`export KUBECONFIG=${server.kubeconfig}\n`);
  using end = listenForEnd();
  void collectStartGarbage(end.signal);
  setTimeout(flushCompileCache, compiledMs).unref();
  await end.asked;
  await server.stop();
}

interface ServeFlags extends CertificateFlags {
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

function serverOptions(flags: ServeFlags, io: CommandIo): LocalServerOptions {
  const { data, address, port, kubeconfig, tlsSan = [], auditLogPath } = flags;
  const certificates = certificateFilesOf(flags);
  return {
    data,
    address,
    port,
    tlsSans: tlsSan,
    serviceCidr: flags.serviceClusterIpRange,
    controllerManager: flags.controllerManager,
    workloads: flags.workloads,
    disabledAdmission: flags.disableAdmissionPlugins ?? [],
    historyMs: flags.history * 1000,
    ...(kubeconfig !== undefined && { kubeconfig }),
    ...(auditLogPath !== undefined && { auditLogPath }),
    ...(certificates && { certificates }),
    onError: (error) => io.writeError(`rookery: ${describeError(error)}\n`),
  };
}

function parseNames(text: string): readonly string[] {
  return text.split(",").filter((name) => name !== "");
}
