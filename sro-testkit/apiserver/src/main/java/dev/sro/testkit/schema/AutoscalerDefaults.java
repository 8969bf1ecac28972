package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** Defaults of HorizontalPodAutoscalers in version 2. Stateless. */
final class AutoscalerDefaults {
    private static final int PERIOD = 15;
    private static final int PODS = 4;
    private static final int PERCENT = 100;
    private static final int UTILIZATION = 80;

    private AutoscalerDefaults() {}

    static void autoscaler(ObjectNode autoscaler) {
        if (!JsonTree.text(autoscaler, "apiVersion").equals("autoscaling/v2")) {
            return;
        }
        ObjectNode spec = JsonTree.ensure(autoscaler, "spec");
        JsonTree.number(spec, "minReplicas", 1);
        if (spec.path("metrics").isEmpty()) {
            ObjectNode metric = spec.putArray("metrics").addObject().put("type", "Resource");
            metric.putObject("resource")
                    .put("name", "cpu")
                    .putObject("target")
                    .put("type", "Utilization")
                    .put("averageUtilization", UTILIZATION);
        }
        ObjectNode behavior = JsonTree.object(spec, "behavior");
        if (behavior != null) {
            ObjectNode up = JsonTree.ensure(behavior, "scaleUp");
            JsonTree.number(up, "stabilizationWindowSeconds", 0);
            rules(up, true);
            rules(JsonTree.ensure(behavior, "scaleDown"), false);
        }
    }

    private static void rules(ObjectNode rules, boolean up) {
        JsonTree.absent(rules, "selectPolicy", "Max");
        if (rules.path("policies").isEmpty()) {
            var policies = rules.putArray("policies");
            if (up) {
                policies.addObject().put("type", "Pods").put("value", PODS).put("periodSeconds", PERIOD);
            }
            policies.addObject().put("type", "Percent").put("value", PERCENT).put("periodSeconds", PERIOD);
        }
    }
}
