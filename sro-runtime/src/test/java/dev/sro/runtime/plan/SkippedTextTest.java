package dev.sro.runtime.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sro.api.Outcome;
import dev.sro.core.manifest.Desired;
import dev.sro.core.manifest.OptionalKinds;
import dev.sro.core.model.KubeObject;
import dev.sro.core.plan.StateReport;
import dev.sro.runtime.plan.access.AccessReport;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What a plan says of objects that the cluster does not serve and the recipe can do without. */
class SkippedTextTest {

    private static final KubeObject MONITOR = KubeObject.of(Map.of(
            "apiVersion",
            "monitoring.coreos.com/v1",
            "kind",
            "ServiceMonitor",
            "metadata",
            Map.of("name", "exporter", "namespace", "acme")));

    private static final PlanReport REPORT = new PlanReport(
            "SpecialResource",
            "acme",
            "plugin acme 1.0.0",
            "acme",
            Optional.of(0),
            List.of(),
            List.of(new StateReport("0800-monitoring", false, Outcome.ready(), new TreeMap<>())),
            List.of(),
            List.of(),
            new TreeMap<>(),
            List.of(new OptionalKinds.Skipped(
                    new Desired(MONITOR, "0800-monitoring", null), "monitoring.coreos.com/v1/ServiceMonitor")),
            List.of(),
            "",
            List.of(),
            AccessReport.NOTHING);

    @Test
    void aPersonSeesThemInTheirState() {
        StringWriter text = new StringWriter();
        PrintWriter out = new PrintWriter(text);

        new PlanText(REPORT, "", out).print();
        out.flush();

        assertThat(text.toString())
                .containsSubsequence(
                        "State 0800-monitoring",
                        "? ServiceMonitor acme/exporter",
                        "skipped: the cluster does not serve monitoring.coreos.com/v1/ServiceMonitor");
    }

    @Test
    void aProgramGetsAList() {
        assertThat(PlanTree.build(REPORT, "", false).get("skipped"))
                .isEqualTo(List.of(Map.of(
                        "reason", "OptionalKindNotServed",
                        "state", "0800-monitoring",
                        "apiVersion", "monitoring.coreos.com/v1",
                        "kind", "ServiceMonitor",
                        "namespace", "acme",
                        "name", "exporter")));
    }
}
