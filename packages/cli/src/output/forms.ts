import { type Command, Option } from "commander";
import { stringify } from "yaml";

/** How a command prints what it found: for people, or whole and for programs. */
export type Form = "table" | "wide" | "json" | "yaml";

/** Adds `-o`; without it there is a table. */
export function outputFlag(command: Command, forms: readonly Form[]): Command {
  const others = forms.filter((form) => form !== "table");
  return command.addOption(
    new Option("-o, --output <form>", `${others.join(", ")}; a table where absent`).choices(forms),
  );
}

/** Any value for programs. */
export function formatValue(value: unknown, form: "json" | "yaml"): string {
  return form === "json"
    ? `${JSON.stringify(value, null, 2)}\n`
    : stringify(value, { lineWidth: 0, aliasDuplicateObjects: false });
}
