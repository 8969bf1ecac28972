package dev.sro.core.recipe.gotemplate;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;

/** Floating-point numbers as Go's {@code strconv} writes them, always with a sign. */
final class GoFloat {
    static final int SHORTEST = -1;
    /** A double has no more significant decimal digits. */
    private static final int MAX_DIGITS = 17;

    /** Nor does it have more digits behind the point. */
    private static final int MAX_FRACTION = 1074;

    private static final int MANTISSA_BITS = 52;
    private static final int BIAS = 1023;

    /** The number is 0.DIGITS times ten to the power of {@code point}; no zeros at the end of the digits. */
    private record Decimal(String digits, int point) {}

    private GoFloat() {}

    /**
     * @param verb e, E, f, g, G, x, X or b
     * @param precision {@link #SHORTEST} for as many digits as it takes to read the same number again
     */
    static String format(double value, char verb, int precision) {
        if (Double.isNaN(value)) {
            return "+NaN";
        }
        String sign = Double.doubleToRawLongBits(value) < 0 ? "-" : "+";
        double number = Math.abs(value);
        if (Double.isInfinite(number)) {
            return sign + "Inf";
        }
        String text = switch (verb) {
            case 'b' -> binary(number);
            case 'x', 'X' -> hexadecimal(number, precision);
            case 'f' -> fixed(number, precision);
            case 'e', 'E' -> exponent(number, precision);
            default -> general(number, precision);
        };
        return sign + (verb == 'E' || verb == 'G' || verb == 'X' ? text.toUpperCase(Locale.ROOT) : text);
    }

    private static String fixed(double number, int precision) {
        int scale = Math.min(precision, MAX_FRACTION);
        return precision == SHORTEST
                ? fixed(
                        shortest(number),
                        Math.max(
                                0,
                                shortest(number).digits().length()
                                        - shortest(number).point()))
                : new BigDecimal(number).setScale(scale, RoundingMode.HALF_EVEN).toPlainString()
                        + "0".repeat(precision - scale);
    }

    private static String fixed(Decimal decimal, int fraction) {
        int point = decimal.point();
        String digits = decimal.digits();
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < Math.max(point, 1); i++) {
            out.append(point > 0 && i < digits.length() ? digits.charAt(i) : '0');
        }
        for (int i = 0; i < fraction; i++) {
            int at = point + i;
            out.append(i == 0 ? "." : "").append(at >= 0 && at < digits.length() ? digits.charAt(at) : '0');
        }
        return out.toString();
    }

    private static String exponent(double number, int precision) {
        Decimal decimal = precision == SHORTEST ? shortest(number) : rounded(number, precision + 1);
        return exponent(decimal, precision == SHORTEST ? decimal.digits().length() - 1 : precision);
    }

    private static String exponent(Decimal decimal, int fraction) {
        String digits = decimal.digits();
        StringBuilder out = new StringBuilder(digits.isEmpty() ? "0" : digits.substring(0, 1));
        if (fraction > 0) {
            String rest = digits.substring(Math.min(1, digits.length()), Math.min(digits.length(), fraction + 1));
            out.append('.').append(rest).append("0".repeat(Math.max(0, fraction - rest.length())));
        }
        return out.append('e')
                .append(signed(digits.isEmpty() ? 0 : decimal.point() - 1))
                .toString();
    }

    private static String signed(int exponent) {
        return (exponent < 0 ? "-" : "+") + (Math.abs(exponent) < 10 ? "0" : "") + Math.abs(exponent);
    }

    private static String general(double number, int precision) {
        boolean shortest = precision == SHORTEST;
        int wanted = precision == 0 ? 1 : precision;
        Decimal decimal = shortest ? shortest(number) : rounded(number, wanted);
        int count = decimal.digits().length();
        int limit = shortest ? 6 : wanted;
        if (!shortest && limit > count && count >= decimal.point()) {
            limit = count;
        }
        int exponent = decimal.point() - 1;
        if (exponent < -4 || exponent >= limit) {
            return exponent(decimal, Math.max(0, Math.min(shortest ? count : wanted, count) - 1));
        }
        return fixed(decimal, Math.max(0, count - decimal.point()));
    }

    private static Decimal rounded(double number, int digits) {
        if (number == 0) {
            return new Decimal("", 0);
        }
        BigDecimal exact = new BigDecimal(number);
        return decimal(digits <= 0 ? exact : exact.round(new MathContext(digits, RoundingMode.HALF_EVEN)));
    }

    private static Decimal decimal(BigDecimal number) {
        BigDecimal bare = number.stripTrailingZeros();
        String digits = bare.unscaledValue().toString();
        return new Decimal(digits, digits.length() - bare.scale());
    }

    /** The shortest digits that give the same number, of those the nearest. */
    private static Decimal shortest(double number) {
        if (number == 0) {
            return new Decimal("", 0);
        }
        BigDecimal exact = new BigDecimal(number);
        for (int digits = 1; digits < MAX_DIGITS; digits++) {
            BigDecimal below = exact.round(new MathContext(digits, RoundingMode.DOWN));
            BigDecimal above = exact.round(new MathContext(digits, RoundingMode.UP));
            boolean low = below.doubleValue() == number;
            boolean high = above.doubleValue() == number;
            if (low && high) {
                boolean up = above.subtract(exact).compareTo(exact.subtract(below)) < 0;
                return decimal(up ? above : below);
            }
            if (low || high) {
                return decimal(low ? below : above);
            }
        }
        return decimal(exact.round(new MathContext(MAX_DIGITS, RoundingMode.HALF_EVEN)));
    }

    /** {@code 0x1.8p+01}. */
    private static String hexadecimal(double number, int precision) {
        if (number == 0) {
            return "0x0" + (precision > 0 ? "." + "0".repeat(precision) : "") + "p+00";
        }
        int exponent = Math.getExponent(number);
        long bits = Double.doubleToLongBits(number) & ((1L << MANTISSA_BITS) - 1);
        if (exponent < -BIAS + 1) {
            int shift = Long.numberOfLeadingZeros(bits) - (Long.SIZE - 1 - MANTISSA_BITS);
            bits <<= shift;
            exponent = -BIAS + 1 - shift;
        } else {
            bits |= 1L << MANTISSA_BITS;
        }
        if (precision >= 0 && precision < MANTISSA_BITS / 4) {
            int dropped = MANTISSA_BITS - precision * 4;
            long half = 1L << (dropped - 1);
            long odd = (bits >> dropped) & 1;
            bits = (bits + half - 1 + odd) >> dropped << dropped;
            if (bits >= 1L << (MANTISSA_BITS + 1)) {
                bits >>= 1;
                exponent++;
            }
        }
        String hex = String.format(Locale.ROOT, "%013x", bits & ((1L << MANTISSA_BITS) - 1));
        String fraction = precision < 0 ? hex.replaceAll("0+$", "") : cut(hex, precision);
        return "0x1" + (fraction.isEmpty() ? "" : "." + fraction) + "p" + signed(exponent);
    }

    private static String cut(String hex, int precision) {
        return precision <= hex.length() ? hex.substring(0, precision) : hex + "0".repeat(precision - hex.length());
    }

    /** {@code 4503599627370496p-52}. */
    private static String binary(double number) {
        long bits = Double.doubleToLongBits(number);
        long mantissa = bits & ((1L << MANTISSA_BITS) - 1);
        int exponent = (int) (bits >> MANTISSA_BITS);
        if (exponent == 0) {
            exponent = 1;
        } else {
            mantissa |= 1L << MANTISSA_BITS;
        }
        int power = exponent - BIAS - MANTISSA_BITS;
        return mantissa + "p" + (power < 0 ? "" : "+") + power;
    }
}
