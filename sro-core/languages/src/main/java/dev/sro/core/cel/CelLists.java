package dev.sro.core.cel;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The methods of lists: those of Kubernetes and of the lists extension. */
final class CelLists {
    private CelLists() {}

    static @Nullable Object method(String name, List<?> list, List<@Nullable Object> args) {
        return switch (name) {
            case "isSorted" -> isSorted(list);
            case "sum" -> sum(list);
            case "min" -> CelFunctions.extreme(list, -1);
            case "max" -> CelFunctions.extreme(list, 1);
            case "indexOf" -> index(list, args.get(1), false);
            case "lastIndexOf" -> index(list, args.get(1), true);
            case "join" -> join(list, args.size() > 1 ? args.get(1) : "");
            case "distinct" -> distinct(list);
            case "reverse" -> reversed(list);
            case "sort" -> sorted(list);
            case "slice" -> slice(list, args);
            case "flatten" -> flattened(list);
            case "first" -> list.isEmpty() ? Optional.empty() : Optional.ofNullable(list.get(0));
            case "last" -> list.isEmpty() ? Optional.empty() : Optional.ofNullable(list.get(list.size() - 1));
            default -> throw CelException.noOverload();
        };
    }

    private static boolean isSorted(List<?> list) {
        for (int i = 1; i < list.size(); i++) {
            if (CelValues.compare(list.get(i - 1), list.get(i)) > 0) {
                return false;
            }
        }
        return true;
    }

    private static Object sum(List<?> list) {
        if (list.isEmpty()) {
            return 0L;
        }
        Object sum =
                list.get(0) instanceof Duration ? Duration.ZERO : list.get(0) instanceof Double ? (Object) 0.0 : 0L;
        for (Object item : list) {
            sum = CelArithmetic.apply("+", sum, item);
        }
        return sum;
    }

    private static long index(List<?> list, @Nullable Object wanted, boolean last) {
        long found = -1;
        for (int i = 0; i < list.size(); i++) {
            if (CelValues.equal(list.get(i), wanted)) {
                found = i;
                if (!last) {
                    return found;
                }
            }
        }
        return found;
    }

    private static String join(List<?> list, @Nullable Object separator) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < list.size(); i++) {
            if (!(list.get(i) instanceof String s) || !(separator instanceof String sep)) {
                throw CelException.noOverload();
            }
            out.append(i == 0 ? "" : sep).append(s);
        }
        return out.toString();
    }

    private static List<@Nullable Object> distinct(List<?> list) {
        List<@Nullable Object> out = new ArrayList<>();
        for (Object item : list) {
            if (!CelFunctions.in(item, out)) {
                out.add(item);
            }
        }
        return out;
    }

    private static List<@Nullable Object> reversed(List<?> list) {
        List<@Nullable Object> out = new ArrayList<>(list);
        Collections.reverse(out);
        return out;
    }

    private static List<@Nullable Object> sorted(List<?> list) {
        List<@Nullable Object> out = new ArrayList<>(list);
        out.sort(CelValues::compare);
        return out;
    }

    private static List<?> slice(List<?> list, List<@Nullable Object> args) {
        if (args.size() == 3 && args.get(1) instanceof Long from && args.get(2) instanceof Long to) {
            if (from < 0 || to > list.size() || from > to) {
                throw new CelException("cannot slice(" + from + ", " + to + "), list is length " + list.size());
            }
            return list.subList(from.intValue(), to.intValue());
        }
        throw CelException.noOverload();
    }

    private static List<@Nullable Object> flattened(List<?> list) {
        List<@Nullable Object> out = new ArrayList<>();
        for (Object item : list) {
            if (item instanceof List<?> inner) {
                out.addAll(inner);
            } else {
                out.add(item);
            }
        }
        return out;
    }
}
