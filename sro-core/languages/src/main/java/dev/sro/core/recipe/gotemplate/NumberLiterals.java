package dev.sro.core.recipe.gotemplate;

import dev.sro.core.recipe.gotemplate.TextLiterals.BadLiteral;
import java.math.BigInteger;

/** The values of Go's literals of numbers: a Long, a Double or a {@link GoComplex}. */
final class NumberLiterals {
    /** Longer ones are of no use, and reading them takes more than linear time. */
    private static final int MAX_LENGTH = 1000;

    private static final BigInteger MIN = BigInteger.valueOf(Long.MIN_VALUE);
    private static final BigInteger MAX = BigInteger.valueOf(Long.MAX_VALUE);

    private NumberLiterals() {}

    static Object number(String literal) throws BadLiteral {
        if (literal.length() > MAX_LENGTH) {
            throw new BadLiteral("a number with more than " + MAX_LENGTH + " characters");
        }
        if (literal.endsWith("i")) {
            int split = imaginaryStart(literal);
            String imaginary = literal.substring(split, literal.length() - 1);
            double real = split == 0 ? 0 : floating(literal.substring(0, split), literal);
            return new GoComplex(real, floating(imaginary, literal));
        }
        boolean hex = prefix(unsigned(literal)) == 16 && literal.indexOf('p') < 0 && literal.indexOf('P') < 0;
        boolean looksFloating = containsAny(literal, ".pP") || (!hex && containsAny(literal, "eE"));
        return looksFloating ? (Object) floating(literal, literal) : integer(literal);
    }

    private static int imaginaryStart(String literal) {
        for (int i = literal.length() - 2; i > 0; i--) {
            char before = literal.charAt(i - 1);
            if ((literal.charAt(i) == '+' || literal.charAt(i) == '-') && "eEpP".indexOf(before) < 0) {
                return i;
            }
        }
        return 0;
    }

    private static Long integer(String literal) throws BadLiteral {
        String digits = unsigned(literal);
        int base = prefix(digits);
        String bare = withoutUnderscores(digits, literal);
        int start = digits.length() > 1 && Character.isLetter(digits.charAt(1)) ? 2 : 0;
        BigInteger value;
        try {
            value = new BigInteger(bare.substring(start), base);
        } catch (NumberFormatException e) {
            throw illegal(literal);
        }
        value = literal.startsWith("-") ? value.negate() : value;
        if (value.compareTo(MIN) < 0 || value.compareTo(MAX) > 0) {
            throw new BadLiteral("integer overflow: " + literal);
        }
        return value.longValue();
    }

    private static double floating(String part, String literal) throws BadLiteral {
        String digits = unsigned(part);
        String bare = withoutUnderscores(digits, literal);
        boolean hex = bare.startsWith("0x") || bare.startsWith("0X");
        boolean good = hex
                ? containsAny(bare, "pP")
                : !bare.isEmpty() && bare.chars().allMatch(c -> "0123456789.eE+-".indexOf(c) >= 0);
        try {
            double value = good ? Double.parseDouble(bare) : Double.NaN;
            if (!Double.isNaN(value) && !Double.isInfinite(value)) {
                return part.startsWith("-") ? -value : value;
            }
        } catch (NumberFormatException e) {
            // Said below.
        }
        throw illegal(literal);
    }

    private static String unsigned(String literal) {
        return literal.startsWith("+") || literal.startsWith("-") ? literal.substring(1) : literal;
    }

    private static int prefix(String digits) {
        if (digits.length() < 2 || digits.charAt(0) != '0') {
            return 10;
        }
        return switch (digits.charAt(1)) {
            case 'x', 'X' -> 16;
            case 'b', 'B' -> 2;
            default -> 8;
        };
    }

    /** An underscore may stand between two digits, and between the prefix of a base and a digit. */
    private static String withoutUnderscores(String digits, String literal) throws BadLiteral {
        if (digits.indexOf('_') < 0) {
            return digits;
        }
        boolean prefixed = digits.length() > 1 && digits.charAt(0) == '0' && Character.isLetter(digits.charAt(1));
        for (int i = 0; i < digits.length(); i++) {
            if (digits.charAt(i) == '_') {
                boolean before = i > 0 && (isDigit(digits.charAt(i - 1), prefixed) || (prefixed && i == 2));
                boolean after = i + 1 < digits.length() && isDigit(digits.charAt(i + 1), prefixed);
                if (!before || !after) {
                    throw illegal(literal);
                }
            }
        }
        return digits.replace("_", "");
    }

    private static boolean isDigit(char c, boolean hex) {
        return c < 0x80 && Character.digit(c, hex ? 16 : 10) >= 0;
    }

    private static boolean containsAny(String text, String characters) {
        return text.chars().anyMatch(c -> characters.indexOf(c) >= 0);
    }

    private static BadLiteral illegal(String literal) {
        return new BadLiteral("illegal number syntax: \"" + literal + "\"");
    }
}
