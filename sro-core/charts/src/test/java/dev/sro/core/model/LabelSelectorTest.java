package dev.sro.core.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LabelSelectorTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a=1 | true",
                "a==1,b=2 | true",
                "a=2 | false",
                "a!=2 | true",
                "c!=2 | true",
                "a in (0,1) | true",
                "a notin (0, 1) | false",
                "c notin (0) | true",
                "a,!c | true",
                "!a | false",
                "'' | true"
            })
    void selectsAsKubectlDoes(String selector, boolean selected) {
        assertThat(LabelSelector.parse("f", selector).matches(Map.of("a", "1", "b", "2")))
                .isEqualTo(selected);
    }

    @Test
    void knowsWhichLabelsItLooksAt() {
        assertThat(LabelSelector.parse("f", "a=1,!b,c in (1)").keys()).containsExactlyInAnyOrder("a", "b", "c");
    }

    @Test
    void namesTheFieldOfWhatIsNoSelector() {
        assertThatThrownBy(() -> LabelSelector.parse("spec.upgradePolicy.drain.podSelector", "a in 1"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("spec.upgradePolicy.drain.podSelector")
                .hasMessageContaining("a in 1");
    }
}
