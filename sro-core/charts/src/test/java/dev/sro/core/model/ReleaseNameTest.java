package dev.sro.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Helm takes names of releases of up to 53 characters, and Kubernetes names of special resources of up to 253. */
class ReleaseNameTest {

    private static final int LIMIT = 53;

    @ParameterizedTest
    @ValueSource(ints = {1, 52, 53})
    void staysAsItIsWhereHelmTakesIt(int length) {
        String name = "a".repeat(length);

        assertThat(MetadataKeys.releaseName(name)).isEqualTo(name);
    }

    @Test
    void isNotCutBehindADot() {
        assertThat(MetadataKeys.releaseName("a".repeat(35) + "." + "b".repeat(40)))
                .matches("a{35}-[0-9a-f]{15,16}");
    }

    @ParameterizedTest
    @ValueSource(ints = {54, 63, 253})
    void isCutAndHashedWhereItIsLonger(int length) {
        String name = "a".repeat(length - 1) + "x";
        String other = "a".repeat(length - 1) + "y";

        assertThat(MetadataKeys.releaseName(name))
                .hasSizeLessThanOrEqualTo(LIMIT)
                .startsWith("a".repeat(30))
                .matches("[a-z0-9]([-a-z0-9]*[a-z0-9])?")
                .isEqualTo(MetadataKeys.releaseName(name))
                .isNotEqualTo(MetadataKeys.releaseName(other));
    }
}
