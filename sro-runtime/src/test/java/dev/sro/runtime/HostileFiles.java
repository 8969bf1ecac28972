package dev.sro.runtime;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.sro.core.yaml.Yaml;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Files that commands read, and calls that read them. Stateless. */
final class HostileFiles {
    static final String CSV = "made/manifests/special-resource-operator.clusterserviceversion.yaml";

    /** Files that are no documents, by name. */
    static final Map<String, String> TEXTS = Map.of(
            "trace.csv",
            "time,profile,holding\n0,1g.5gb,600\n1,2g.10gb,30\n5,3g.20gb,60\n70,3g.20gb,inf\n",
            "digests",
            "registry.example/a:1 sha256:" + "a".repeat(64) + "\nregistry.example/b:1 sha256:" + "b".repeat(64) + "\n",
            "ca.pem",
            "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n");

    private static final String ABOUT = """
        maintainers: [{name: Ada Example, email: ada@example.com}]
        links: [{name: Documentation, url: "https://example.com/sro"}]
        repository: https://example.com/sro
        """;

    private static final String NIC = """
        kind: vendor.example/nic
        devices: [/dev/nic]
        libraries: [/usr/lib64/libnic.so]
        activationFlag: NIC=on
        hookPath: /usr/libexec/oci/hooks.d/oci-injector-hook
        """;

    private static final String RESOURCE = """
        apiVersion: sro.openshift.io/v1beta1
        kind: SpecialResource
        metadata: {name: demo}
        spec: {namespace: demo, nodeSelector: {example.com/device: "true"}}
        ---
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: demo}
        data: {0000-a.yaml: "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}, data: {image: b}}"}
        """;

    private static final String NODES = """
        apiVersion: v1
        kind: Node
        metadata: {name: worker-1, labels: {example.com/device: "true", kubernetes.io/arch: amd64}, annotations: {a: b}}
        spec: {taints: [{key: a, value: b, effect: NoSchedule}], unschedulable: false}
        status:
          nodeInfo:
            architecture: amd64
            operatingSystem: linux
            kernelVersion: 5.14.0-427.11.1.el9_4.x86_64
            osImage: Red Hat Enterprise Linux 9.4 (Plow)
            containerRuntimeVersion: containerd://1.7.0
            kubeletVersion: v1.36.2
          allocatable: {cpu: "8", memory: 16Gi, example.com/device: "1"}
          capacity: {cpu: "8", memory: 16Gi}
          conditions: [{type: Ready, status: "True", reason: a, message: b, lastTransitionTime: "2026-01-31T12:00:00Z"}]
        """;

    private static final String OBSERVED = """
        apiVersion: v1
        kind: ConfigMap
        metadata: {name: a, namespace: demo, uid: u, resourceVersion: "1", labels: {sro.openshift.io/owned: "true"}, annotations: {a: b}}
        data: {image: a}
        ---
        apiVersion: apps/v1
        kind: DaemonSet
        metadata: {name: a, namespace: demo, labels: {sro.openshift.io/owned: "true"}}
        spec:
          selector: {matchLabels: {app: a}}
          template: {metadata: {labels: {app: a}}, spec: {containers: [{name: a, image: a}]}}
        status: {desiredNumberScheduled: 1, numberReady: 0, currentNumberScheduled: 1}
        ---
        apiVersion: v1
        kind: Pod
        metadata: {name: a, namespace: demo, labels: {app: a}, ownerReferences: [{apiVersion: apps/v1, kind: DaemonSet, name: a, uid: u, controller: true}]}
        spec: {nodeName: worker-1, containers: [{name: a, image: a, resources: {limits: {cpu: "1"}}}]}
        status: {phase: Pending, conditions: [{type: Ready, status: "False", message: a}], containerStatuses: [{name: a, image: a, imageID: a, ready: false, restartCount: 1, state: {waiting: {reason: a, message: b}}}]}
        """;

    private static final String MORE = """
        apiVersion: v1
        kind: Node
        metadata: {name: worker-1, labels: {zone: a}, annotations: {slices.sro.dev/cordon.0000-01-00.0: "a fan is loud"}}
        spec: {taints: [{key: a, value: b, effect: NoSchedule}]}
        status: {allocatable: {cpu: "8"}, conditions: [{type: Ready, status: "True"}]}
        ---
        apiVersion: v1
        kind: Pod
        metadata: {name: third, namespace: ml, uid: u-3, labels: {a: b}, annotations: {slices.sro.dev/gang: g, slices.sro.dev/gang-size: "2"}}
        spec:
          nodeSelector: {zone: a}
          tolerations: [{key: a, operator: Exists}]
          schedulingGates: [{name: slices.sro.dev/placement}]
          affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: zone, operator: In, values: [a]}]}]}}}
          containers: [{name: c, image: i, resources: {limits: {nvidia.com/mig-4g.24gb: 1, cpu: "1"}, claims: [{name: s, request: r}]}}]
          resourceClaims: [{name: s, resourceClaimTemplateName: t}]
          priorityClassName: p
        status: {phase: Pending, resourceClaimStatuses: [{name: s, resourceClaimName: third-s}], conditions: [{type: PodScheduled, status: "False", reason: Unschedulable, message: m}]}
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaimTemplate
        metadata: {name: t, namespace: ml}
        spec: {spec: {devices: {requests: [{name: r, firstAvailable: [{name: a, deviceClassName: 2g-12gb.slices.sro.dev, count: 1, selectors: [{cel: {expression: "device.driver == 'slices.sro.dev'"}}]}]}], constraints: [{requests: [r], matchAttribute: slices.sro.dev/parent}]}}}
        ---
        apiVersion: resource.k8s.io/v1
        kind: ResourceClaim
        metadata: {name: third-s, namespace: ml, annotations: {slices.sro.dev/waiting: "{}"}}
        spec: {devices: {requests: [{name: r, exactly: {deviceClassName: 4g-24gb.slices.sro.dev, count: 3, allocationMode: ExactCount, tolerations: [{key: a, operator: Exists}], selectors: [{cel: {expression: "device.attributes['slices.sro.dev'].profile == '4g.24gb'"}}]}}]}}
        ---
        apiVersion: resource.k8s.io/v1
        kind: DeviceClass
        metadata: {name: own}
        spec: {extendedResourceName: example.com/own, selectors: [{cel: {expression: "device.driver == 'slices.sro.dev'"}}]}
        """;

    /** Files whose strings are changed, forms of the answer, and the words of the call: {@link Call}. */
    private static final String LINES = """
        fleet.yaml | text,json,yaml,svg,fleet | slices show @fleet.yaml
        fleet.yaml | text,json | slices show @fleet.yaml --most-devices 1
        fleet.yaml,requests.yaml | text,json,svg | slices explain @fleet.yaml --requests @requests.yaml
        fleet.yaml | text,json | slices explain @fleet.yaml --profile=3g.20gb --profile=? --node=? --model=? --group=? --label=a=? --device=? --policy=best-fit
        - | text | slices explain @fleet.yaml --profile=3g.20gb --policy=?
        fleet.yaml | text,json,svg,fleet | slices defrag @fleet.yaml --admit=7g.40gb --max-moves 4
        fleet.yaml | text,yaml | slices defrag @fleet.yaml
        - | text | slices defrag @fleet.yaml --admit=? --at=?
        fleet.yaml,tiles.yaml | json,yaml | slices publish @fleet.yaml --catalogue @tiles.yaml --das
        - | yaml | slices publish --model=? --node=? --driver=? --kubernetes=? --allocator=?
        - | yaml | slices publish --model=A30-24GB --node=?
        - | json | slices publish --model=A30-24GB --driver=?
        mig.yaml,node.yaml | text,json,yaml,svg | slices mig @node.yaml --config @mig.yaml --select balanced
        mig.yaml | text | slices mig @node.yaml --config @mig.yaml --select=?
        tiles.yaml | text,json,yaml | slices models --catalogue @tiles.yaml
        tiles.yaml | text | slices models --catalogue @tiles.yaml Tile-9000
        - | text | slices models -- ?
        tiles.yaml,tilesreq.yaml | text,json,svg,fleet | slices pack --catalogue @tiles.yaml --model Tile-9000 --requests @tilesreq.yaml
        - | text | slices pack --model=? --want=?=1
        - | text | slices pack --model=A30-24GB --want=?=1,?=?
        tiles.yaml | text,json | slices pack-mixed --catalogue @tiles.yaml --offer Tile-9000=5:9 --offer=A30-24GB=7 --want half/1g.6gb=3
        - | text | slices pack-mixed --offer=?=3 --want=?=3
        - | text | slices pack-mixed --offer=A30-24GB=? --want=1g.6gb=?
        tiles.yaml | text,json | slices simulate --catalogue @tiles.yaml --model Tile-9000 --devices 2 --policy best-fit
        trace.csv | text,json | slices simulate --model A100-40GB --devices 2 --trace @trace.csv --policy best-fit
        - | text | slices simulate --model=? --devices 2 --mix=? --policy=?
        - | text | slices simulate --model=A30-24GB --devices 2 --mix=?
        - | text | slices simulate --model=A30-24GB --devices 2 --policy=?
        published.yaml,waiting.yaml,more.yaml | text,json | slices status --from @published.yaml --from @waiting.yaml --from @more.yaml
        published.yaml,waiting.yaml,more.yaml | text,yaml | slices status --from @published.yaml --from @waiting.yaml --from @more.yaml --old
        published.yaml,waiting.yaml,more.yaml | text,json | slices explain --from @published.yaml --from @waiting.yaml --from @more.yaml ml/big
        published.yaml,waiting.yaml,more.yaml | text | slices explain --from @published.yaml --from @waiting.yaml --from @more.yaml ml/third
        published.yaml,waiting.yaml,more.yaml | text | slices explain --from @published.yaml --from @waiting.yaml --from @more.yaml ml/batch
        - | text | slices explain --from @published.yaml --from @waiting.yaml --from @more.yaml --namespace=? -- ?
        published.yaml,waiting.yaml,more.yaml,explained.json | text,json,yaml | slices verify --from @published.yaml --from @waiting.yaml --from @more.yaml @explained.json
        explained.json | text,json,yaml | slices verify --from @published.yaml --from @waiting.yaml --from @more.yaml --from @noted.json
        published.yaml,overlapping-slices.yaml | text,json,yaml | slices audit @published.yaml @overlapping-slices.yaml
        - | text | slices audit @overlapping-slices.yaml --model=? --kubernetes=?
        tiles.yaml | text | slices audit @overlapping-slices.yaml --catalogue @tiles.yaml
        - | yaml,json | slices claim --profile=1g.10gb --profile=? --name=? --namespace=?
        - | yaml | slices claim --profile=1g.10gb --kubernetes=? --driver=?
        ca.pem || slices scheduler-config --url=https://127.0.0.1:8888 --ca @ca.pem --client-certificate=/x --scheduler-name=?
        - || slices scheduler-config --url=? --scheduler-name=? --models=? --lease=? --client-certificate=/x
        - || slices scheduler-config --models=? --scheduler-name=?
        - || slices scheduler-config --lease=a/? --scheduler-name=?
        onload.json || cdi convert @onload.json --kind amd.com/onload --to cdi
        onload.json || cdi convert @onload.json --kind=? --device=? --ldconfig=?
        nic.yaml || cdi convert @nic.yaml --to cdi
        nic.yaml || cdi convert @nic.yaml --to hook
        nic.yaml || cdi convert @nic.yaml --to injector
        nodes.yaml,observed.yaml | text,json | plan -f @cr.yaml --nodes @nodes.yaml --observed @observed.yaml
        nodes.yaml,observed.yaml | text,json | render -f @cr.yaml --nodes @nodes.yaml --observed @observed.yaml
        nodes.yaml,observed.yaml | text,json | diff -f @cr.yaml --nodes @nodes.yaml --observed @observed.yaml
        nodes.yaml,observed.yaml | text,json | lint -f @cr.yaml --nodes @nodes.yaml --observed @observed.yaml
        rule.yaml,features.yaml | text,json | features -f @rule.yaml -f @features.yaml
        nodes.yaml,observed.yaml | yaml | rbac --for @cr.yaml --nodes @nodes.yaml --observed @observed.yaml
        - | text | plan -f @cr.yaml --kernel=? --os-image=? --node-label=a=? --kubernetes-version=? --recipe-account=? --image-exists=? --image-missing=?
        - | text | render -f @cr.yaml --kernel=5.14.0-427.11.1.el9_4.x86_64 --state=? --pool=?
        digests,about.yaml,cr.yaml || bundle @bundle# --plugins @plugins --images @digests --about @about.yaml --example @cr.yaml --image registry.example/a:1
        - || bundle @bundle# --plugins @plugins --bundle-version=? --channels=? --default-channel=? --replaces=? --skips=? --skip-range=?
        - || bundle @bundle# --plugins @plugins --namespace=? --arch=? --image=? --scorecard-image=?
        - || bundle @bundle# --plugins @plugins --created-at=? --min-kube-version=? --openshift-versions=? --allow-wide-rules=?
        made/manifests/special-resource-operator.clusterserviceversion.yaml || bundle --check @made
        - | text,json | explain -- ?
        - || manifests @manifests# --plugins @plugins --image=? --namespace=?
        - | text,json | plugins --plugins @plugins
        """;

    /** Calls in the order in which they are tried. */
    static final List<Call> CALLS = calls();

    /**
     * One way to call a command.
     *
     * @param files whose strings are changed, one after the other
     * @param words the command line; {@code @} stands for the folder, {@code ?} for a hostile string
     */
    record Call(List<String> files, List<String> words) {
        /** Names of the command. */
        String command() {
            StringBuilder name = new StringBuilder("sro");
            for (String word : words) {
                if (!word.matches("[a-z-]+") || word.startsWith("-")) {
                    break;
                }
                name.append(' ').append(word);
            }
            return name.toString();
        }
    }

    private HostileFiles() {}

    private static List<Call> calls() {
        List<Call> calls = new ArrayList<>();
        for (String line : LINES.strip().split("\n")) {
            String[] parts = line.strip().split(" *[|] *", -1);
            for (String form : parts[1].split(",", -1)) {
                List<String> words = new ArrayList<>(List.of(parts[2].split(" ")));
                if (!form.isEmpty()) {
                    words.addAll(words.contains("--") ? words.indexOf("--") : words.size(), List.of("-o", form));
                }
                calls.add(new Call(parts[0].equals("-") ? List.of() : List.of(parts[0].split(",", -1)), words));
            }
        }
        return List.copyOf(calls);
    }

    /** Documents by name, as YAML. */
    static Map<String, String> documents() throws IOException {
        Map<String, String> all = new LinkedHashMap<>();
        for (String name : List.of(
                "fleet.yaml",
                "requests.yaml",
                "tiles.yaml",
                "waiting.yaml",
                "overlapping-slices.yaml",
                "node.yaml",
                "mig.yaml")) {
            all.put(
                    name,
                    Files.readString(Repository.file("docs/slicing/samples").resolve(name)));
        }
        all.put("onload.json", Files.readString(Repository.file("docs/samples/onload.json")));
        all.put("rule.yaml", Files.readString(Repository.file("docs/samples/rule.yaml")));
        all.put("features.yaml", Files.readString(Repository.file("docs/samples/features.yaml")));
        all.put("cr.yaml", RESOURCE);
        all.put("nic.yaml", NIC);
        all.put("about.yaml", ABOUT);
        all.put("nodes.yaml", NODES);
        all.put("observed.yaml", OBSERVED);
        all.put("more.yaml", MORE);
        all.put("tilesreq.yaml", "requests: [{claim: a, profile: half, count: 2}, {claim: b, profile: quarter+codec}]");
        return all;
    }

    /** Documents as one: a List where there are more. */
    static JsonNode list(String yaml) {
        ArrayNode items = HostileStrings.JSON.createArrayNode();
        Yaml.documents("yaml", yaml).forEach(document -> items.add(HostileStrings.JSON.valueToTree(document)));
        if (items.size() == 1) {
            return items.get(0);
        }
        ObjectNode list = HostileStrings.JSON.createObjectNode();
        list.put("apiVersion", "v1").put("kind", "List");
        list.set("items", items);
        return list;
    }

    /** The text with one to three of its cells changed. */
    static String changed(String text, Random random) {
        String changed = text;
        for (int i = random.nextInt(3); i >= 0; i--) {
            String[] cells = changed.split("(?<=[,\\n ])|(?=[,\\n ])");
            cells[random.nextInt(cells.length)] = HostileStrings.any(random);
            changed = String.join("", cells);
        }
        return changed;
    }
}
