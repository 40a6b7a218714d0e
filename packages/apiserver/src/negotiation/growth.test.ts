import { growing, pieces, testGrowth } from "@rookery/testing";
import { parseListOptions } from "../resource/list-options.ts";
import { parseAccept } from "./output.ts";

const accept = (build: (size: number) => string) => growing({ build, run: parseAccept });
const options = (build: (size: number) => string) => growing({ build, run: parseListOptions });

testGrowth({
  "Accept of many types": accept((n) => pieces(n, (i) => `a${i}/b;q=0.${i},`)),
  "Accept of many equal types": accept((n) => "application/json,".repeat(n)),
  "Accept of many parameters": accept((n) => `a/b${pieces(n, (i) => `;k${i}=1`)}`),
  "Accept of many slashes": accept((n) => "a/".repeat(n)),
  "Accept of much space": accept((n) => `a/b;q${" ".repeat(32 * n)}=1`),
  "Accept of commas": accept((n) => ",".repeat(n)),
  "Accept of equal signs": accept((n) => `a/b;${"=".repeat(n)}`),
  "options of many labels": options((n) => `labelSelector=${pieces(n, (i) => `k${i},`)}a`),
  "options of a label many times": options((n) => `labelSelector=${"k!=a,".repeat(n)}a`),
  "options of deep brackets": options((n) => `labelSelector=k in ${"(".repeat(n)}`),
  "options of many values": options(
    (n) => `labelSelector=k notin (${pieces(n, (i) => `v${i},`)}a)`,
  ),
  "options of many fields": options((n) => `fieldSelector=${pieces(n, (i) => `a${i}=b,`)}`),
  "options of backslashes": options((n) => `fieldSelector=a=${"\\\\".repeat(8 * n)}`),
  "options of a backslash too many": options((n) => `fieldSelector=a=${"\\,".repeat(8 * n)}\\`),
  "options of a long continue": options((n) => `continue=${"a".repeat(32 * n)}`),
});
