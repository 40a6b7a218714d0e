import { type Command, Option } from "commander";
import { stringify } from "yaml";

/** The output forms of a command: text or a table for people, the whole value for programs. */
export type Form = "text" | "table" | "wide" | "json" | "yaml";

/** Adds `-o`; the first form is the default, and for people. */
export function outputFlag(command: Command, forms: readonly Form[]): Command {
  const summary = `the form of the output; ${forms[0]} where absent`;
  return command.addOption(new Option("-o, --output <form>", summary).choices(forms));
}

export function isForPrograms(form: Form | undefined): form is "json" | "yaml" {
  return form === "json" || form === "yaml";
}

/** The value for programs, or the text for people. */
export function formatFor(form: Form | undefined, value: unknown, text: () => string): string {
  return isForPrograms(form) ? formatValue(value, form) : text();
}

/** One YAML document for each object, ready for `kubectl apply -f -`. */
export function formatManifests(manifests: readonly object[]): string {
  return manifests.map((manifest) => `---\n${formatValue(manifest, "yaml")}`).join("");
}

export function formatValue(value: unknown, form: "json" | "yaml"): string {
  return form === "json"
    ? `${JSON.stringify(value, null, 2)}\n`
    : stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
}
