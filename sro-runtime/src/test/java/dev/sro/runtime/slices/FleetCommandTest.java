package dev.sro.runtime.slices;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sro.runtime.Cli;
import dev.sro.testkit.EmbeddedCluster;
import dev.sro.testkit.http.HttpFront;
import dev.sro.testkit.server.Gvr;
import java.io.IOException;
import java.nio.file.Files;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code sro slices status}, and {@code sro slices explain} of a pod. */
class FleetCommandTest extends SliceFiles {
    private static final String PODS = """
            apiVersion: v1
            kind: List
            items:
            - apiVersion: resource.k8s.io/v1
              kind: ResourceClaim
              metadata: {name: notebook, namespace: ml}
              spec: {}
              status:
                allocation: {devices: {results: [{request: r, driver: slices.sro.dev, pool: w1-slices.sro.dev, device: gpu-0000-01-00-0-1g-5gb-1}]}}
                reservedFor: [{resource: pods, name: notebook, uid: u1}]
            - apiVersion: v1
              kind: Pod
              metadata: {name: notebook, namespace: ml}
              spec:
                nodeName: w1
                containers: [{name: c, image: i}]
                resourceClaims: [{name: s, resourceClaimName: notebook}]
              status: {phase: Running}
            - apiVersion: v1
              kind: Pod
              metadata: {name: train, namespace: ml}
              spec:
                containers: [{name: c, image: i, resources: {limits: {nvidia.com/mig-4g.20gb: 1}}}]
              status: {phase: Pending}
            - apiVersion: v1
              kind: Pod
              metadata:
                name: web-1
                namespace: shop
                ownerReferences: [{apiVersion: apps/v1, kind: ReplicaSet, name: web, uid: u2, controller: true}]
              spec:
                nodeName: w9
                containers: [{name: c, image: i, resources: {limits: {nvidia.com/gpu: 1}}}]
              status: {phase: Running}
            """;

    private String slices = "";
    private String pods = "";

    @BeforeEach
    void aClusterOfOneGpu() throws IOException {
        String published = Cli.run("slices", "publish", "--model", "A100-40GB", "--count", "1", "--node", "w1")
                .out();
        slices = file("published.yaml", published);
        pods = file("pods.yaml", PODS);
    }

    private Cli run(String... arguments) {
        String[] all = new String[arguments.length + 5];
        all[0] = "slices";
        System.arraycopy(arguments, 0, all, 1, arguments.length);
        all[arguments.length + 1] = "--from";
        all[arguments.length + 2] = slices;
        all[arguments.length + 3] = "--from";
        all[arguments.length + 4] = pods;
        return Cli.run(all);
    }

    @Test
    void statusShowsWhoHasWhatWhatIsFreeAndWhoWaits() throws IOException {
        Cli status = run("status");
        assertThat(status.code()).isEqualTo(1);
        assertThat(status.out())
                .contains(
                        "w1    0000:01:00.0  A100-40GB    1/8  ml/notebook 1g.5gb  6 x 1g.5gb or",
                        "A100-40GB  4g.20gb        0     0           1        100%",
                        "ml/train  there is no place for 4g.20gb in one piece; moving 1 slice makes room on node w1");
        JsonNode json = json(run("status", "-o", "json"));
        assertThat(json.at("/gpus/0/slices/0/holder").asText()).isEqualTo("ml/notebook");
        assertThat(json.at("/waiting/0/state").asText()).isEqualTo("fragmented");
        assertThat(run("status", "-o", "yaml").out()).contains("fragmentation: 1.0");
    }

    @Test
    void explainSaysWhichMovesMakeRoom() throws IOException {
        Cli explained = run("explain", "ml/train");
        assertThat(explained.code()).isEqualTo(1);
        assertThat(explained.out())
                .startsWith("pod ml/train: fragmented\n")
                .contains(
                        "move ml/notebook (1g.5gb) from w1/0000:01:00.0 at 1 to w1/0000:01:00.0 at",
                        "nvidia.com/mig-4g.20gb of the pod's containers: 4g-20gb.slices.sro.dev",
                        "w1 (nearest)  fragmented   7/8");
        JsonNode json = json(run("explain", "train", "-n", "ml", "-o", "json"));
        assertThat(json.at("/nearest").asText()).isEqualTo("w1");
        assertThat(json.at("/plan/moves")).hasSize(1);
        assertThat(run("explain", "ml/notebook").code()).isZero();
    }

    @Test
    void whatCannotBeReadIsNamed() throws IOException {
        Cli none = run("explain", "ml/nobody");
        assertThat(none.code()).isEqualTo(2);
        assertThat(none.err()).contains("POD: there is no pod nobody in namespace ml");
        assertThat(Cli.run("slices", "status", "--from", file("empty.yaml", "kind: Nothing\n"))
                        .err())
                .contains("empty.yaml: has none of ResourceSlice");
        assertThat(Cli.run("slices", "explain", fleet).err()).contains("is a file: give --profile or --requests");
    }

    @Test
    void theOldWayIsReportedWithTemplatesThatTakeItsPlace() throws IOException {
        Cli old = run("status", "--old");
        assertThat(old.code()).isEqualTo(1);
        assertThat(old.out())
                .contains(
                        "ml         Pod train       nvidia.com/mig-4g.20gb      1     1                   0  4g-20gb",
                        "shop       ReplicaSet web  nvidia.com/gpu              1     1                   1  -",
                        "kind: \"ResourceClaimTemplate\"",
                        "namespace: \"ml\"");
        assertThat(json(run("status", "--old", "-o", "json")).at("/users")).hasSize(2);
    }

    @Test
    void aClusterIsAskedWhereNoFilesAreGiven() throws Exception {
        try (EmbeddedCluster cluster = EmbeddedCluster.create();
                HttpFront front = HttpFront.start(cluster.server(), 0)) {
            String kubeconfig = Files.writeString(folder.resolve("kubeconfig"), front.kubeconfig())
                    .toString();
            Cli status = Cli.run("slices", "status", "--kubeconfig", kubeconfig);
            assertThat(status.err()).isEmpty();
            assertThat(status.out()).isEqualTo("no node publishes GPUs: is the agent installed, and does it run?\n");
            assertThat(status.code()).isZero();
            assertThat(cluster.api().list(Gvr.PODS)).isEmpty();
        }
    }
}
