/** `npm run conformance [-- word]`: what the embedded server answers otherwise than a real one does. */
import { ownOptions, realOptions, startKubernetes } from "@rookery/testing";
import { compare } from "./conformance/compare.ts";

const word = process.argv[2] ?? "";
const again = process.env.ROOKERY_CONFORMANCE_TWICE === "1";
await using real = await startKubernetes(realOptions);
await using own = await startKubernetes(again ? realOptions : ownOptions);
const started = performance.now();
const { compared, differences } = await compare(real, own, word);
for (const { exchange, real: left, own: right } of differences) {
  console.log(`\n${exchange}\n  real: ${JSON.stringify(left)}\n  own:  ${JSON.stringify(right)}`);
}
const equal = compared - differences.length;
console.log(
  `\n${compared} exchanges compared, ${equal} answered alike (${((100 * equal) / compared).toFixed(1)} %), in ${Math.round((performance.now() - started) / 1000)} s`,
);
