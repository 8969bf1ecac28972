package dev.sro.core.manifest;

import dev.sro.api.ProxySettings;
import dev.sro.core.model.MetadataKeys;
import dev.sro.core.model.ValueTrees;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Gives the containers of workloads that ask for it the cluster's proxy. Stateless. */
final class ProxyHook {

    private ProxyHook() {}

    /** Variables that a container sets itself are left as they are; those of an absent proxy are not set at all. */
    static void apply(Map<String, Object> tree, HookContext context) {
        if (!"true".equals(ValueTrees.text(tree, "metadata", "annotations", MetadataKeys.PROXY))) {
            return;
        }
        ProxySettings proxy = context.recipe().cluster().proxy();
        Map<String, String> variables = new LinkedHashMap<>();
        variables.put("HTTP_PROXY", proxy.httpProxy());
        variables.put("HTTPS_PROXY", proxy.httpsProxy());
        variables.put("NO_PROXY", proxy.noProxy());
        variables.values().removeIf(String::isEmpty);
        if (variables.isEmpty()) {
            return;
        }
        Workloads.containers(tree).forEach(container -> add(container, variables));
    }

    private static void add(Map<String, Object> container, Map<String, String> variables) {
        List<Object> all = new ArrayList<>(container.get("env") instanceof List<?> list ? list : List.of());
        variables.forEach((name, value) -> {
            if (all.stream().noneMatch(entry -> entry instanceof Map<?, ?> map && name.equals(map.get("name")))) {
                Map<String, Object> variable = new LinkedHashMap<>();
                variable.put("name", name);
                variable.put("value", value);
                all.add(variable);
            }
        });
        container.put("env", all);
    }
}
