import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { NestedAPIServer, NestedControlPlane } from "@rookery/api";
import type { Parent } from "../component/parent.ts";
import { controllerManagerGate } from "./policies.ts";

const apiServer = (version: string, status: NestedAPIServer["status"]) =>
  ({
    kind: "NestedAPIServer",
    metadata: { name: "blue" },
    spec: { version },
    status,
  }) as NestedAPIServer;
const running = (version: string) => apiServer(version, { version, ready: true });
const parent = (host: string) =>
  ({
    controlPlane: { spec: { controlPlaneEndpoint: { host, port: 6443 } } } as NestedControlPlane,
  }) as Parent;

describe("a controller manager", () => {
  type Row = [
    to: string,
    from: string | undefined,
    server: NestedAPIServer | undefined,
    is: string,
  ];
  const rows: Record<string, Row> = {
    "starts beside an API server of its version": ["v1.34.4", undefined, running("v1.34.4"), "may"],
    "starts beside one of the next minor": ["v1.33.13", undefined, running("v1.34.4"), "may"],
    "follows the API server": ["v1.34.4", "v1.33.13", running("v1.34.4"), "may"],
    "waits until the API server runs what it is to run": [
      "v1.34.4",
      "v1.33.13",
      apiServer("v1.34.4", { version: "v1.33.13", ready: true }),
      "WaitingForAPIServer",
    ],
    "starts beside a new API server that answers": [
      "v1.34.4",
      undefined,
      apiServer("v1.34.4", { ready: true }),
      "may",
    ],
    "starts beside no new one that is older": [
      "v1.34.4",
      undefined,
      apiServer("v1.33.13", { ready: true }),
      "VersionSkew",
    ],
    "starts beside no new one of a channel that there is not": [
      "v1.34.4",
      undefined,
      { ...apiServer("", { ready: true }), spec: { channel: "nightly" } } as NestedAPIServer,
      "WaitingForAPIServer",
    ],
    "waits until a new API server answers": [
      "v1.34.4",
      undefined,
      apiServer("v1.34.4", { ready: false }),
      "WaitingForAPIServer",
    ],
    "goes to no other version beside one that has never been ready as a whole": [
      "v1.34.4",
      "v1.33.13",
      apiServer("v1.34.4", { ready: true }),
      "WaitingForAPIServer",
    ],
    "waits until an API server that has run before is ready": [
      "v1.34.4",
      undefined,
      apiServer("v1.34.4", { version: "v1.34.4", ready: false }),
      "WaitingForAPIServer",
    ],
    "waits for an API server of a channel that there is not": [
      "v1.34.4",
      undefined,
      { ...apiServer("", {}), spec: { channel: "nightly" } } as NestedAPIServer,
      "WaitingForAPIServer",
    ],
    "is never newer than the API server": [
      "v1.34.4",
      "v1.33.13",
      running("v1.33.13"),
      "VersionSkew",
    ],
    "is never too old for it": ["v1.32.13", undefined, running("v1.34.4"), "VersionSkew"],
    "skips no minor": ["v1.34.4", "v1.32.13", running("v1.34.4"), "VersionSkew"],
    "goes back over no minor": ["v1.33.13", "v1.34.4", running("v1.34.4"), "VersionSkew"],
    "starts with a foreign API server that has an endpoint": [
      "v1.34.4",
      undefined,
      undefined,
      "may",
    ],
  };
  for (const [name, [to, from, server, expected]] of Object.entries(rows)) {
    it(name, () => {
      const problem = controllerManagerGate(to, from, {
        apiServer: server,
        parent: parent("10.0.0.1"),
      });
      assert.equal(problem?.reason ?? "may", expected);
    });
  }

  it("waits for the endpoint of a foreign API server", () => {
    const problem = controllerManagerGate("v1.34.4", undefined, {
      apiServer: undefined,
      parent: parent(""),
    });
    assert.equal(problem?.reason, "WaitingForAPIServer");
  });
});
