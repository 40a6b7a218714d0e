import type { PodSpec, Sysctl } from "@rookery/api";
import { matches, unique } from "../meta/checks.ts";
import { each, firstOf, required } from "../meta/combinators.ts";
import type { Rules } from "../meta/rules.ts";

const segment = "[a-z0-9]([-_a-z0-9]*[a-z0-9])?";
const format = `^(${segment}[\\./])*${segment}$`;
const pattern = new RegExp(format);
const maxLength = 253;
const ipcPrefixes = ["kernel.shm", "kernel.msg", "fs.mqueue."];

const name = required<string>(
  firstOf(
    matches(
      (text) => text.length <= maxLength && pattern.test(text),
      `must have at most ${maxLength} characters and match regex ${format}`,
    ),
    unique,
  ),
);

/** Go: validateSysctls. The host's namespaces keep their own settings of the kernel. */
const sysctl: Rules<Sysctl, PodSpec> = {
  name: [
    name,
    (name = "", field) => {
      const { hostNetwork, hostIPC } = field.scope;
      const dotted = name.replaceAll("/", ".");
      const isIpc = dotted === "kernel.sem" || ipcPrefixes.some((each) => dotted.startsWith(each));
      if (hostNetwork === true && dotted.startsWith("net.")) {
        field.invalid(name, "may not be specified when 'hostNetwork' is true");
      } else if (hostIPC === true && isIpc) {
        field.invalid(name, "may not be specified when 'hostIPC' is true");
      }
    },
  ],
};

export const sysctls = each(sysctl);
