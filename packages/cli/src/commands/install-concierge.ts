import { conciergeRelease, type InstallOptions, renderConcierge } from "@rookery/concierge";
import packageJson from "../../package.json" with { type: "json" };
import type { CommandIo } from "../command.ts";
import { UsageError } from "../errors.ts";
import { formatManifests } from "../output/forms.ts";
import { parseArguments, readReplicas } from "../parse-arguments.ts";

interface Options extends Omit<InstallOptions, "namespace"> {
  readonly namespace?: string;
  readonly file?: string;
}

const examples = `
Examples:
  rookery install concierge --namespace concierge | kubectl apply -f -
  rookery install concierge --namespace concierge-team1 --api-group-suffix team1.example.com    a second one
  rookery install concierge --file addon-components.yaml    for a provider operator`;

/** One YAML document an object, ready for `kubectl apply -f -`. */
export async function run(args: readonly string[], io: CommandIo): Promise<void> {
  const { file, namespace, ...options } = parseArguments(args, io, (command) =>
    command
      .name("rookery install concierge")
      .description("Prints the manifests of one instance of the concierge.")
      .option("--namespace <name>", "a namespace of its own for the instance")
      .option(
        "--file <name>",
        "instead of an instance, a file of the release: addon-components.yaml or metadata.yaml",
      )
      .option("--api-group-suffix <suffix>", "what its API groups end with (default: pinniped.dev)")
      .option("--image <image>", "the image of Rookery", `rookery:${packageJson.version}`)
      .option(
        "--signing-secret <name>",
        "a Secret in the namespace with tls.crt and tls.key of the authority by which the API " +
          "server trusts clients; without it, certificates are signed by CertificateSigningRequests",
      )
      .option("--replicas <count>", "how many pods", readReplicas, 2)
      .addHelpText("after", examples),
  ).opts<Options>();
  const manifests =
    file === undefined
      ? await renderConcierge({ ...options, namespace: namespace ?? missingNamespace() })
      : await releaseFile(file, options.image);
  io.write(formatManifests(manifests));
}

async function releaseFile(file: string, image: string): Promise<readonly object[]> {
  const release = await conciergeRelease({ image });
  const files = [...release.keys()].join(", ");
  const found = release.get(file);
  if (found) return found;
  throw new UsageError(`--file "${file}" is not there: there are ${files}.`);
}

function missingNamespace(): never {
  throw new UsageError("--namespace is missing: each instance has one of its own.");
}
