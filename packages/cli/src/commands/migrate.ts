import { type Migration, previewMigration } from "@rookery/operator";
import { Option } from "commander";
import type { CommandIo } from "../command.ts";
import { clusterFlags, connectTo, type KubeFlags } from "../kube-flags.ts";
import { formatValue } from "../output/forms.ts";
import { parseArguments } from "../parse-arguments.ts";

interface Options extends KubeFlags {
  readonly output: "yaml" | "json";
}

const examples = `
Examples:
  rookery migrate                       what the operator would declare, as YAML
  rookery migrate > providers.yaml      to keep it beside your other manifests
  rookery migrate -o json               for programs, with what is left and why`;

/** One YAML document for each provider that the operator would declare; the others as comments. */
export async function run(args: readonly string[], io: CommandIo): Promise<void> {
  const { output, ...flags } = parseArguments(args, io, (command) =>
    clusterFlags(command)
      .name("rookery migrate")
      .description(
        "Prints what the operator would make of the providers that clusterctl has installed. " +
          "Nothing is changed: the operator does it by itself when it runs.",
      )
      .addOption(new Option("-o, --output <form>", "how").choices(["yaml", "json"]).default("yaml"))
      .addHelpText("after", examples),
  ).opts<Options>();
  await using connection = await connectTo(flags, io);
  const migrations = await previewMigration(connection.client);
  if (output === "json") return io.write(formatValue(migrations.map(summary), "json"));
  if (migrations.length === 0) io.write("# clusterctl has installed nothing here.\n");
  for (const migration of migrations) io.write(format(migration));
}

/** Without the object that declares it already: its name is in the message. */
function summary(migration: Migration): object {
  if (migration.action === "Adopt") {
    return { action: migration.action, manifest: migration.manifest };
  }
  const { action, reason, message } = migration;
  return { action, reason, message };
}

function format(migration: Migration): string {
  if (migration.action === "Leave") {
    return `---\n# Left, ${migration.reason}: ${migration.message}\n`;
  }
  return `---\n${formatValue(migration.manifest, "yaml")}`;
}
