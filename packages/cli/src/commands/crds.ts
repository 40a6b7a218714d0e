import { customResourceDefinitions } from "@rookery/api";
import { stringify } from "yaml";
import { defineCommand } from "../define-command.ts";

/** Prints one YAML document for each kind. */
export const run = defineCommand({
  description: "Prints the CustomResourceDefinitions of every kind that Rookery serves.",
  examples: "  rookery crds | kubectl apply --server-side -f -",
  run(_, io) {
    for (const definition of customResourceDefinitions()) {
      io.write(`---\n${stringify(definition, { lineWidth: 0 })}`);
    }
  },
});
