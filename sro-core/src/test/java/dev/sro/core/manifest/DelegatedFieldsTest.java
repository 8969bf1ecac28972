package dev.sro.core.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.State;
import dev.sro.core.model.KubeObject;
import dev.sro.core.yaml.Yaml;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DelegatedFieldsTest {
    private static final DelegatedFields NOBODY = DelegatedFields.of(List.of());

    private static KubeObject object(String yaml) {
        return KubeObject.of(Yaml.documents("test", yaml).get(0));
    }

    private static DelegatedFields with(String scaler) {
        return DelegatedFields.of(List.of(new DesiredState(
                State.of("1000-a"),
                Set.of(),
                List.of(new Desired(object(scaler), "1000-a", null)),
                Map.of(),
                Map.of())));
    }

    private static KubeObject deployment(int replicas, String image) {
        return object("""
                apiVersion: apps/v1
                kind: Deployment
                metadata: {name: gw, namespace: ns}
                spec: {replicas: %d, template: {spec: {containers: [{name: c, image: %s}]}}}
                """.formatted(replicas, image));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: x, namespace: ns},"
                        + " spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: gw}}}",
                "{apiVersion: keda.sh/v1alpha1, kind: ScaledObject, metadata: {name: x, namespace: ns},"
                        + " spec: {scaleTargetRef: {name: gw}}}"
            })
    void replicasAreThoseOfAnAutoscalerOfTheRecipe(String scaler) {
        assertThat(with(scaler).kept(deployment(1, "b"), deployment(4, "a")).tree())
                .isEqualTo(deployment(4, "b").tree());
    }

    @Test
    void replicasOfWhatNobodyScalesAreThoseOfTheRecipe() {
        KubeObject wanted = deployment(1, "a");
        assertThat(NOBODY.kept(wanted, deployment(4, "a"))).isSameAs(wanted);
        assertThat(
                        with("{apiVersion: autoscaling/v2, kind: HorizontalPodAutoscaler, metadata: {name: x, namespace: other},"
                                        + " spec: {scaleTargetRef: {kind: Deployment, name: gw}}}")
                                .kept(wanted, deployment(4, "a")))
                .isSameAs(wanted);
    }

    private static KubeObject webhook(String annotation, String bundle) {
        return object("""
                apiVersion: admissionregistration.k8s.io/v1
                kind: ValidatingWebhookConfiguration
                metadata: {name: w, annotations: {%s}}
                webhooks:
                - {name: a, clientConfig: {caBundle: %s, service: {name: s}}}
                - {name: b, clientConfig: {service: {name: s}}}
                """.formatted(annotation, bundle));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "cert-manager.io/inject-ca-from: ns/cert",
                "cert-manager.io/inject-ca-from-secret: ns/cert",
                "service.beta.openshift.io/inject-cabundle: \"true\""
            })
    void anAuthorityThatIsInjectedStays(String annotation) {
        assertThat(NOBODY.kept(webhook(annotation, "Cg=="), webhook(annotation, "QUFB"))
                        .tree())
                .isEqualTo(webhook(annotation, "QUFB").tree());
    }

    @Test
    void anAuthorityOfTheRecipeIsTheRecipes() {
        KubeObject wanted = webhook("service.beta.openshift.io/inject-cabundle: \"false\"", "Cg==");
        assertThat(NOBODY.kept(wanted, webhook("a: b", "QUFB"))).isSameAs(wanted);
    }

    @Test
    void aTrustedBundleIsFilledInByOpenShift() {
        String map = "{apiVersion: v1, kind: ConfigMap, metadata: {name: m, namespace: ns, labels:"
                + " {config.openshift.io/inject-trusted-cabundle: 'true'}}, data: {ca-bundle.crt: '%s', own: '%s'}}";
        assertThat(NOBODY.kept(object(map.formatted("", "new")), object(map.formatted("PEM", "old")))
                        .tree())
                .isEqualTo(object(map.formatted("PEM", "new")).tree());
    }

    private static KubeObject triggered(String triggers, String image) {
        return object("""
                apiVersion: apps/v1
                kind: DaemonSet
                metadata: {name: d, namespace: ns, annotations: {image.openshift.io/triggers: '%s'}}
                spec: {template: {spec: {initContainers: [{name: i, image: x}], containers: [{name: c, image: "%s"}]}}}
                """.formatted(triggers, image));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[{\"from\":{},\"fieldPath\":\"spec.template.spec.containers[?(@.name==\\\"c\\\")].image\"}]",
                "[{\"fieldPath\":\"spec.template.spec.containers[0].image\"}]"
            })
    void anImageThatATriggerFillsInStays(String triggers) {
        assertThat(NOBODY.kept(triggered(triggers, " "), triggered(triggers, "r@sha256:1"))
                        .tree())
                .isEqualTo(triggered(triggers, "r@sha256:1").tree());
    }

    @ParameterizedTest
    @ValueSource(strings = {"[", "{}", "[1]", "[{\"fieldPath\":\"spec.template.spec.containers[7].image\"}]", "yes"})
    void triggersThatNameNothingChangeNothing(String triggers) {
        KubeObject wanted = triggered(triggers, "a");
        assertThat(NOBODY.kept(wanted, triggered(triggers, "b")).tree()).isEqualTo(wanted.tree());
    }
}
