package dev.sro.testkit.podsecurity;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the versions of the standards have changed, and what no server lets be written any more. */
class PodStandardTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static JsonNode json(String text) throws Exception {
        return JSON.readTree(text.replace('\'', '"'));
    }

    private static String violations(String standard, String metadata, String spec) throws Exception {
        String[] parts = standard.split(":", -1);
        NamespaceStandards labels = NamespaceStandards.of(JSON.createObjectNode()
                .put("pod-security.kubernetes.io/enforce", parts[0])
                .put("pod-security.kubernetes.io/enforce-version", parts[1]));
        assertThat(labels.errors()).isEmpty();
        assertThat(labels.enforced()).hasToString(standard);
        return Violation.reasons(labels.enforced().violations(json(metadata), json(spec)));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "restricted:v1.7 | runAsNonRoot != true",
                "restricted:v1.8 | allowPrivilegeEscalation != false, runAsNonRoot != true",
                "restricted:v1.19 | allowPrivilegeEscalation != false, runAsNonRoot != true, seccompProfile",
                "restricted:v1.22 | allowPrivilegeEscalation != false, unrestricted capabilities, runAsNonRoot != true, seccompProfile",
                "restricted:latest | allowPrivilegeEscalation != false, unrestricted capabilities, runAsNonRoot != true, seccompProfile",
                "baseline:latest | ''",
                "privileged:latest | ''"
            })
    void aPodThatSaysNothing(String standard, String reasons) throws Exception {
        assertThat(violations(standard, "{}", "{'containers': [{'name': 'c'}]}"))
                .isEqualTo(reasons);
    }

    @Test
    void windowsHasNoneOfWhatLinuxIsAskedForSince125() throws Exception {
        String pod = "{'os': {'name': 'windows'}, 'containers': [{'name': 'c'}]}";
        assertThat(violations("restricted:v1.24", "{}", pod)).contains("seccompProfile");
        assertThat(violations("restricted:v1.25", "{}", pod)).isEqualTo("runAsNonRoot != true");
    }

    @Test
    void rootOfAnotherUserNamespaceIsNobodySince135() throws Exception {
        String pod = "{'hostUsers': false, 'securityContext': {'runAsUser': 0}, 'containers': [{'name': 'c',"
                + " 'securityContext': {'procMount': 'Unmasked'}}]}";
        assertThat(violations("baseline:v1.34", "{}", pod)).isEqualTo("procMount");
        assertThat(violations("baseline:v1.35", "{}", pod)).isEmpty();
        assertThat(violations("restricted:v1.35", "{}", pod))
                .contains("procMount")
                .doesNotContain("runAs");
    }

    @Test
    void annotationsOfSeccompCountedUntil119() throws Exception {
        String metadata = "{'annotations': {'seccomp.security.alpha.kubernetes.io/pod': 'unconfined'}}";
        String pod = "{'containers': [{'name': 'c'}]}";
        assertThat(violations("baseline:v1.18", metadata, pod)).isEqualTo("seccompProfile");
        assertThat(violations("baseline:v1.19", metadata, pod)).isEmpty();
    }

    @Test
    void annotationsOfAppArmorCountStill() throws Exception {
        JsonNode metadata = json("{'annotations': {'container.apparmor.security.beta.kubernetes.io/c': 'unconfined'}}");
        assertThat(new PodStandard(Level.BASELINE, PodStandard.LATEST)
                        .violations(metadata, json("{'containers': [{'name': 'c'}]}")))
                .hasToString("[forbidden AppArmor profile (annotation must not set AppArmor profile type to"
                        + " \"container.apparmor.security.beta.kubernetes.io/c=\"unconfined\"\")]");
    }

    @Test
    void aNamespaceThatEnforcesWarnsAsMuch() throws Exception {
        NamespaceStandards standards = NamespaceStandards.of(
                json(
                        "{'pod-security.kubernetes.io/enforce': 'baseline', 'pod-security.kubernetes.io/enforce-version': 'v1.30'}"));
        assertThat(standards.warned()).hasToString("baseline:v1.30");
        assertThat(NamespaceStandards.of(json("{}")).warned()).hasToString("privileged:latest");
    }

    @Test
    void whatCannotBeReadIsRestrictedWhereItIsEnforcedAndPrivilegedElsewhere() throws Exception {
        NamespaceStandards standards = NamespaceStandards.of(
                json("{'pod-security.kubernetes.io/enforce': 'x', 'pod-security.kubernetes.io/warn': 'y'}"));
        assertThat(standards.enforced()).hasToString("restricted:latest");
        assertThat(standards.warned()).hasToString("privileged:latest");
        assertThat(standards.errors()).hasSize(2);
    }
}
