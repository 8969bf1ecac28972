package dev.sro.testkit.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.api.PluginDescriptor;
import dev.sro.testkit.operator.SroSandbox;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests of the kit that look at manifests and at what they need find the plugin that they are there to find. */
class ContractManifestsTest {

    private static String daemonSet(String account, String image) {
        return """
            apiVersion: apps/v1
            kind: DaemonSet
            metadata: {name: "${name}", annotations: {specialresource.openshift.io/kernel-affine: "true"}}
            spec: {template: {spec: {serviceAccountName: "%s", containers: [{name: c, image: "%s"}]}}}
            """.formatted(account, image);
    }

    @Test
    void findsKindsThatThePluginDoesNotSayItWrites() {
        String account = "apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: x}\n";

        assertThatThrownBy(
                        new PlainKit(() -> new PlainPlugin(account))
                                ::manifestsDecodeForEveryPoolAndAskForNoMoreThanNeeded)
                .hasMessageContaining("PluginDescriptor.operandResources lacks \"serviceaccounts\"");
        assertThatThrownBy(new PlainKit(() -> new PlainPlugin(account))::declaresTheRightsThatItUsesAndNoOthers)
                .hasMessageContaining("all that the descriptor has to name: .addOperandResources(\"serviceaccounts\")");
    }

    @Test
    void findsRightsThatARoleGrantsAndThePluginDoesNotAskFor() {
        String role = """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: Role
            metadata: {name: x}
            rules: [{apiGroups: [""], resources: [pods], verbs: [get]}]
            """;

        assertThatThrownBy(
                        new PlainKit(() -> new PlainPlugin(role))::manifestsDecodeForEveryPoolAndAskForNoMoreThanNeeded)
                .hasMessageContaining("grants [get] on [pods] in []")
                .hasMessageContaining("nobody may grant what they do not have");
    }

    @Test
    void findsManifestsThatDoNotDecode() {
        assertThatThrownBy(PlainKit.of("kind: [")::manifestsDecodeForEveryPoolAndAskForNoMoreThanNeeded)
                .hasMessageContaining("InvalidManifest");
    }

    @Test
    void findsImagesWithoutATagAndAccountsThatNobodyMakes() {
        assertThatThrownBy(
                        PlainKit.of(daemonSet("admin", "busybox"))
                                ::manifestsDecodeForEveryPoolAndAskForNoMoreThanNeeded)
                .hasMessageContaining("serviceAccountName \"admin\" is in no state")
                .hasMessageContaining("must be an image with a tag");
    }

    @Test
    void findsRolesThatMayDoEverything() {
        String role = """
            apiVersion: rbac.authorization.k8s.io/v1
            kind: ClusterRole
            metadata: {name: all}
            rules: [{apiGroups: ["*"], resources: [pods], verbs: [get]}]
            """;

        assertThatThrownBy(PlainKit.of(role)::manifestsDecodeForEveryPoolAndAskForNoMoreThanNeeded)
                .hasMessageContaining("rules with * in apiGroups");
    }

    private static final String MISSPELT_RULE = """
        apiVersion: nfd.example.com/v1
        kind: Rule
        metadata: {name: x}
        spec: {rulez: [{name: y}]}
        """;

    private static final String RULES = """
        apiVersion: apiextensions.k8s.io/v1
        kind: CustomResourceDefinition
        metadata: {name: rules.nfd.example.com}
        spec:
          group: nfd.example.com
          scope: Cluster
          names: {kind: Rule, plural: rules, singular: rule, listKind: RuleList}
          versions:
          - name: v1
            served: true
            storage: true
            schema:
              openAPIV3Schema:
                type: object
                properties:
                  spec: {type: object, properties: {rules: {type: array, items: {type: object}}}}
        """;

    private static final class Ruling extends PlainPlugin {
        Ruling() {
            super(MISSPELT_RULE);
        }

        @Override
        public PluginDescriptor descriptor() {
            return PluginDescriptor.builder()
                    .from(super.descriptor())
                    .addOptionalCrds("rules.nfd.example.com")
                    .build();
        }
    }

    @Test
    void findsKindsWhoseFieldsNobodyLooksAtUnlessTheAuthorAcceptsThem() {
        assertThatThrownBy(new PlainKit(Ruling::new)::manifestsFitTheSchemasOfTheirKinds)
                .hasMessageContaining("nfd.example.com/v1/Rule: give its CRD in the folder of crds(), or accept it in"
                        + " unchecked()");

        PlainKit accepting = new PlainKit(Ruling::new) {
            @Override
            protected Set<String> unchecked() {
                return Set.of("nfd.example.com/v1/Rule");
            }
        };
        assertThatCode(accepting::manifestsFitTheSchemasOfTheirKinds).doesNotThrowAnyException();
    }

    @Test
    void servesOptionalKindsAsTheirProjectsDefineThemAndFindsFieldsThatTheyDoNotHave(@TempDir Path crds)
            throws IOException {
        Files.writeString(crds.resolve("any-name.yaml"), RULES);
        AtomicInteger served = new AtomicInteger();
        PlainKit kit = new PlainKit(Ruling::new) {
            @Override
            protected Optional<Path> crds() {
                return Optional.of(crds);
            }

            @Override
            protected void prepare(SroSandbox sandbox) {
                served.set(sandbox.client()
                        .genericKubernetesResources("nfd.example.com/v1", "Rule")
                        .list()
                        .getItems()
                        .size());
                served.incrementAndGet();
            }
        };

        assertThatThrownBy(kit::manifestsFitTheSchemasOfTheirKinds).hasMessageContaining("spec.rulez");
        assertThat(served).hasValue(1);
    }

    private static final class Monitored extends PlainPlugin {
        Monitored(String endpoints) {
            super("""
                apiVersion: monitoring.coreos.com/v1
                kind: ServiceMonitor
                metadata: {name: a}
                spec:
                  selector: {matchLabels: {app: a}}
                  %s: [{port: metrics, interval: 30s}]
                """.formatted(endpoints));
        }

        @Override
        public PluginDescriptor descriptor() {
            return PluginDescriptor.builder()
                    .from(super.descriptor())
                    .addOptionalCrds("servicemonitors.monitoring.coreos.com")
                    .build();
        }
    }

    @Test
    void servesKindsThatMostPluginsUseAndFindsFieldsThatTheyDoNotHave() {
        PlainKit fits = new PlainKit(() -> new Monitored("endpoints"));
        assertThatCode(fits::manifestsFitTheSchemasOfTheirKinds).doesNotThrowAnyException();
        assertThatCode(fits::getsReadyAndThenRests).doesNotThrowAnyException();

        assertThatThrownBy(new PlainKit(() -> new Monitored("endpointz"))::manifestsFitTheSchemasOfTheirKinds)
                .hasMessageContaining("spec.endpointz");
        assertThatThrownBy(new PlainKit(() -> new PlainPlugin("""
            apiVersion: nfd.k8s-sigs.io/v1alpha1
            kind: NodeFeatureRule
            metadata: {name: a}
            spec: {rules: [{name: r, matchFeaturez: []}]}
            """))::manifestsFitTheSchemasOfTheirKinds)
                .as("also of a kind that the descriptor forgot")
                .hasMessageContaining("spec.rules[0].matchFeaturez");
    }
}
