/**
 * Part of `npm run check`: no two-way dependencies between folders of a package, no product code that
 * imports test code or exists only for tests. `known.json` lists what older code still has; its lists
 * may only shrink.
 */
import { root } from "../steps.ts";
import { exportedForTests, productSources } from "./exported-for-tests.ts";
import { importsOf } from "./imports.ts";
import known from "./known.json" with { type: "json" };
import { describe, isOfTestCode, notAllowed } from "./problems.ts";
import { nameOf, twoWayDependencies } from "./two-way.ts";

const sources = productSources(root);
const imports = importsOf(sources);
const folders = new Map(twoWayDependencies(imports).map((one) => [nameOf(one), describe(one)]));
const files = exportedForTests(sources, imports).map((file): [string, string] => [
  file,
  `${file} is exported, but only tests import it`,
]);
const problems = [
  ...imports.filter(isOfTestCode).map(({ from, to }) => `${from} imports test code: ${to}`),
  ...notAllowed(folders, known.twoWay),
  ...notAllowed(new Map(files), known.exportedForTests),
];
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;
