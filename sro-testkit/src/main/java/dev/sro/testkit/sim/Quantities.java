package dev.sro.testkit.sim;

import com.fasterxml.jackson.databind.JsonNode;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Kubernetes quantities as whole numbers of thousandths, and what a pod asks for. */
final class Quantities {
    private static final Map<String, BigDecimal> SUFFIXES = Map.ofEntries(
            Map.entry("n", new BigDecimal("1e-9")),
            Map.entry("u", new BigDecimal("1e-6")),
            Map.entry("m", new BigDecimal("0.001")),
            Map.entry("k", new BigDecimal("1e3")),
            Map.entry("M", new BigDecimal("1e6")),
            Map.entry("G", new BigDecimal("1e9")),
            Map.entry("T", new BigDecimal("1e12")),
            Map.entry("P", new BigDecimal("1e15")),
            Map.entry("E", new BigDecimal("1e18")),
            Map.entry("Ki", BigDecimal.valueOf(1L << 10)),
            Map.entry("Mi", BigDecimal.valueOf(1L << 20)),
            Map.entry("Gi", BigDecimal.valueOf(1L << 30)),
            Map.entry("Ti", BigDecimal.valueOf(1L << 40)),
            Map.entry("Pi", BigDecimal.valueOf(1L << 50)),
            Map.entry("Ei", BigDecimal.valueOf(1L << 60)));
    private static final List<String> BINARY = List.of("", "Ki", "Mi", "Gi", "Ti", "Pi", "Ei");
    private static final BigDecimal THOUSAND = BigDecimal.valueOf(1000);

    private Quantities() {}

    /** Thousandths of the unit; 0 for what is no quantity. */
    static long milli(String quantity) {
        return value(quantity).multiply(THOUSAND).longValue();
    }

    /** The value in base units; 0 for what is no quantity. */
    static BigDecimal value(String quantity) {
        int end = quantity.length();
        while (end > 0 && Character.isLetter(quantity.charAt(end - 1))) {
            end--;
        }
        BigDecimal factor = SUFFIXES.getOrDefault(quantity.substring(end), BigDecimal.ONE);
        try {
            return new BigDecimal(quantity.substring(0, end)).multiply(factor);
        } catch (NumberFormatException notANumber) {
            return BigDecimal.ZERO;
        }
    }

    /** A whole number with the largest binary suffix that leaves one. */
    static String binary(BigInteger value) {
        BigInteger rest = value;
        int power = 0;
        while (rest.signum() != 0 && power < BINARY.size() - 1 && rest.getLowestSetBit() >= 10) {
            rest = rest.shiftRight(10);
            power++;
        }
        return rest + BINARY.get(power);
    }

    /** What the scheduler reserves for a pod: requests, or limits where there is no request, and one of {@code pods}. */
    static Map<String, Long> requests(JsonNode podSpec) {
        Map<String, Long> sum = new TreeMap<>();
        for (JsonNode container : podSpec.path("containers")) {
            of(container).forEach((r, q) -> sum.merge(r, q, Long::sum));
        }
        for (JsonNode init : podSpec.path("initContainers")) {
            of(init).forEach((r, q) -> sum.merge(r, q, Math::max));
        }
        sum.put("pods", 1000L);
        return sum;
    }

    private static Map<String, Long> of(JsonNode container) {
        Map<String, Long> out = new TreeMap<>();
        JsonNodes.strings(container, "resources", "limits").forEach((r, q) -> out.put(r, milli(q)));
        JsonNodes.strings(container, "resources", "requests").forEach((r, q) -> out.put(r, milli(q)));
        return out;
    }
}
