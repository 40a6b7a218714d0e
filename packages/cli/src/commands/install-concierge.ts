import { type InstallOptions, renderConcierge } from "@rookery/concierge";
import { stringify } from "yaml";
import packageJson from "../../package.json" with { type: "json" };
import type { CommandIo } from "../command.ts";
import { UsageError } from "../errors.ts";
import { parseArguments } from "../parse-arguments.ts";

/** One YAML document an object, ready for `kubectl apply -f -`. */
export async function run(args: readonly string[], io: CommandIo): Promise<void> {
  const options = parseArguments(args, io, (command) =>
    command
      .name("rookery install concierge")
      .description("Prints the manifests of one instance of the concierge.")
      .requiredOption("--namespace <name>", "a namespace of its own for the instance")
      .option("--api-group-suffix <suffix>", "what its API groups end with (default: pinniped.dev)")
      .option("--image <image>", "the image of Rookery", `rookery:${packageJson.version}`)
      .option(
        "--signing-secret <name>",
        "a Secret in the namespace with tls.crt and tls.key of the authority by which the API " +
          "server trusts clients; without it, certificates are signed by CertificateSigningRequests",
      )
      .option("--replicas <count>", "how many pods", readCount, 2),
  ).opts<InstallOptions>();
  for (const manifest of await renderConcierge(options)) {
    io.write(`---\n${stringify(manifest, { lineWidth: 0, aliasDuplicateObjects: false })}`);
  }
}

function readCount(text: string): number {
  if (/^[1-9]\d{0,2}$/.test(text)) return Number(text);
  throw new UsageError(`--replicas "${text}" is not a whole number from 1 to 999.`);
}
