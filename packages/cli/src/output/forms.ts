import { type Command, Option } from "commander";
import { stringify } from "yaml";

/** How a command prints what it found: for people, or whole and for programs. */
export type Form = "text" | "table" | "wide" | "json" | "yaml";

/** Adds `-o`; without it there is the first of the forms, which is for people. */
export function outputFlag(command: Command, forms: readonly Form[]): Command {
  const summary = `how it is printed; ${forms[0]} where absent`;
  return command.addOption(new Option("-o, --output <form>", summary).choices(forms));
}

export function isForPrograms(form: Form | undefined): form is "json" | "yaml" {
  return form === "json" || form === "yaml";
}

/** One YAML document an object, ready for `kubectl apply -f -`. */
export function formatManifests(manifests: readonly object[]): string {
  return manifests.map((manifest) => `---\n${formatValue(manifest, "yaml")}`).join("");
}

/** Any value for programs. */
export function formatValue(value: unknown, form: "json" | "yaml"): string {
  return form === "json"
    ? `${JSON.stringify(value, null, 2)}\n`
    : stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
}
