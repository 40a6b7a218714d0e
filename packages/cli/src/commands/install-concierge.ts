import { type InstallOptions, renderConcierge } from "@rookery/concierge";
import packageJson from "../../package.json" with { type: "json" };
import { defineCommand } from "../define-command.ts";
import { UsageError } from "../errors.ts";
import { wholeNumber } from "../flags.ts";
import { formatManifests } from "../output/forms.ts";
import { releaseDocuments } from "../releases/own-release.ts";

interface Options extends Omit<InstallOptions, "namespace"> {
  readonly namespace?: string;
  readonly file?: string;
}

/** Prints the manifests of a concierge, or a file of its release. */
export const run = defineCommand<Options>({
  description: "Prints the manifests of one instance of the concierge.",
  examples: `  rookery install concierge --namespace concierge | kubectl apply -f -
  rookery install concierge --namespace concierge-team1 --api-group-suffix team1.example.com    a second one
  rookery install concierge --file addon-components.yaml    for a provider operator`,
  declare: (command) =>
    command
      .option("--namespace <name>", "a namespace of its own for the instance")
      .option(
        "--file <name>",
        "instead of an instance, a file of the release: addon-components.yaml or metadata.yaml",
      )
      .option("--api-group-suffix <suffix>", "the end of its API groups (default: pinniped.dev)")
      .option("--image <image>", "the image of Rookery", `rookery:${packageJson.version}`)
      .option(
        "--signing-secret <name>",
        "a Secret in the namespace with tls.crt and tls.key of the authority by which the API " +
          "server trusts clients; without it, certificates are signed by CertificateSigningRequests",
      )
      .option("--replicas <count>", "the number of pods", wholeNumber("--replicas", 999), 2),
  async run({ file, namespace, ...options }, io) {
    if (file !== undefined) {
      const documents = await releaseDocuments("concierge", { file, image: options.image });
      return io.write(formatManifests(documents));
    }
    if (namespace !== undefined) {
      return io.write(formatManifests(await renderConcierge({ ...options, namespace })));
    }
    throw new UsageError("--namespace is missing: each instance has one of its own.");
  },
});
