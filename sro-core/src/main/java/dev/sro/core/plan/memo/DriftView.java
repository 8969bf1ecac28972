package dev.sro.core.plan.memo;

import dev.sro.core.model.KubeObject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What there is of what we want, to be shown beside it: only the fields that we set, spelled as we do where they mean the same.
 * Differs from the desired object exactly where {@link Drift} finds something. Stateless.
 */
public final class DriftView {

    private DriftView() {}

    /** The live object, reduced to what the desired one says something about. */
    public static Map<String, Object> project(KubeObject desired, KubeObject live) {
        return inMap("", desired.tree(), live.tree(), false);
    }

    private static Map<String, Object> inMap(String path, Map<?, ?> desired, Map<?, ?> live, boolean quantities) {
        Map<String, Object> view = new LinkedHashMap<>();
        desired.forEach((name, wanted) -> {
            String key = String.valueOf(name);
            Object actual = live.get(name);
            if (Drift.inValue(path, key, wanted, actual, quantities) == null) {
                view.put(key, wanted);
            } else if (actual != null) {
                view.put(key, inValue(path, key, wanted, actual));
            }
        });
        return view;
    }

    private static Object inValue(String path, String key, @Nullable Object wanted, Object actual) {
        String here = path.isEmpty() ? key : path + "." + key;
        if (wanted instanceof Map<?, ?> map && actual instanceof Map<?, ?> other) {
            return inMap(here, map, other, Drift.areQuantities(path, key));
        }
        if (wanted instanceof List<?> list && actual instanceof List<?> other) {
            return inList(here, key, list, other);
        }
        return actual;
    }

    private static List<?> inList(String path, String field, List<?> desired, List<?> live) {
        if (!Drift.merges(path, field, desired, live)) {
            return live;
        }
        Map<Object, Map<?, ?>> byKey = Drift.keyed(path, field, live);
        List<Object> view = new ArrayList<>();
        Drift.keyed(path, field, desired).forEach((key, wanted) -> {
            Map<?, ?> actual = byKey.get(key);
            if (actual != null) {
                view.add(inMap(path + "[" + key + "]", wanted, actual, false));
            }
        });
        return view;
    }
}
