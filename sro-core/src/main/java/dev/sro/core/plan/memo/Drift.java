package dev.sro.core.plan.memo;

import dev.sro.core.model.KubeObject;
import io.fabric8.kubernetes.api.model.Quantity;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
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
    private static final Set<String> QUANTITIES = Set.of(
            "limits",
            "requests",
            "capacity",
            "allocatable",
            "hard",
            "overhead",
            "podFixed",
            "target",
            "max",
            "min",
            "default",
            "defaultRequest",
            "maxLimitRequestRatio");

    /** Single fields that are quantities. */
    private static final Set<String> QUANTITY_FIELDS = Set.of("sizeLimit", "divisor", "averageValue");

    /** Maps of maps with a quantity each: what devices of claims have and share. */
    private static final Set<String> QUANTITY_MAPS = Set.of("capacity", "counters");

    /** Lists that the API server replaces as a whole although their elements have names: nobody may add to them. */
    private static final Set<String> ATOMIC = Set.of("subjects", "httpHeaders", "sysctls");

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

    static @Nullable String inValue(
            String path, String key, @Nullable Object wanted, @Nullable Object actual, boolean quantities) {
        String here = path.isEmpty() ? key : path + "." + key;
        if (wanted instanceof Map<?, ?> map) {
            if (actual instanceof Map<?, ?> other) {
                return inMap(here, map, other, areQuantities(path, key));
            }
            // The API server drops empty maps and lists here and there.
            return actual == null && isHollow(map) ? null : here;
        }
        if (wanted instanceof List<?> list) {
            if (actual instanceof List<?> other) {
                return inList(here, key, list, other);
            }
            return actual == null && list.isEmpty() ? null : here;
        }
        return sameScalar(wanted, actual, quantities || QUANTITY_FIELDS.contains(key)) ? null : here;
    }

    /** Whether the values of a map are quantities. */
    static boolean areQuantities(String path, String key) {
        String parent = path.substring(path.lastIndexOf('.') + 1);
        return QUANTITIES.contains(key) || QUANTITY_MAPS.contains(key) || QUANTITY_MAPS.contains(parent);
    }

    /** Nothing but empty maps and lists, at any depth. */
    private static boolean isHollow(Object value) {
        if (value instanceof Map<?, ?> map) {
            return map.values().stream().allMatch(Drift::isHollow);
        }
        return value instanceof List<?> list && list.isEmpty();
    }

    private static @Nullable String inList(String path, String field, List<?> desired, List<?> live) {
        if (merges(path, field, desired, live)) {
            return inKeyedList(path, field, desired, keyed(path, field, live));
        }
        if (field.equals("finalizers")) {
            return live.containsAll(desired) ? null : path;
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

    /** Whether the elements of the list have keys, so that each is compared with its like. */
    static boolean merges(String path, String field, List<?> desired, List<?> live) {
        return !ATOMIC.contains(field)
                && keyed(path, field, live).size() == live.size()
                && keyed(path, field, desired).size() == desired.size();
    }

    /** Lists whose elements have keys are merged by the API server; others may add to them. */
    private static @Nullable String inKeyedList(
            String path, String field, List<?> desired, Map<Object, Map<?, ?>> live) {
        for (Map.Entry<Object, Map<?, ?>> wanted : keyed(path, field, desired).entrySet()) {
            Map<?, ?> actual = live.get(wanted.getKey());
            String here = path + "[" + wanted.getKey() + "]";
            if (actual == null) {
                return here;
            }
            String difference = inMap(here, wanted.getValue(), actual, false);
            if (difference != null) {
                return difference;
            }
        }
        return null;
    }

    static Map<Object, Map<?, ?>> keyed(String path, String field, List<?> list) {
        Map<Object, Map<?, ?>> byKey = new LinkedHashMap<>();
        for (Object item : list) {
            Object key = item instanceof Map<?, ?> map ? key(path, field, map) : null;
            if (key != null) {
                byKey.put(key, (Map<?, ?>) item);
            }
        }
        return byKey;
    }

    /** The merge keys of the Kubernetes API; where there is none, a name is one. */
    private static @Nullable Object key(String path, String field, Map<?, ?> item) {
        return switch (field) {
            case "volumeMounts" -> item.get("mountPath");
            case "volumeDevices" -> item.get("devicePath");
            case "hostAliases" -> item.get("ip");
            case "ownerReferences" -> item.get("uid");
            case "ports" -> port(path, item);
            default -> item.get("name");
        };
    }

    /** Ports of containers and of Services are merged; those of a NetworkPolicy, for one, are not. */
    private static @Nullable Object port(String path, Map<?, ?> item) {
        Object number = path.equals("spec.ports") ? item.get("port") : item.get("containerPort");
        Object protocol = item.get("protocol");
        return number == null ? item.get("name") : number + "/" + (protocol == null ? "TCP" : protocol);
    }

    private static boolean sameScalar(@Nullable Object wanted, @Nullable Object actual, boolean quantities) {
        if (actual == null) {
            // false, 0 and "" are what an absent field means wherever the API server leaves one out.
            return wanted == null
                    || wanted.equals("")
                    || wanted.equals(false)
                    || (wanted instanceof Number number && number.doubleValue() == 0);
        }
        if (wanted == null) {
            return actual.equals("");
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
