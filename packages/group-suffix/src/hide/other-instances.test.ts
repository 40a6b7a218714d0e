import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createGroupMapping } from "../mapping/group-mapping.ts";
import { type HideSettings, type ListedGroup, otherInstances } from "./other-instances.ts";

const bySuffix = createGroupMapping([{ virtual: "example.dev", real: "team1.example.com" }]);
const byGroup = createGroupMapping([
  { virtual: "argoproj.io", real: "argoproj.team1.example.com", match: "group" },
]);
const nothingInCommon = createGroupMapping([
  { virtual: "crons.dev", real: "team1.example.com", match: "group" },
]);

const group = (name: string, ...kinds: string[]): ListedGroup => ({ name, kinds: new Set(kinds) });
const crontabs = "crontabs/CronTab";
const own = group("stable.team1.example.com", crontabs, "crons/Cron");

interface Row {
  readonly groups: readonly ListedGroup[];
  readonly hidden: readonly string[];
  readonly mapping?: typeof bySuffix;
  readonly settings?: HideSettings;
}

const rows: Record<string, Row> = {
  "that of another instance, by its beginning and a kind": {
    groups: [own, group("stable.team2.acme.org", crontabs)],
    hidden: ["stable.team2.acme.org"],
  },
  "that of the default instance, and others by it before the own one is there": {
    groups: [group("stable.example.dev", crontabs), group("stable.team2.acme.org", crontabs)],
    hidden: ["stable.example.dev", "stable.team2.acme.org"],
  },
  "none that begins otherwise": { groups: [own, group("other.acme.org", crontabs)], hidden: [] },
  "none whose beginning goes on": {
    groups: [own, group("stabler.acme.org", crontabs)],
    hidden: [],
  },
  "none without a kind in common": {
    groups: [own, group("stable.acme.org", "crontabs/Other", "jobs/Job")],
    hidden: [],
  },
  "none of the instance's own": {
    groups: [own, group("beta.team1.example.com", crontabs)],
    hidden: [],
  },
  "none of Kubernetes' own, whatever its kinds": {
    groups: [
      group("networking.team1.example.com", "ingresses/Ingress"),
      group("networking.k8s.io", "ingresses/Ingress"),
      group("apps.team1.example.com", "deployments/Deployment"),
      group("apps", "deployments/Deployment"),
    ],
    hidden: [],
  },
  "that of another instance of a whole group": {
    groups: [
      group("argoproj.team1.example.com", "workflows/Workflow"),
      group("argoproj.team2.example.com", "workflows/Workflow"),
      group("other.team2.example.com", "workflows/Workflow"),
    ],
    mapping: byGroup,
    hidden: ["argoproj.team2.example.com"],
  },
  "one with the very same kinds, where names tell nothing": {
    groups: [
      group("team1.example.com", crontabs, "crons/Cron"),
      group("team2.example.com", crontabs, "crons/Cron"),
      group("others.org", crontabs, "jobs/Job"),
    ],
    mapping: nothingInCommon,
    hidden: ["team2.example.com"],
  },
  "what the flags name": {
    groups: [group("stable.team2.acme.org", crontabs), group("acme.org", crontabs)],
    settings: { hide: ["*.acme.org"] },
    hidden: ["stable.team2.acme.org"],
  },
  "nothing that the flags say is none's": {
    groups: [own, group("stable.team2.acme.org", crontabs)],
    settings: { show: ["*.team2.acme.org"] },
    hidden: [],
  },
};

describe("groups of other instances", () => {
  for (const [what, { groups, hidden, mapping = bySuffix, settings = {} }] of Object.entries(
    rows,
  )) {
    it(`are ${what}`, () =>
      assert.deepEqual([...otherInstances(groups, mapping, settings)], hidden));
  }
});
