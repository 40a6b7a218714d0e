import { type Migration, previewMigration } from "@rookery/operator";
import { Option } from "commander";
import { defineCommand } from "../define-command.ts";
import { clusterFlags, connectTo, type KubeFlags } from "../kube-flags.ts";
import { formatManifests, formatValue } from "../output/forms.ts";

interface Options extends KubeFlags {
  readonly output: "yaml" | "json";
}

/** Prints one YAML document for each provider that the operator would declare; the others as comments. */
export const run = defineCommand<Options>({
  description:
    "Prints the objects that the operator would declare for the providers that clusterctl has installed. " +
    "It changes nothing: the operator declares them by itself when it runs.",
  examples: `  rookery migrate                       the objects, as YAML
  rookery migrate > providers.yaml      to keep it beside your other manifests
  rookery migrate -o json               for programs, with the providers that are left and why`,
  declare: (command) =>
    clusterFlags(command).addOption(
      new Option("-o, --output <form>", "the form of the output")
        .choices(["yaml", "json"])
        .default("yaml"),
    ),
  async run(options, io) {
    await using connection = await connectTo(options, io);
    const migrations = await previewMigration(connection.client);
    if (options.output === "json") return io.write(formatValue(migrations.map(summary), "json"));
    if (migrations.length === 0) io.write("# clusterctl has installed nothing here.\n");
    for (const migration of migrations) io.write(format(migration));
  },
});

/** Without the object that declares it already: its name is in the message. */
function summary(migration: Migration): object {
  const { action } = migration;
  if (action === "Adopt") return { action, manifest: migration.manifest };
  return { action, reason: migration.reason, message: migration.message };
}

function format(migration: Migration): string {
  if (migration.action === "Adopt") return formatManifests([migration.manifest]);
  return `---\n# Left, ${migration.reason}: ${migration.message}\n`;
}
