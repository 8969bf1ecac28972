package dev.sro.runtime.plugins;

import dev.sro.api.PluginDescriptor;
import dev.sro.api.Setting;
import dev.sro.core.plugin.LoadedPlugin;
import dev.sro.core.plugin.PluginRejection;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What {@code sro plugins} says, for programs. Stateless. */
final class PluginTrees {

    private PluginTrees() {}

    static Map<String, Object> of(List<LoadedPlugin> plugins, List<PluginRejection> rejections) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("plugins", plugins.stream().map(PluginTrees::of).toList());
        tree.put(
                "rejected",
                rejections.stream()
                        .map(rejection -> Map.of("code", rejection.code(), "message", rejection.message()))
                        .toList());
        return tree;
    }

    private static Map<String, Object> of(LoadedPlugin plugin) {
        PluginDescriptor descriptor = plugin.descriptor();
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("name", descriptor.name());
        tree.put("version", descriptor.version());
        tree.put("vendor", descriptor.vendor());
        plugin.file().ifPresent(file -> {
            tree.put("file", file.file());
            tree.put("sha256", file.sha256());
        });
        tree.put("operandResources", descriptor.operandResources());
        tree.put("rules", descriptor.rbacRules().stream().map(PluginTrees::of).toList());
        tree.put("requiredCrds", descriptor.requiredCrds());
        tree.put("optionalCrds", descriptor.optionalCrds());
        tree.put("images", descriptor.relatedImages());
        tree.put(
                "settings",
                descriptor.settings().stream().map(PluginTrees::setting).toList());
        return tree;
    }

    private static Map<String, Object> setting(Setting<?> setting) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("name", setting.name());
        tree.put("must", setting.rule());
        tree.put("default", setting.otherwise());
        return tree;
    }

    /** As in a role. */
    private static Map<String, Object> of(PolicyRule rule) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("apiGroups", rule.getApiGroups());
        tree.put("resources", rule.getResources());
        if (!rule.getResourceNames().isEmpty()) {
            tree.put("resourceNames", rule.getResourceNames());
        }
        tree.put("verbs", rule.getVerbs());
        return tree;
    }
}
