import { type GroupMapping, renameObject } from "@rookery/group-suffix";
import { clientConfigsOf } from "./callbacks.ts";
import { isCrd, isKind, isRbac, isWebhookConfiguration } from "./kinds.ts";
import { describe, groupOf, instanceLabel, type Manifest } from "./manifest.ts";
import type { Plan } from "./plan.ts";
import { containersOf, podSpecOf } from "./pods.ts";
import { updateStrings, valuesAt } from "./update-at.ts";

type Look = (manifest: Manifest, plan: Plan) => readonly string[];

/** Warnings about what rendering cannot know. */
export function warningsAbout(plan: Plan): readonly string[] {
  const wanted = plan.mapping.pairs.length > 0 ? looks : looksAtShared(plan);
  const about = plan.manifests.flatMap((manifest) =>
    wanted.flatMap((look) => look(manifest, plan).map((text) => `${describe(manifest)}: ${text}`)),
  );
  return [...new Set(about)];
}

const namesVirtual = (text: string, mapping: GroupMapping) =>
  mapping.pairs.find(({ virtual }) => text.includes(virtual))?.virtual;

const celFields = ["rule", "expression", "messageExpression", "valueExpression", "key"];
const hasCel = (manifest: Manifest) =>
  isCrd(manifest) || groupOf(manifest) === "admissionregistration.k8s.io";

const cel: Look = (manifest, { mapping }) => {
  const found: string[] = [];
  if (!hasCel(manifest)) return found;
  updateStrings(renameObject(manifest, { mapping }), (text, { key }) => {
    const virtual = celFields.includes(key) ? namesVirtual(text, mapping) : undefined;
    if (virtual !== undefined) {
      found.push(`the expression ${JSON.stringify(text)} names ${virtual} and stays as it is`);
    }
    return text;
  });
  return found;
};

const calledByUrl: Look = (manifest) =>
  clientConfigsOf(manifest)
    .filter(({ url }) => typeof url === "string")
    .map(({ url }) => `it calls ${url}, which has to be the callback listener of a proxy`);

const everyInstanceCalled: Look = (manifest, { mapping }) => {
  if (!isWebhookConfiguration(manifest)) return [];
  const groups = valuesAt(manifest, "webhooks[].rules[].apiGroups[]").map((group) => `${group}`);
  const shared = [...new Set(groups)].filter((group) => mapping.toReal(group) === undefined);
  if (shared.length === 0) return [];
  const named = shared.map((group) => (group === "" ? "the core group" : group)).join(", ");
  return [`it is called for kinds of ${named}, in each instance for all of them`];
};

const sharedCrd: Look = (manifest, { mapping }) => {
  const [group] = isCrd(manifest) ? valuesAt(manifest, "spec.group") : [];
  if (group === undefined || mapping.toReal(`${group}`) !== undefined) return [];
  return [`no mapping has its group ${group}, so that all instances share it`];
};

const isServed = (manifest: Manifest) =>
  isKind(manifest, "apiregistration.k8s.io", "APIService") &&
  valuesAt(manifest, "spec.service.name").length > 0;

const servesItself: Look = (manifest) =>
  isServed(manifest)
    ? ["an app that serves an API by itself is called under the real group, and has to know it"]
    : [];

const aggregates: Look = (manifest, { options: { instance } }) =>
  isRbac(manifest, "ClusterRole") && valuesAt(manifest, "aggregationRule").length > 0
    ? [
        `it takes in ClusterRoles of this instance alone; others need the label ${instanceLabel}=${instance}`,
      ]
    : [];

const readsKubeconfig: Look = (manifest) =>
  containers(manifest)
    .filter(({ args, env }) => {
      const byFlag = args?.some((arg) => /^--?kubeconfig(=|$)/.test(arg));
      return byFlag || env?.some(({ name }) => name === "KUBECONFIG");
    })
    .map(({ name }) => `container ${name} reads a kubeconfig, which has to lead to the proxy`);

const oldNames: Look = (manifest, { names, options }) => {
  // Apps that rename groups themselves know the names.
  if (options.managerArguments) return [];
  const kinds = ["ValidatingWebhookConfiguration", "MutatingWebhookConfiguration", "ClusterRole"];
  return containers(manifest).flatMap(({ name: container, args = [] }) =>
    args.flatMap((arg) => {
      const value = arg.slice(arg.indexOf("=") + 1);
      const kind = kinds.find((candidate) => names.of(candidate, value) !== value);
      if (kind === undefined || !/webhook|cluster-?role/i.test(arg)) return [];
      const now = names.of(kind, value);
      return [`container ${container} has the argument ${arg}, and the ${kind} is ${now} now`];
    }),
  );
};

const containers = (manifest: Manifest) => {
  const spec = podSpecOf(manifest);
  return spec ? containersOf(spec) : [];
};

const leadsToOne: Look = (manifest) => {
  const converts = isCrd(manifest) && clientConfigsOf(manifest).length > 0;
  return converts || isServed(manifest)
    ? ["all instances share it, and it leads to this one; apply it for one of them alone"]
    : [];
};

/** Without renaming. Without a name, instances share all cluster-scoped objects. */
const looksAtShared = ({ options: { instance } }: Plan): readonly Look[] =>
  instance === undefined ? [readsKubeconfig] : [leadsToOne, aggregates, readsKubeconfig, oldNames];

const looks: readonly Look[] = [
  cel,
  calledByUrl,
  everyInstanceCalled,
  sharedCrd,
  servesItself,
  aggregates,
  readsKubeconfig,
  oldNames,
];
