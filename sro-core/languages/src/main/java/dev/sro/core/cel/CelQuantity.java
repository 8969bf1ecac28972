package dev.sro.core.cel;

import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;

/** Reads resource quantities such as {@code 1Gi} and {@code 500m}. Stateless. */
final class CelQuantity {

    private static final List<String> DECIMAL = List.of("n", "u", "m", "", "k", "M", "G", "T", "P", "E");
    private static final List<String> BINARY = List.of("Ki", "Mi", "Gi", "Ti", "Pi", "Ei");
    private static final BigDecimal KIBI = BigDecimal.valueOf(1024);

    /** Where the suffix for one stands among the decimal ones. */
    private static final int ONE = DECIMAL.indexOf("");

    private CelQuantity() {}

    /** The value in base units; empty if the text is no quantity. */
    static Optional<BigDecimal> value(String text) {
        int end = 0;
        while (end < text.length() && "+-.0123456789".indexOf(text.charAt(end)) >= 0) {
            end++;
        }
        String suffix = text.substring(end);
        try {
            int binary = BINARY.indexOf(suffix);
            if (binary >= 0) {
                return Optional.of(new BigDecimal(text.substring(0, end)).multiply(KIBI.pow(binary + 1)));
            }
            int decimal = DECIMAL.indexOf(suffix);
            if (decimal >= 0) {
                return Optional.of(new BigDecimal(text.substring(0, end)).scaleByPowerOfTen(3 * (decimal - ONE)));
            }
            return suffix.matches("[eE][+-]?[0-9]{1,3}") ? Optional.of(new BigDecimal(text)) : Optional.empty();
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }
}
