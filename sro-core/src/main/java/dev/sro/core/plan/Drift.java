package dev.sro.core.plan;

import dev.sro.core.model.KubeObject;
import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Compares what we want with what is there: every field that we set must have our value; fields of others do not matter.
 * A field that we once set and no longer want shows in the digest annotation, which is part of what we set. Stateless.
 */
public final class Drift {

    /** Maps whose values are quantities, which the API server may spell differently than we do. */
    private static final Set<String> QUANTITIES =
            Set.of("limits", "requests", "capacity", "allocatable", "hard", "overhead");

    private static final String KEY = "name";

    private Drift() {}

    /** The path of the first field that differs, or empty when the object is as desired. */
    public static Optional<String> find(KubeObject desired, KubeObject live) {
        return Optional.ofNullable(inMap("", desired.tree(), live.tree(), false));
    }

    private static @Nullable String inMap(String path, Map<?, ?> desired, Map<?, ?> live, boolean quantities) {
        for (Map.Entry<?, ?> entry : desired.entrySet()) {
            Object wanted = entry.getValue();
            Object actual = live.get(entry.getKey());
            if (wanted == actual) {
                continue;
            }
            String difference = inValue(path, String.valueOf(entry.getKey()), wanted, actual, quantities);
            if (difference != null) {
                return difference;
            }
        }
        return null;
    }

    private static @Nullable String inValue(
            String path, String key, Object wanted, @Nullable Object actual, boolean quantities) {
        String here = path.isEmpty() ? key : path + "." + key;
        if (wanted instanceof Map<?, ?> map) {
            if (actual instanceof Map<?, ?> other) {
                return inMap(here, map, other, QUANTITIES.contains(key));
            }
            // The API server drops empty maps and lists here and there.
            return actual == null && map.isEmpty() ? null : here;
        }
        if (wanted instanceof List<?> list) {
            if (actual instanceof List<?> other) {
                return inList(here, list, other);
            }
            return actual == null && list.isEmpty() ? null : here;
        }
        return sameScalar(wanted, actual, quantities) ? null : here;
    }

    private static @Nullable String inList(String path, List<?> desired, List<?> live) {
        Map<Object, Map<?, ?>> byName = named(live);
        if (!desired.isEmpty() && named(desired).size() == desired.size() && byName.size() == live.size()) {
            return inNamedList(path, desired, byName);
        }
        if (desired.size() != live.size()) {
            return path;
        }
        for (int i = 0; i < desired.size(); i++) {
            String difference = inValue(path, "[" + i + "]", desired.get(i), live.get(i), false);
            if (difference != null) {
                return difference;
            }
        }
        return null;
    }

    /** Lists whose elements have names are merged by the API server; others may add to them. */
    private static @Nullable String inNamedList(String path, List<?> desired, Map<Object, Map<?, ?>> live) {
        for (Object item : desired) {
            Map<?, ?> wanted = (Map<?, ?>) item;
            Map<?, ?> actual = live.get(wanted.get(KEY));
            String here = path + "[" + wanted.get(KEY) + "]";
            if (actual == null) {
                return here;
            }
            String difference = inMap(here, wanted, actual, false);
            if (difference != null) {
                return difference;
            }
        }
        return null;
    }

    private static Map<Object, Map<?, ?>> named(List<?> list) {
        Map<Object, Map<?, ?>> byName = new HashMap<>();
        for (Object item : list) {
            if (item instanceof Map<?, ?> map && map.get(KEY) != null) {
                byName.put(map.get(KEY), map);
            }
        }
        return byName;
    }

    private static boolean sameScalar(Object wanted, @Nullable Object actual, boolean quantities) {
        if (actual == null) {
            // false, 0 and "" are what an absent field means wherever the API server leaves one out.
            return wanted.equals("") || wanted.equals(false);
        }
        if (wanted.equals(actual)) {
            return true;
        }
        if (wanted instanceof Number a && actual instanceof Number b) {
            return new BigDecimal(a.toString()).compareTo(new BigDecimal(b.toString())) == 0;
        }
        return quantities && sameQuantity(wanted.toString(), actual.toString());
    }

    private static boolean sameQuantity(String a, String b) {
        try {
            return Quantity.getAmountInBytes(Quantity.parse(a)).compareTo(Quantity.getAmountInBytes(Quantity.parse(b)))
                    == 0;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }
}
