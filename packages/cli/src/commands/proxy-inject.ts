import { readFile } from "node:fs/promises";
import { runInject } from "@rookery/proxy";
import { flagProgram } from "../flag-program.ts";

/** Prints the manifests of one instance of an app, ready for `kubectl apply -f -`. */
export const run = flagProgram({
  examples: `  rookery proxy inject -f install.yaml --name team1 --namespace team1 \\
    --map argoproj.io=argoproj.team1.example.com | kubectl apply -f -`,
  run: (args, write, { writeError: warn, readInput }) =>
    runInject(args, { write, warn, readFile: (path) => readFile(path, "utf8"), readInput }),
});
