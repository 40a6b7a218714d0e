import { growing, pieces, testGrowth } from "@rookery/testing";
import { parseKubeconfig } from "./kubeconfig-file.ts";

const read = (build: (size: number) => string) =>
  growing({ build, run: (text) => parseKubeconfig(text, "a Secret") });

testGrowth(
  {
    "a kubeconfig of many keys": read((n) => pieces(n, (i) => `k${i}: 1\n`)),
    "a kubeconfig of many keys in braces": read((n) => `{${pieces(n, (i) => `k${i}: 1, `)}}`),
    "a kubeconfig of many users": read(
      (n) => `users:\n${pieces(n, (i) => `- {name: u${i}, user: {token: a}}\n`)}`,
    ),
    "a kubeconfig of many anchors": read(
      (n) => `a: [${pieces(n, (i) => `&a${i} 1,`)}]\nb: [${pieces(n, (i) => `*a${i},`)}]\n`,
    ),
  },
  2,
);
