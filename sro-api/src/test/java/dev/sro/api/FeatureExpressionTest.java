package dev.sro.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sro.api.FeatureExpression.Op;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FeatureExpressionTest {

    private static List<String> values(@Nullable String text) {
        return text == null ? List.of() : List.of(text.split(" "));
    }

    /** Operator, values, the element (none: it is missing), whether it matches. */
    @ParameterizedTest(name = "{0} {1}: {2}")
    @CsvSource(delimiter = '|', textBlock = """
        Exists       |           |        | false
        Exists       |           | ''     | true
        Exists       |           | 1      | true
        DoesNotExist |           |        | true
        DoesNotExist |           | 1      | false
        In           | 1 2       | 2      | true
        In           | 1 2       | 3      | false
        In           | 1 2       |        | false
        In           | 1         | 01     | false
        NotIn        | 1 2       | 3      | true
        NotIn        | 1 2       | 1      | false
        NotIn        | 1 2       |        | false
        InRegexp     | ^5\\.     | 5.14   | true
        InRegexp     | ^5\\.     | 4.5.1  | false
        InRegexp     | 5$ el9    | x.el9_4| true
        InRegexp     | a         |        | false
        Gt           | 2         | 3      | true
        Gt           | 2         | 2      | false
        Gt           | 2         | 10     | true
        Gt           | 2         | x      | false
        Gt           | 2         |        | false
        Gt           | -1        | 0      | true
        Ge           | 2         | 2      | true
        Ge           | 2         | 1      | false
        Lt           | 2         | 1      | true
        Lt           | 2         | 2      | false
        Lt           | 2         | x      | false
        Lt           | 2         | 10     | false
        Le           | 2         | 2      | true
        Le           | 2         | 3      | false
        Le           | 2         | x      | false
        GtLt         | 1 10      | 5      | true
        GtLt         | 1 10      | 1      | false
        GtLt         | 1 10      | 10     | false
        GeLe         | 1 10      | 1      | true
        GeLe         | 1 10      | 10     | true
        GeLe         | 1 10      | 11     | false
        GeLe         | 1 10      | x      | false
        IsTrue       |           | true   | true
        IsTrue       |           | True   | false
        IsTrue       |           | 1      | false
        IsTrue       |           |        | false
        IsFalse      |           | false  | true
        IsFalse      |           | true   | false
        IsFalse      |           |        | false
        """)
    void matches(Op op, @Nullable String values, @Nullable String element, boolean expected) {
        FeatureExpression expression = new FeatureExpression(op, values(values), FeatureExpression.Type.NUMBER);
        assertThat(expression.matches(Optional.ofNullable(element))).isEqualTo(expected);
        assertThat(expression.matches("x", element == null ? Map.of() : Map.of("x", element)))
                .isEqualTo(expected);
    }

    @ParameterizedTest(name = "{0} {1}: {2}")
    @CsvSource(delimiter = '|', textBlock = """
        Gt   | 4.18      | 4.9               | false
        Gt   | 4.9       | 4.18              | true
        Ge   | 5.14      | 5.14.0            | true
        Gt   | 5.14      | 5.14.0-427.el9    | false
        Lt   | 5.15      | 5.14.0-427.el9    | true
        Le   | v1.2.3    | v1.2.3            | true
        GtLt | 4 6       | 5.15.0-91-generic | true
        GeLe | 4.18 5.14 | 5.14.1            | false
        Gt   | 1         | none              | false
        Lt   | 1         | none              | false
        In   | 1.0       | 1.0.0             | false
        """)
    void comparesVersions(Op op, @Nullable String values, String element, boolean expected) {
        assertThat(new FeatureExpression(op, values(values), FeatureExpression.Type.VERSION)
                        .matches(Optional.of(element)))
                .isEqualTo(expected);
    }

    @Test
    void aNodesLabelComesBeforeWhatIsSaidOfItOtherwise() {
        NodeFacts node = NodeFacts.builder()
                .name("a")
                .kernel(new KernelVersion("5.14.0"))
                .os(new OsRelease("rhel", "9.4"))
                .architecture("amd64")
                .putLabels("feature.node.kubernetes.io/kernel-version.major", "5")
                .putFeatures("feature.node.kubernetes.io/kernel-version.major", "4")
                .putFeatures("feature.node.kubernetes.io/pci-10de.present", "true")
                .build();
        assertThat(FeatureExpression.of(Op.Gt, "4").matches(node, "kernel-version.major"))
                .isTrue();
        assertThat(FeatureExpression.of(Op.IsTrue).matches(node, "pci-10de.present"))
                .isTrue();
        assertThat(FeatureExpression.of(Op.DoesNotExist).matches(node, "pci-8086.present"))
                .isTrue();
    }

    @ParameterizedTest(name = "{0} {1}")
    @CsvSource(delimiter = '|', textBlock = """
        Exists  | 1     | cannot have 1 values
        IsTrue  | true  | cannot have 1 values
        In      |       | cannot have 0 values
        Gt      | 1 2   | cannot have 2 values
        GtLt    | 1     | cannot have 1 values
        GtLt    | 2 1   | must rise
        GeLe    | 1 1   | must rise
        Gt      | x     | is no whole number
        InRegexp| (     | nclosed group
        """)
    void refusesWhatMeansNothing(Op op, @Nullable String values, String message) {
        assertThatThrownBy(() -> new FeatureExpression(op, values(values), FeatureExpression.Type.NUMBER))
                .hasMessageContaining(message);
    }
}
