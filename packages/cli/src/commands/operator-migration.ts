import { type Migration, type PreviewOptions, previewMigration } from "@rookery/operator";
import { stringify } from "yaml";
import type { CommandIo } from "../command.ts";
import { clusterFlags } from "../kube-flags.ts";
import { parseArguments } from "../parse-arguments.ts";

/** One YAML document for each provider that the operator would declare; the others as comments. */
export async function run(args: readonly string[], io: CommandIo): Promise<void> {
  const options = parseArguments(args, io, (command) =>
    clusterFlags(command)
      .name("rookery operator migration")
      .description(
        "Prints what the operator would make of the providers that clusterctl has installed. " +
          "Nothing is changed: the operator does it by itself when it runs.",
      ),
  ).opts<PreviewOptions>();
  const migrations = await previewMigration(options);
  if (migrations.length === 0) io.write("# clusterctl has installed nothing here.\n");
  for (const migration of migrations) io.write(format(migration));
}

function format(migration: Migration): string {
  if (migration.action === "Leave") {
    return `---\n# Left, ${migration.reason}: ${migration.message}\n`;
  }
  return `---\n${stringify(migration.manifest, { lineWidth: 0 })}`;
}
