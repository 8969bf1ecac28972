package dev.sro.testkit.quota;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sro.testkit.schema.Quantities;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Quantities by the name of a resource, in canonical form. Stateless. */
public final class Amounts {

    private Amounts() {}

    /** Reads an object such as {@code requests}; empty where there is none. */
    public static SortedMap<String, String> of(JsonNode object) {
        SortedMap<String, String> amounts = new TreeMap<>();
        object.properties()
                .forEach(field -> amounts.put(field.getKey(), field.getValue().asText()));
        return amounts;
    }

    static BigDecimal value(String quantity) {
        return Quantities.value(quantity).orElse(BigDecimal.ZERO);
    }

    /** Adds amounts to others. */
    public static void add(SortedMap<String, String> to, Map<String, String> more) {
        more.forEach((name, amount) -> to.merge(name, amount, Quantities::sum));
    }

    /** Raises amounts to others, where these are more. */
    static void raise(SortedMap<String, String> to, Map<String, String> other) {
        other.forEach((name, amount) -> to.merge(name, amount, (a, b) -> value(a).compareTo(value(b)) < 0 ? b : a));
    }

    /** Whether one quantity is more than another. */
    public static boolean isMore(String amount, String than) {
        return value(amount).compareTo(value(than)) > 0;
    }

    /** The difference of two quantities, nothing below zero. */
    static String less(String amount, String minus) {
        BigDecimal rest = value(amount).subtract(value(minus));
        return rest.signum() <= 0 ? "0" : rest.stripTrailingZeros().toPlainString();
    }

    /** Amounts less others, nothing below zero. */
    public static SortedMap<String, String> difference(Map<String, String> amounts, Map<String, String> others) {
        SortedMap<String, String> difference = new TreeMap<>();
        amounts.forEach((name, amount) ->
                difference.put(name, others.containsKey(name) ? less(amount, others.get(name)) : amount));
        return difference;
    }

    /** As messages have some of them: {@code a=1,b=2}. */
    public static String shown(Map<String, String> amounts, Collection<String> names) {
        return names.stream()
                .sorted()
                .map(name -> name + "=" + amounts.getOrDefault(name, "0"))
                .collect(Collectors.joining(","));
    }
}
