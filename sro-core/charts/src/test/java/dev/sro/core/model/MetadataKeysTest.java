package dev.sro.core.model;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class MetadataKeysTest {

    @Test
    void stateLabelIsThatOfSro() {
        assertThat(MetadataKeys.stateLabel("simple-kmod", "1000"))
                .isEqualTo("specialresource.openshift.io/state-simple-kmod-1000");
    }

    @Test
    void stateLabelOfLongNameFitsAndKeepsItsNumber() {
        String label = MetadataKeys.stateLabel("a".repeat(63), "1000");
        assertThat(label.substring(label.indexOf('/') + 1))
                .hasSizeLessThanOrEqualTo(63)
                .endsWith("-1000");
        assertThat(label).isNotEqualTo(MetadataKeys.stateLabel("a".repeat(62) + "b", "1000"));
    }

    @Property
    void fittedTextIsNeverTooLongAndShortTextIsUntouched(@ForAll @IntRange(max = 300) int length) {
        String text = "x".repeat(length);
        assertThat(MetadataKeys.fit(text, 63)).hasSizeLessThanOrEqualTo(63);
        if (length <= 63) {
            assertThat(MetadataKeys.fit(text, 63)).isEqualTo(text);
        }
    }
}
