import assert from "node:assert/strict";
import { test } from "node:test";
import type { EtcdMember } from "./gateway.ts";
import {
  bootstrapMembership,
  existingMembership,
  peerUrl,
  readMembership,
  seatsOf,
} from "./initial-cluster.ts";

const place = { cluster: "blue", namespace: "team" };
const member = (ordinal: number, name = `blue-etcd-${ordinal}`): EtcdMember => ({
  id: `${ordinal}1`,
  name,
  peerUrls: [peerUrl(place, ordinal)],
  isLearner: name === "",
});

test("a cluster begins with one member", () => {
  assert.deepEqual(bootstrapMembership(place), {
    "initial-cluster": "blue-etcd-0=https://blue-etcd-0.blue-etcd.team.svc:2380",
    "initial-cluster-state": "new",
    volumes: "{}",
  });
  assert.equal(readMembership(bootstrapMembership(place)).isBootstrapped, false);
});

test("whoever joins learns of all members, itself included", () => {
  const seats = seatsOf(place, [member(1, ""), member(0)], 5);
  const data = existingMembership(place, seats, { "0": "a", "1": "old" });
  assert.equal(
    data["initial-cluster"],
    "blue-etcd-0=https://blue-etcd-0.blue-etcd.team.svc:2380,blue-etcd-1=https://blue-etcd-1.blue-etcd.team.svc:2380",
  );
  assert.equal(data["initial-cluster-state"], "existing");
  assert.deepEqual(readMembership(data).volumes, { "0": "a" });
});

test("while nobody joins, nobody who has lost its data finds itself", () => {
  const data = existingMembership(place, seatsOf(place, [member(0), member(1)], 5), {});
  assert.doesNotMatch(data["initial-cluster"] ?? "", /blue/);
});

test("members of other addresses have no seat", () => {
  const foreign = { ...member(0), peerUrls: ["https://elsewhere:2380"] };
  assert.deepEqual(
    seatsOf(place, [foreign, member(2)], 5).map(({ ordinal }) => ordinal),
    [2],
  );
});

test("a record that somebody has spoilt is no reason to begin anew", () => {
  const data = { "initial-cluster-state": "existing", volumes: "not JSON" };
  assert.deepEqual(readMembership(data), { isBootstrapped: true, volumes: {}, data });
  assert.deepEqual(readMembership(undefined).isBootstrapped, false);
});
