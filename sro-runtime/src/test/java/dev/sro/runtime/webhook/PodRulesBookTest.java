package dev.sro.runtime.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.core.partition.AdmissionSettings;
import dev.sro.core.partition.PodAdmission;
import dev.sro.core.partition.PodRules;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.MutatingWebhookConfiguration;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The webhook finds its rules in the configuration that makes the API server ask it. */
class PodRulesBookTest {

    private final PodRulesBook book = new PodRulesBook();

    private static MutatingWebhookConfiguration configuration(String special, String rules) {
        Map<String, Object> tree = PodAdmission.webhook(
                "sro-partitioning-" + special,
                special,
                PodRules.parse(rules),
                new AdmissionSettings(List.of("sro"), Optional.empty()),
                new AdmissionSettings.Webhook("sro", "webhook", 443, Optional.of("Q0E="), Map.of("a/b", "c")));
        return new KubernetesSerialization().convertValue(tree, MutatingWebhookConfiguration.class);
    }

    @Test
    void knowsTheRulesOfEachSpecialResource() {
        book.onAdd(configuration("gpu", "resources=a/b;tolerations=a/b:NoSchedule"));
        book.onAdd(configuration("nic", "resources=c/d;tolerations=c/d:NoSchedule"));
        assertThat(book.at("/partitioning/gpu").orElseThrow().resources()).containsExactly("a/b");

        book.onUpdate(
                configuration("gpu", "resources=a/b;tolerations=a/b:NoSchedule"),
                configuration("gpu", "resources=e/f;tolerations=a/b:NoSchedule"));
        assertThat(book.at("/partitioning/gpu").orElseThrow().resources()).containsExactly("e/f");

        book.onDelete(configuration("gpu", "resources=e/f;tolerations=a/b:NoSchedule"), false);
        assertThat(book.at("/partitioning/gpu")).isEmpty();
        assertThat(book.at("/partitioning/nic")).isPresent();
    }

    @Test
    void knowsTheRulesBehindAUrlToo() {
        MutatingWebhookConfiguration outside = configuration("gpu", "resources=a/b;tolerations=a/b:NoSchedule");
        var client = outside.getWebhooks().get(0).getClientConfig();
        client.setUrl("https://192.0.2.7:9443" + client.getService().getPath());
        client.setService(null);
        book.onAdd(outside);
        assertThat(book.at("/partitioning/gpu").orElseThrow().resources()).containsExactly("a/b");
        book.onDelete(outside, false);
        assertThat(book.at("/partitioning/gpu")).isEmpty();
    }

    @Test
    void rulesThatCannotBeReadAreNone() {
        MutatingWebhookConfiguration broken = configuration("gpu", "resources=a/b;tolerations=a/b:NoSchedule");
        broken.getMetadata().getAnnotations().put("sro.dev/pod-rules", "nonsense");
        book.onAdd(broken);
        assertThat(book.at("/partitioning/gpu")).isEmpty();
    }

    @Test
    void theConfigurationKeepsOutOfTheWay() {
        var webhook = configuration("gpu", "resources=a/b,c/d-*;tolerations=a/b:NoSchedule")
                .getWebhooks()
                .get(0);
        assertThat(webhook.getFailurePolicy()).isEqualTo("Ignore");
        assertThat(webhook.getSideEffects()).isEqualTo("None");
        assertThat(webhook.getTimeoutSeconds()).isLessThanOrEqualTo(5);
        assertThat(webhook.getReinvocationPolicy()).isEqualTo("IfNeeded");
        assertThat(webhook.getAdmissionReviewVersions()).containsExactly("v1");
        assertThat(webhook.getClientConfig().getCaBundle()).isEqualTo("Q0E=");
        assertThat(webhook.getNamespaceSelector().getMatchExpressions().get(0).getValues())
                .containsExactly("kube-system", "sro");
        assertThat(webhook.getMatchConditions())
                .extracting(condition -> condition.getExpression())
                .anyMatch(expression ->
                        expression.contains("r in ['a/b']") && expression.contains("r.startsWith('c/d-')"));
    }
}
