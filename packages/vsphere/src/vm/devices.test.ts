import assert from "node:assert/strict";
import { it } from "node:test";
import { childOf, parseXml } from "../vim/xml-reader.ts";
import { storagePolicyChanges } from "./devices.ts";

const devices = childOf(
  parseXml(`<devices xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
    <VirtualDevice xsi:type="VirtualE1000"><key>4000</key></VirtualDevice>
    <VirtualDevice xsi:type="VirtualDisk"><key>2000</key><backing xsi:type="VirtualDiskFlatVer2BackingInfo"><fileName>[ds] a.vmdk</fileName></backing><controllerKey>1000</controllerKey><unitNumber>0</unitNumber><capacityInKB>1024</capacityInKB></VirtualDevice>
  </devices>`),
  "devices",
);

it("a storage policy is that of every disk, which stays what it is", () => {
  const [change = "", ...more] = storagePolicyChanges(devices, "policy-1");
  assert.deepEqual(more, []);
  assert.match(
    change,
    /<operation>edit<\/operation><device xsi:type="VirtualDisk"><key>2000<\/key>/,
  );
  assert.match(change, /<fileName>\[ds\] a\.vmdk<\/fileName>/);
  assert.match(change, /<capacityInKB>1024<\/capacityInKB>/);
  const profile =
    '<profile xsi:type="VirtualMachineDefinedProfileSpec"><profileId>policy-1</profileId></profile></deviceChange>';
  assert.ok(change.endsWith(profile), change);
});
