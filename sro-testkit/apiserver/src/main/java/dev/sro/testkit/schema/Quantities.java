package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;
import java.util.Optional;

/** Resource quantities: reading, and the canonical form in which the API server writes them. */
public final class Quantities {
    private static final List<String> DECIMAL = List.of("n", "u", "m", "", "k", "M", "G", "T", "P", "E");
    private static final List<String> BINARY = List.of("Ki", "Mi", "Gi", "Ti", "Pi", "Ei");
    private static final BigInteger KIBI = BigInteger.valueOf(1024);

    private enum Format {
        DECIMAL,
        BINARY,
        EXPONENT
    }

    private record Parsed(BigDecimal value, Format format) {}

    private static final Parsed NOTHING = new Parsed(BigDecimal.ZERO, Format.DECIMAL);

    private Quantities() {}

    /** The value in base units; empty if the text is no quantity. */
    public static Optional<BigDecimal> value(String text) {
        return parse(text).map(Parsed::value);
    }

    /** The node in canonical form; the node itself if it is canonical already or no quantity. */
    static JsonNode canonical(JsonNode node) {
        if (!node.isTextual() && !node.isNumber()) {
            return node;
        }
        String text = node.asText();
        String canonical = parse(text).map(Quantities::write).orElse(text);
        if (!canonical.equals("0") && !text.contains(".") && exponent(canonical) == exponent(text)) {
            // Nothing was to be shifted: the server keeps the text as it came, leading zeros and sign included.
            return node.isTextual() ? node : TextNode.valueOf(text);
        }
        return node.isTextual() && canonical.equals(text) ? node : TextNode.valueOf(canonical);
    }

    /** The power that the suffix stands for: of 1000 thirds for decimal ones, and beyond all of these for binary ones. */
    private static int exponent(String text) {
        String suffix = text.replaceFirst("^[+-]?[0-9]+", "");
        if (suffix.matches("[eE][+-]?[0-9]{1,3}")) {
            return Integer.parseInt(suffix.substring(1));
        }
        int decimal = DECIMAL.indexOf(suffix);
        return decimal >= 0 ? 3 * (decimal - 3) : 1000 * (BINARY.indexOf(suffix) + 1);
    }

    /** The sum of two quantities, written in the format of the first, unless that is zero. */
    public static String sum(String first, String second) {
        Parsed a = parse(first).orElse(NOTHING);
        Parsed b = parse(second).orElse(NOTHING);
        return write(new Parsed(a.value().add(b.value()), a.value().signum() == 0 ? b.format() : a.format()));
    }

    private static Optional<Parsed> parse(String text) {
        int end = 0;
        while (end < text.length() && "+-.0123456789".indexOf(text.charAt(end)) >= 0) {
            end++;
        }
        String number = text.substring(0, end);
        String suffix = text.substring(end);
        try {
            int binary = BINARY.indexOf(suffix);
            if (binary >= 0) {
                return Optional.of(new Parsed(
                        new BigDecimal(number).multiply(new BigDecimal(KIBI.pow(binary + 1))), Format.BINARY));
            }
            int decimal = DECIMAL.indexOf(suffix);
            if (decimal >= 0) {
                return Optional.of(
                        new Parsed(new BigDecimal(number).scaleByPowerOfTen(3 * (decimal - 3)), Format.DECIMAL));
            }
            if (suffix.matches("[eE][+-]?[0-9]{1,3}")) {
                return Optional.of(new Parsed(new BigDecimal(text), Format.EXPONENT));
            }
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
        return Optional.empty();
    }

    private static String write(Parsed quantity) {
        BigDecimal value = quantity.value();
        if (value.signum() == 0) {
            return "0";
        }
        if (quantity.format() == Format.BINARY
                && value.abs().compareTo(BigDecimal.valueOf(1024)) >= 0
                && isWhole(value)) {
            return binary(value.toBigIntegerExact());
        }
        return decimal(value, quantity.format() == Format.EXPONENT);
    }

    private static boolean isWhole(BigDecimal value) {
        return value.stripTrailingZeros().scale() <= 0;
    }

    private static String binary(BigInteger value) {
        BigInteger mantissa = value;
        int power = 0;
        while (power < BINARY.size() && mantissa.mod(KIBI).signum() == 0) {
            mantissa = mantissa.divide(KIBI);
            power++;
        }
        return mantissa + (power == 0 ? "" : BINARY.get(power - 1));
    }

    /** The largest unit that leaves a whole number; smaller than nano is rounded up. */
    private static String decimal(BigDecimal value, boolean exponent) {
        BigDecimal nano = value.setScale(9, RoundingMode.UP);
        BigInteger mantissa = nano.unscaledValue();
        BigInteger thousand = BigInteger.valueOf(1000);
        int unit = 0;
        while (unit < DECIMAL.size() - 1 && mantissa.mod(thousand).signum() == 0) {
            mantissa = mantissa.divide(thousand);
            unit++;
        }
        int power = 3 * (unit - 3);
        if (exponent) {
            return power == 0 ? mantissa.toString() : mantissa + "e" + power;
        }
        return mantissa + DECIMAL.get(unit);
    }
}
