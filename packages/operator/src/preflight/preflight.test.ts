import assert from "node:assert/strict";
import { describe, it } from "node:test";
import {
  atRest,
  becoming,
  inNamespace,
  installed,
  madeAt,
  notReady,
  scaledDown,
  view,
  withSpec,
} from "../../test/preflight/provider-views.ts";
import { type ContractInput, checkContract, checkUnpause } from "./contract-rules.ts";
import { checkBeforeFetch } from "./preflight.ts";

type Row = ContractInput & { readonly refused?: string; readonly saying?: RegExp };

const core = view("CoreProvider", "cluster-api", installed("v1.13.6"));
const oldCore = view("CoreProvider", "cluster-api", installed("v1.8.4", "v1beta1"));
const aws = view("InfrastructureProvider", "aws");
const kubeadm = view("BootstrapProvider", "kubeadm", installed("v1.13.6"));
const v1beta1 = { version: "v1.8.4", contract: "v1beta1" };
const v1beta2 = { version: "v1.13.6", contract: "v1beta2" };
const oldAws = view("InfrastructureProvider", "aws", installed("v2.0.0", "v1beta1"));

function rows(check: (input: ContractInput) => void, table: Readonly<Record<string, Row>>): void {
  for (const [sentence, { refused, saying, ...input }] of Object.entries(table)) {
    it(sentence, () => {
      if (refused === undefined) return check(input);
      const isRefusal = (error: Error & { condition?: string; reason?: string }) => {
        assert.equal(error.condition, "PreflightCheckPassed");
        assert.equal(error.reason, refused);
        assert.match(error.message, saying ?? /./);
        return true;
      };
      assert.throws(() => check(input), isRefusal);
    });
  }
}

describe("before anything is fetched", () => {
  rows(checkBeforeFetch, {
    "a core is installed where there is nothing": {
      self: view("CoreProvider", "cluster-api"),
      others: [],
    },
    "a provider is installed on a core that is ready": { self: aws, others: [core] },
    "a provider waits for a core to be made": {
      self: aws,
      others: [kubeadm],
      refused: "WaitingForCoreProvider",
      saying:
        /^could not install InfrastructureProvider aws-system\/aws yet: .* goes on by itself$/,
    },
    "a provider waits for the core to be ready": {
      self: aws,
      others: [view("CoreProvider", "cluster-api", installed("v1.13.6"), notReady())],
      refused: "CoreProviderNotReady",
      saying: /CoreProvider cluster-api-system\/cluster-api is not ready/,
    },
    "what is installed is changed also while the core is not ready": {
      self: view("InfrastructureProvider", "aws", installed("v2.0.0")),
      others: [view("CoreProvider", "cluster-api", installed("v1.13.6"), atRest())],
    },
    "a second object of the same kind and name is refused in any namespace": {
      self: view("InfrastructureProvider", "aws", inNamespace("b"), madeAt("2026-02-01T00:00:00Z")),
      others: [core, view("InfrastructureProvider", "aws", inNamespace("a"))],
      refused: "SecondInstance",
      saying: /there is InfrastructureProvider a\/aws already; delete one of the two/,
    },
    "the first of two objects of the same kind and name goes on": {
      self: view("InfrastructureProvider", "aws", inNamespace("b")),
      others: [core, view("InfrastructureProvider", "aws", madeAt("2026-02-01T00:00:00Z"))],
    },
    "of two that were made in one second one alone goes on": {
      self: view("InfrastructureProvider", "aws", inNamespace("b")),
      others: [core, view("InfrastructureProvider", "aws", inNamespace("a"))],
      refused: "SecondInstance",
    },
    "an object that is elder, but not installed, takes nothing from one that is": {
      self: view(
        "InfrastructureProvider",
        "aws",
        installed("v2.0.0"),
        madeAt("2026-02-01T00:00:00Z"),
      ),
      others: [core, view("InfrastructureProvider", "aws", inNamespace("a"))],
    },
    "a provider of the same name and another kind is another provider": {
      self: view("ControlPlaneProvider", "kubeadm"),
      others: [core, kubeadm],
    },
    "a second core is refused whatever its name": {
      self: view("CoreProvider", "another", madeAt("2026-02-01T00:00:00Z")),
      others: [core],
      refused: "SecondInstance",
    },
    "a second object with API groups of its own is another provider": {
      self: view(
        "InfrastructureProvider",
        "aws",
        inNamespace("b"),
        withSpec({ apiGroupSuffix: "b.example" }),
      ),
      others: [core, view("InfrastructureProvider", "aws", inNamespace("a"))],
    },
    "a provider builds on the core that has the same API groups": {
      self: view("InfrastructureProvider", "aws", withSpec({ apiGroupSuffix: "b.example" })),
      others: [
        core,
        view(
          "CoreProvider",
          "cluster-api",
          inNamespace("b"),
          withSpec({ apiGroupSuffix: "b.example" }),
        ),
      ],
      refused: "CoreProviderNotReady",
      saying: /CoreProvider b\/cluster-api is not ready/,
    },
    "a core with API groups of its own is nobody else's": {
      self: aws,
      others: [
        view(
          "CoreProvider",
          "cluster-api",
          installed("v1.13.6"),
          withSpec({ apiGroupSuffix: "b.example" }),
        ),
      ],
      refused: "WaitingForCoreProvider",
    },
    "a version needs its v": {
      self: view("InfrastructureProvider", "aws", withSpec({ version: "2.0.0" })),
      others: [core],
      refused: "InvalidVersion",
      saying: /write v2\.0\.0; correct spec\.version/,
    },
    "a word is no version": {
      self: view("InfrastructureProvider", "aws", withSpec({ version: "vlatest" })),
      others: [core],
      refused: "InvalidVersion",
    },
    "a downgrade is refused": {
      self: view(
        "InfrastructureProvider",
        "aws",
        installed("v2.1.0"),
        withSpec({ version: "v2.0.9" }),
      ),
      others: [core],
      refused: "Downgrade",
      saying: /from v2\.1\.0 to v2\.0\.9: .*; set spec\.version to a release of v2\.1, or newer/,
    },
    "a bad patch release is reverted": {
      self: view(
        ...(["InfrastructureProvider", "aws", installed("v2.1.3")] as const),
        withSpec({ version: "v2.1.2" }),
      ),
      others: [core],
    },
    "a release after its candidate is an upgrade": {
      self: view(
        "InfrastructureProvider",
        "aws",
        installed("v2.1.0-rc.1"),
        withSpec({ version: "v2.1.0" }),
      ),
      others: [core],
    },
    "a fetch configuration with neither url nor selector is refused": {
      self: view("InfrastructureProvider", "aws", withSpec({ fetchConfig: {} })),
      others: [core],
      refused: "InvalidFetchConfig",
      saying: /exactly one of url and selector/,
    },
    "a fetch configuration with both is refused": {
      self: view(
        "InfrastructureProvider",
        "aws",
        withSpec({ fetchConfig: { url: "https://a.example/releases", selector: {} } }),
      ),
      others: [core],
      refused: "InvalidFetchConfig",
    },
    "files of the operator are nobody's components": {
      self: view(
        "InfrastructureProvider",
        "aws",
        withSpec({ fetchConfig: { url: "file:///etc/infrastructure-aws/v1.0.0/x" } }),
      ),
      others: [core],
      refused: "InvalidFetchConfig",
      saying: /https:\/\/ or oci:\/\//,
    },
    "a selector that selects nothing by mistake is refused": {
      self: view(
        "InfrastructureProvider",
        "aws",
        withSpec({
          fetchConfig: { selector: { matchExpressions: [{ key: "a", operator: "In" }] } },
        }),
      ),
      others: [core],
      refused: "InvalidFetchConfig",
      saying: /selector\.matchExpressions\[0\]\.values: Required value/,
    },
    "what lies in a namespace that is watched for its users is not taken": {
      self: view("InfrastructureProvider", "aws", withSpec({ secretName: "variables" })),
      others: [
        core,
        view("InfrastructureProvider", "gcp", withSpec({ watch: { namespaces: ["aws-system"] } })),
      ],
      refused: "TenantNamespace",
      saying: /InfrastructureProvider gcp-system\/gcp watches it for its users.*keep providers in/,
    },
    "additional manifests are not taken from where another instance's users write": {
      self: view("InfrastructureProvider", "aws", withSpec({ additionalManifests: { name: "a" } })),
      others: [
        core,
        view("InfrastructureProvider", "gcp", withSpec({ watch: { namespaces: ["aws-system"] } })),
      ],
      refused: "TenantNamespace",
      saying: /could not take ConfigMaps and Secrets from namespace aws-system/,
    },
    "a Secret of another namespace cannot be named": {
      self: view("InfrastructureProvider", "aws", withSpec({ secretName: "elsewhere/aws" })),
      others: [core],
      refused: "InvalidSecretName",
      saying: /has to be in the provider's own namespace aws-system$/,
    },
  });
});

describe("once the contract is known", () => {
  rows(checkContract, {
    "the core's contract fits": { self: aws, others: [core], target: v1beta2 },
    "nothing is said before it is fetched": { self: aws, others: [oldCore] },
    "another contract than the core's is refused": {
      self: aws,
      others: [core],
      target: v1beta1,
      refused: "ContractMismatch",
      saying:
        /aws v1\.8\.4: it abides by v1beta1, and CoreProvider cluster-api-system\/cluster-api by v1beta2; choose/,
    },
    "an older contract fits where the policy follows clusterctl": {
      self: view("InfrastructureProvider", "aws", withSpec({ contractPolicy: "Compatible" })),
      others: [core],
      target: v1beta1,
    },
    "a newer contract than the core's fits under no policy": {
      self: view("InfrastructureProvider", "aws", withSpec({ contractPolicy: "Compatible" })),
      others: [oldCore],
      target: v1beta2,
      refused: "ContractMismatch",
    },
    "a provider waits while nobody can tell the core's contract": {
      self: aws,
      others: [view("CoreProvider", "cluster-api")],
      target: v1beta2,
      refused: "CoreProviderNotReady",
    },
    "an upgrade within the contract needs no pause": {
      self: core,
      others: [kubeadm],
      target: { version: "v1.14.2", contract: "v1beta2" },
    },
    "a change of the core's contract is refused, and those are named that are not at rest": {
      self: view("CoreProvider", "cluster-api", installed("v1.8.4", "v1beta1"), atRest()),
      others: [
        oldAws,
        view(
          "BootstrapProvider",
          "kubeadm",
          installed("v1.8.4", "v1beta1"),
          withSpec({ paused: true }),
        ),
      ],
      target: v1beta2,
      refused: "ContractChangeBlocked",
      saying:
        /becomes v1beta2 instead of v1beta1.*; InfrastructureProvider aws-system\/aws is not paused, BootstrapProvider kubeadm-system\/kubeadm still has pods; set spec\.paused/,
    },
    "a core alone has to be paused, too": {
      self: oldCore,
      others: [],
      target: v1beta2,
      refused: "ContractChangeBlocked",
      saying: /CoreProvider cluster-api-system\/cluster-api is not paused/,
    },
    "a core alone that follows clusterctl changes its contract at once": {
      self: view(
        "CoreProvider",
        "cluster-api",
        installed("v1.8.4", "v1beta1"),
        withSpec({ contractPolicy: "Compatible" }),
      ),
      others: [],
      target: v1beta2,
    },
    "a core that follows clusterctl still waits for one that does not": {
      self: view(
        "CoreProvider",
        "cluster-api",
        installed("v1.8.4", "v1beta1"),
        withSpec({ contractPolicy: "Compatible" }),
      ),
      others: [oldAws],
      target: v1beta2,
      refused: "ContractChangeBlocked",
    },
    "a provider cannot go before the core while anybody runs": {
      self: oldAws,
      others: [oldCore],
      target: v1beta2,
      refused: "ContractChangeBlocked",
    },
    "a provider that follows clusterctl goes after the core without a pause": {
      self: view(
        "InfrastructureProvider",
        "aws",
        installed("v2.0.0", "v1beta1"),
        withSpec({ contractPolicy: "Compatible" }),
      ),
      others: [core, kubeadm],
      target: v1beta2,
    },
    "while all are at rest the core changes its contract": {
      self: view("CoreProvider", "cluster-api", installed("v1.8.4", "v1beta1"), atRest()),
      others: [view("InfrastructureProvider", "aws", installed("v2.0.0", "v1beta1"), atRest())],
      target: v1beta2,
    },
    "while all are at rest a provider goes before the core": {
      self: view("InfrastructureProvider", "aws", installed("v2.0.0", "v1beta1"), atRest()),
      others: [view("CoreProvider", "cluster-api", installed("v1.8.4", "v1beta1"), atRest())],
      target: v1beta2,
    },
    "one that is held back from being unpaused is as good as paused": {
      self: view("InfrastructureProvider", "aws", installed("v2.0.0", "v1beta1"), atRest()),
      others: [view("CoreProvider", "cluster-api", installed("v1.13.6"), scaledDown())],
      target: v1beta2,
    },
    "one that has no pods for another reason may have some at any time": {
      self: view("InfrastructureProvider", "aws", installed("v2.0.0", "v1beta1"), atRest()),
      others: [view("CoreProvider", "cluster-api", installed("v1.8.4", "v1beta1"), scaledDown())],
      target: v1beta2,
      refused: "ContractChangeBlocked",
      saying: /cluster-api is not paused/,
    },
    "one that is not installed, and not paused, may begin to run at any time": {
      self: view("CoreProvider", "cluster-api", installed("v1.8.4", "v1beta1"), atRest()),
      others: [aws],
      target: v1beta2,
      refused: "ContractChangeBlocked",
      saying: /aws-system\/aws is not paused/,
    },
    "those that build on another core are left out": {
      self: view("CoreProvider", "cluster-api", installed("v1.8.4", "v1beta1"), atRest()),
      others: [
        view(
          "CoreProvider",
          "cluster-api",
          inNamespace("b"),
          installed("v1.8.4", "v1beta1"),
          withSpec({ apiGroupSuffix: "b.example" }),
        ),
        view(
          "InfrastructureProvider",
          "aws",
          installed("v2.0.0", "v1beta1"),
          withSpec({ apiGroupSuffix: "b.example" }),
        ),
      ],
      target: v1beta2,
    },
    "a core that is made anew has to fit those that are installed": {
      self: view("CoreProvider", "cluster-api"),
      others: [oldAws],
      target: v1beta2,
      refused: "ContractMismatch",
      saying:
        /cluster-api v1\.13\.6: it abides by v1beta2, and InfrastructureProvider aws-system\/aws by v1beta1/,
    },
  });
});

describe("unpausing", () => {
  const paused = view("CoreProvider", "cluster-api", installed("v1.13.6"), atRest());
  rows(checkUnpause, {
    "is done where all abide by the core's contract": { self: core, others: [kubeadm] },
    "of the core is refused while one provider is on the old contract": {
      self: paused,
      others: [oldAws, kubeadm],
      refused: "UnpauseBlocked",
      saying:
        /could not unpause CoreProvider .* abides by v1beta2, and InfrastructureProvider aws-system\/aws by v1beta1; set spec\.version there/,
    },
    "of a provider on the new contract is refused for another's sake": {
      self: kubeadm,
      others: [paused, oldAws],
      refused: "UnpauseBlocked",
    },
    "of a provider on the old contract is refused": {
      self: oldAws,
      others: [paused],
      refused: "UnpauseBlocked",
    },
    "is done where the other's policy follows clusterctl": {
      self: paused,
      others: [
        view(
          "InfrastructureProvider",
          "aws",
          installed("v2.0.0", "v1beta1"),
          withSpec({ contractPolicy: "Compatible" }),
        ),
      ],
    },
    "is refused while the core is on the way to another contract": {
      self: view("InfrastructureProvider", "aws", installed("v2.0.0", "v1beta1"), scaledDown()),
      others: [
        view(
          "CoreProvider",
          "cluster-api",
          installed("v1.8.4", "v1beta1"),
          atRest(),
          becoming(v1beta2),
        ),
      ],
      refused: "UnpauseBlocked",
      saying: /cluster-api by v1beta1, on the way to v1beta2.*aws by v1beta1/,
    },
    "is refused while another is on the way to a contract that is not the core's": {
      self: view("CoreProvider", "cluster-api", installed("v1.8.4", "v1beta1"), scaledDown()),
      others: [
        view(
          "InfrastructureProvider",
          "aws",
          installed("v2.0.0", "v1beta1"),
          atRest(),
          becoming(v1beta2),
        ),
      ],
      refused: "UnpauseBlocked",
      saying: /aws by v1beta1, on the way to v1beta2/,
    },
    "is done while one is on the way to another version of the same contract": {
      self: view("CoreProvider", "cluster-api", installed("v1.13.6"), scaledDown()),
      others: [
        view(
          "BootstrapProvider",
          "kubeadm",
          installed("v1.13.6"),
          becoming({ version: "v1.14.2", contract: "v1beta2" }),
        ),
      ],
    },
    "is done where one is not installed at all": { self: paused, others: [aws] },
  });
});
