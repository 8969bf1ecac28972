package dev.sro.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.regex.Pattern;
import net.jqwik.api.Assume;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.NotBlank;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class KernelVersionTest {

    private static final Pattern LABEL_VALUE = Pattern.compile("([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?");

    /** Longest value that a label can hold. */
    private static final int MAX_LABEL = 63;

    @ParameterizedTest
    @CsvSource({
        "4.18.0-305.45.1.el8_4.x86_64,4.18.0-305.45.1.el8_4.x86_64",
        "6.1.0+,6.1.0",
        "1.2.3+4,1.2.3_4",
        "5.15.0-91-generic,5.15.0-91-generic",
        "5.4.0~rc1,5.4.0_rc1",
        "6.6.0-custom_,6.6.0-custom",
        "_.-6.6.0,6.6.0",
    })
    void normalisesAsNodeFeatureDiscoveryDoes(String raw, String label) {
        assertThat(new KernelVersion(raw).normalized()).isEqualTo(label);
        assertThat(new KernelVersion(raw).raw()).isEqualTo(raw);
    }

    @Property
    void normalisedKernelIsALegalLabelValue(@ForAll @NotBlank @StringLength(max = MAX_LABEL) String raw) {
        Assume.that(!raw.isBlank());
        assertThat(new KernelVersion(raw).normalized()).matches(LABEL_VALUE).hasSizeLessThanOrEqualTo(MAX_LABEL);
    }

    @Property
    void normalisingTwiceIsNormalisingOnce(@ForAll @NotBlank String raw) {
        // There are more kinds of white space than jqwik knows.
        Assume.that(!raw.isBlank());
        String once = new KernelVersion(raw).normalized();
        if (!once.isEmpty()) {
            assertThat(new KernelVersion(once).normalized()).isEqualTo(once);
        }
    }

    @ParameterizedTest(name = "P1 {0}")
    @CsvSource({
        "4.18.0-305.45.1.el8_4.x86_64,4.18.0-305",
        "4.18.0,4.18.0",
        "4.18.0-305,4.18.0-305",
        "5.15.0-91-generic,5.15.0-91",
        "6.1.0+,6.1.0",
        "6.8.0-rc1,6.8.0",
    })
    void knowsThePatchLevel(String raw, String patch) {
        assertThat(new KernelVersion(raw).patch()).isEqualTo(patch);
    }

    @ParameterizedTest
    @ValueSource(strings = {"4", "4.18", "abc", "x4.18.0"})
    void whatHasNoThreeNumbersHasAVerdictInPlaceOfAPatchLevel(String raw) {
        assertThatThrownBy(() -> new KernelVersion(raw).patch())
                .isInstanceOf(InvalidRecipeException.class)
                .hasMessageContainingAll("kernel \"" + raw + "\"", "spec.nodeSelector");
    }

    @Test
    void refusesAnEmptyString() {
        assertThatThrownBy(() -> new KernelVersion(" ")).isInstanceOf(IllegalArgumentException.class);
    }
}
