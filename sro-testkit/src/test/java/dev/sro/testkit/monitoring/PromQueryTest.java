package dev.sro.testkit.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PromQueryTest {

    private static List<PromQuery.Use> uses(String expression) {
        return PromQuery.of(expression).uses();
    }

    private static PromQuery.Use use(String metric, String... labels) {
        return new PromQuery.Use(metric, Set.of(labels));
    }

    @Test
    void findsMetricsAndTheirMatchers() {
        assertThat(uses("rate(a:b_total{x=\"1\",y!~'(a|b){2}'}[5m]) > 1e-3 # and c{z=\"1\"}\n"))
                .containsExactly(use("a:b_total", "x", "y"));
        assertThat(uses("{__name__=\"a\",b=\"sum(c)\"}")).containsExactly(use("a", "b"));
        assertThat(uses("a offset 5m + b @ end() ^ -inf")).containsExactly(use("a"), use("b"));
        assertThat(uses("max_over_time(rate(a[5m])[1h:1m])")).containsExactly(use("a"));
        assertThat(uses("histogram_quantile(0.9, sum by (le) (b_bucket))")).containsExactly(use("b_bucket", "le"));
        assertThat(uses("1 + 2")).isEmpty();
        assertThat(uses("a{b=\"quo\\\"te }\"}")).containsExactly(use("a", "b"));
    }

    @Test
    void metricsNeedTheLabelsThatTheyAreGroupedBy() {
        assertThat(uses("sum by (x, y) (a) + count(b) by (z)")).containsExactly(use("a", "x", "y"), use("b", "z"));
        assertThat(uses("sum without (x) (a)")).containsExactly(use("a"));
        assertThat(uses("sum by (x) (max by (x, y) (a) > bool 1)")).containsExactly(use("a", "x", "y"));
        assertThat(uses("topk(3, a) by (x)")).containsExactly(use("a", "x"));
    }

    @Test
    void bothSidesNeedTheLabelsThatTheyAreMatchedBy() {
        assertThat(uses("(a unless on (x) b) and on (y) (c == 1)"))
                .containsExactly(use("a", "x", "y"), use("b", "x", "y"), use("c", "y"));
        assertThat(uses("a - ignoring (x) b")).containsExactly(use("a"), use("b"));
        assertThat(uses("a * on (x) group_left (y) max by (x, y) (b)"))
                .containsExactly(use("a", "x"), use("b", "x", "y"));
        assertThat(PromQuery.of("a * on (x) group_left (y) b").addedLabels()).containsExactly("y");
        assertThat(PromQuery.of("label_replace(a, \"node\", \"$1\", \"host\", \"(.*)\")")
                        .addedLabels())
                .containsExactly("node");
    }

    @Test
    void saysWhereItIsNoQuery() {
        assertThatThrownBy(() -> PromQuery.of("sum(a")).hasMessage("the ( at 3 has no end in sum(a");
        assertThatThrownBy(() -> PromQuery.of("a{b=\"c}")).hasMessageContaining("the string at 4 does not end");
        assertThatThrownBy(() -> PromQuery.of("a ? b")).hasMessageContaining("unexpected '?' at 2");
        assertThatThrownBy(() -> PromQuery.of("{a=\"b\"}")).hasMessageContaining("no metric is named");
    }

    @Test
    void isHeldAgainstTheMetricsThatThereAre() {
        KnownMetrics metrics = KnownMetrics.none()
                .and(List.of("a"), "x")
                .and(List.of("a"), "z")
                .and(List.of("b"));
        assertThat(metrics.missing("sum by (x, node) (a{z=\"1\"}) / on (node) group_left (w) b"))
                .isEmpty();
        assertThat(metrics.missing("sum by (y) (a)")).containsExactly("a has no label y");
        assertThat(metrics.missing("b{x=\"1\"} or c")).containsExactly("b has no label x", "nothing emits c");
        assertThat(metrics.missing("sum(a")).containsExactly("the ( at 3 has no end in sum(a");
    }
}
