package dev.sro.testkit.merge;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PathElementsTest {

    @Test
    void theElementOfAFieldIsMadeOnce() {
        String first = PathElements.field("feature.node.kubernetes.io/kernel-version.full");

        assertThat(PathElements.field(new String("feature.node.kubernetes.io/kernel-version.full".toCharArray())))
                .isSameAs(first)
                .isEqualTo("f:feature.node.kubernetes.io/kernel-version.full");
    }

    /** Two strings with one hash, as short ones have them. */
    @Test
    void namesThatShareASlotAreNotMistaken() {
        assertThat("Aa".hashCode()).isEqualTo("BB".hashCode());

        assertThat(PathElements.field("Aa")).isEqualTo("f:Aa");
        assertThat(PathElements.field("BB")).isEqualTo("f:BB");
        assertThat(PathElements.field("Aa")).isEqualTo("f:Aa");
    }
}
