import { customResourceDefinitions } from "@rookery/api";
import { stringify } from "yaml";

/** One YAML document a kind, ready for `kubectl apply -f -`. */
export function run(): string {
  return customResourceDefinitions()
    .map((definition) => `---\n${stringify(definition, { lineWidth: 0 })}`)
    .join("");
}
