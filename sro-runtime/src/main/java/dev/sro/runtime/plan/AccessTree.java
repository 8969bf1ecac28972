package dev.sro.runtime.plan;

import dev.sro.core.model.Code;
import dev.sro.core.model.ObjectRef;
import dev.sro.runtime.plan.access.AccessReport;
import dev.sro.runtime.plan.access.AccessReport.Unchecked;
import dev.sro.runtime.plan.access.Lack;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What the account of a recipe may not write, or what was not checked, for a program. Stateless. */
final class AccessTree {

    private AccessTree() {}

    /** Adds {@code refused} and {@code notChecked} where there is such a thing. */
    static void put(Map<String, Object> tree, PlanReport report, String fix) {
        AccessReport access = report.access();
        List<Map<String, Object>> refused = new ArrayList<>();
        access.refused().forEach((object, lacks) -> lacks.forEach(lack -> refused.add(refusal(object, lack, fix))));
        if (!refused.isEmpty()) {
            tree.put("refused", refused);
            report.comesToBe().ifPresent(namespace -> tree.put("fixNeedsNamespace", namespace));
        }
        if (!access.unchecked().isEmpty()) {
            tree.put(
                    "notChecked",
                    access.unchecked().stream().map(one -> unchecked(one, fix)).toList());
        }
    }

    private static Map<String, Object> refusal(ObjectRef object, Lack lack, String fix) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("reason", Code.FORBIDDEN_TO_RECIPE.text());
        tree.put("apiVersion", object.apiVersion());
        tree.put("kind", object.kind());
        if (!object.namespace().isEmpty()) {
            tree.put("namespace", object.namespace());
        }
        tree.put("name", object.name());
        tree.put("account", lack.account().mark());
        tree.put("lacks", right(lack));
        tree.put("message", lack.text());
        tree.put("fix", fix);
        return tree;
    }

    private static Map<String, Object> right(Lack lack) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("verbs", lack.verbs());
        tree.put("resource", lack.resource());
        if (!lack.namespace().isEmpty()) {
            tree.put("namespace", lack.namespace());
        }
        if (lack.granted()) {
            tree.put("toGrantIt", true);
        }
        return tree;
    }

    private static Map<String, Object> unchecked(Unchecked unchecked, String fix) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("account", unchecked.account().mark());
        tree.put("why", unchecked.why());
        tree.put("needs", unchecked.needs().stream().map(AccessTree::right).toList());
        tree.put("fix", fix);
        return tree;
    }
}
