package dev.sro.core.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.ManifestTemplate;
import dev.sro.api.State;
import dev.sro.core.fixture.Nodes;
import dev.sro.core.model.KubeObject;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ValueTrees;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AffineReferencesTest {

    private static final String K1 = "-b657a71de7fad62f";
    private static final String K2 = "-e383247e62b56585";

    private static String affine(String kind, String apiVersion, String more) {
        return """
            ---
            apiVersion: %s
            kind: %s
            metadata:
              name: x
              annotations: {specialresource.openshift.io/kernel-affine: "true"%s}
            """.formatted(apiVersion, kind, more);
    }

    private static final String TARGETS = affine("ServiceAccount", "v1", "")
            + affine("ConfigMap", "v1", "")
            + affine("Secret", "v1", "")
            + affine("PersistentVolumeClaim", "v1", "")
            + affine("Service", "v1", "")
            + affine("Role", "rbac.authorization.k8s.io/v1", "")
            + affine("ClusterRole", "rbac.authorization.k8s.io/v1", "")
            + affine("DaemonSet", "apps/v1", "");

    private static String asking(String kind, String apiVersion, String body) {
        return affine(kind, apiVersion, ", sro.dev/affine-references: \"true\"").replace("name: x\n", "name: asking\n")
                + body;
    }

    private static Rendering rendering(String yaml) {
        return Rendering.of(
                        State.of("0500-targets", ManifestTemplate.text("a.yaml", TARGETS)),
                        State.of("1000-x", ManifestTemplate.text("b.yaml", yaml)))
                .on(Nodes.node("a", Nodes.K1), Nodes.node("b", Nodes.K2));
    }

    private static KubeObject asking(Rendering rendering, String suffix) {
        return rendering.objects().stream()
                .filter(object -> object.ref().name().equals("asking" + suffix))
                .findFirst()
                .orElseThrow();
    }

    /** Each line: a reference in a pod's spec, and what it becomes with the suffix of the pool in place of the star. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        {serviceAccountName: x}                                            | serviceAccountName=x*
        {volumes: [{name: x, configMap: {name: x}}]}                       | [{name=x, configMap={name=x*}}]
        {volumes: [{name: v, secret: {secretName: x}}]}                    | secret={secretName=x*}
        {volumes: [{name: v, persistentVolumeClaim: {claimName: x}}]}      | claimName=x*
        {volumes: [{name: v, projected: {sources: [{secret: {name: x}}]}}]}| {secret={name=x*}}
        {volumes: [{name: v, configMap: {name: other}}]}                   | configMap={name=other}
        {volumes: [{name: v, hostPath: {path: x}}]}                        | hostPath={path=x}
        {imagePullSecrets: [{name: x}]}                                    | imagePullSecrets=[{name=x*}]
        {containers: [{name: x, envFrom: [{configMapRef: {name: x}}]}]}    | name=x, envFrom=[{configMapRef={name=x*}}]
        {containers: [{name: x, env: [{name: x, valueFrom: {secretKeyRef: {name: x, key: x}}}]}]} | {name=x, valueFrom={secretKeyRef={name=x*, key=x}}}
        """)
    void aPodsReferencesFollow(String spec, String expected) {
        Rendering rendering = rendering(asking("DaemonSet", "apps/v1", "spec: {template: {spec: " + spec + "}}\n"));
        for (String suffix : List.of(K1, K2)) {
            assertThat(String.valueOf(asking(rendering, suffix).map("spec", "template", "spec")))
                    .contains(expected.replace("*", suffix));
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        RoleBinding        | subjects: [{kind: ServiceAccount, name: x}]                  | [{kind=ServiceAccount, name=x*}]
        RoleBinding        | subjects: [{kind: ServiceAccount, name: x, namespace: simple-kmod}] | name=x*
        RoleBinding        | subjects: [{kind: ServiceAccount, name: x, namespace: else}] | name=x, namespace=else
        RoleBinding        | subjects: [{kind: User, name: x}]                            | [{kind=User, name=x}]
        RoleBinding        | roleRef: {kind: Role, name: x}                               | {kind=Role, name=x*}
        RoleBinding        | roleRef: {kind: ClusterRole, name: x}                        | {kind=ClusterRole, name=x*}
        """)
    void bindingsFollow(String kind, String body, String expected) {
        Rendering rendering = rendering(asking(kind, "rbac.authorization.k8s.io/v1", body + "\n"));
        for (String suffix : List.of(K1, K2)) {
            assertThat(String.valueOf(asking(rendering, suffix).tree())).contains(expected.replace("*", suffix));
        }
    }

    @Test
    void aServiceSelectsTheWorkloadOfItsPool() {
        Rendering rendering = rendering(asking("Service", "v1", "spec: {selector: {app: x, tier: x}}\n"));
        assertThat(asking(rendering, K2).map("spec", "selector"))
                .containsEntry("app", "x" + K2)
                .containsEntry("tier", "x");
    }

    @Test
    void theDigestIsThatOfWhatIsApplied() {
        Rendering rendering =
                rendering(asking("DaemonSet", "apps/v1", "spec: {template: {spec: {serviceAccountName: x}}}\n"));
        KubeObject object = asking(rendering, K1);
        KubeObject bare = object.edit(
                tree -> ValueTrees.ensureMap(tree, "metadata", "annotations").remove(MetadataKeys.APPLIED));
        assertThat(object.annotation(MetadataKeys.APPLIED)).contains(bare.digest());
    }

    @Test
    void withoutTheAnnotationReferencesStayAsTheyAreWritten() {
        Rendering rendering = rendering(affine("DaemonSet", "apps/v1", "").replace("name: x\n", "name: asking\n")
                + "spec: {template: {spec: {serviceAccountName: x}}}\n");
        assertThat(asking(rendering, K1).map("spec", "template", "spec")).containsEntry("serviceAccountName", "x");
    }

    @Test
    void onAnObjectForAllPoolsItIsAMistake() {
        Rendering rendering = rendering("""
            apiVersion: v1
            kind: ConfigMap
            metadata: {name: shared, annotations: {sro.dev/affine-references: "true"}}
            """);
        assertThat(rendering.states().get(1).problems().values()).isNotEmpty().allSatisfy(problem -> {
            assertThat(Objects.requireNonNull(problem).code()).isEqualTo("AffineReferencesOutsidePool");
            assertThat(problem.message()).contains("ConfigMap shared", "kernel-affine");
        });
    }
}
