package dev.sro.core.load;

import dev.sro.api.driver.KernelModule;
import dev.sro.api.driver.LoadPlan;
import dev.sro.core.manifest.RenderException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which of a plan's modules which nodes get. Stateless. */
final class ModuleSets {

    /** Each one doubles the number of objects of a pool. */
    private static final int MAX_SELECTORS = 3;

    private ModuleSets() {}

    /**
     * The modules of each kind of nodes, in the order of the plan; together the conditions hold for every node, each node meets one.
     * Nodes that get no module are not among them.
     *
     * @throws RenderException if there are too many different selections
     */
    static Map<NodeCondition, List<KernelModule>> divide(LoadPlan plan) {
        Set<Map<String, String>> found = new LinkedHashSet<>();
        plan.modules().stream()
                .map(KernelModule::onlyOnNodesWith)
                .filter(selector -> !selector.isEmpty())
                .forEach(found::add);
        List<Map<String, String>> selectors = List.copyOf(found);
        if (selectors.size() > MAX_SELECTORS) {
            throw RenderException.vendor(
                    "LoadPlanNotPossible",
                    "LoadPlan.modules: onlyOnNodesWith has " + selectors.size() + " different values, " + MAX_SELECTORS
                            + " are possible; tell the nodes apart by PoolKeyProvider instead");
        }
        Map<NodeCondition, List<KernelModule>> sets = new LinkedHashMap<>();
        for (int mask = (1 << selectors.size()) - 1; mask >= 0; mask--) {
            List<Map<String, String>> all = new ArrayList<>();
            List<Map<String, String>> none = new ArrayList<>();
            for (int i = 0; i < selectors.size(); i++) {
                ((mask & (1 << i)) != 0 ? all : none).add(selectors.get(i));
            }
            List<KernelModule> modules = plan.modules().stream()
                    .filter(module -> module.onlyOnNodesWith().isEmpty() || all.contains(module.onlyOnNodesWith()))
                    .toList();
            if (!modules.isEmpty()) {
                sets.put(new NodeCondition(all, none), modules);
            }
        }
        return sets;
    }
}
