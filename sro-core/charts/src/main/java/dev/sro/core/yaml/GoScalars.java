package dev.sro.core.yaml;

import com.google.re2j.Pattern;
import java.io.Serial;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.Base64;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What a scalar of YAML means to kubectl and Helm: YAML 1.1 as go-yaml version 2 reads it, with numbers as Go's {@code strconv} takes
 * them. Stateless.
 */
final class GoScalars {

    static final String PREFIX = "tag:yaml.org,2002:";
    private static final String STR = "str";
    private static final String BOOL = "bool";
    private static final String INT = "int";
    private static final String FLOAT = "float";
    private static final String NULL = "null";
    private static final String TIMESTAMP = "timestamp";

    private static final Set<String> RESOLVED = Set.of(BOOL, INT, FLOAT, NULL, TIMESTAMP);

    private static final Pattern INTEGER =
            Pattern.compile("[+-]?(0|[1-9][0-9]*|0[oO]?[0-7]+|0[xX][0-9a-fA-F]+|0[bB][01]+)|0b[+-][01]+");
    private static final Pattern DECIMAL = Pattern.compile("[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?");
    private static final Pattern FRACTION = Pattern.compile("\\.[0-9]+(_[0-9]+)*([eE][-+]?[0-9]+(_[0-9]+)*)?");
    private static final Pattern DATE = Pattern.compile("[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}"
            + "([Tt ][0-9]{1,2}:[0-9]{1,2}:[0-9]{1,2}(\\.[0-9]+)?(Z|[+-][0-9]{2}:[0-9]{2})?)?");

    private static final BigInteger MIN = BigInteger.valueOf(Long.MIN_VALUE);
    private static final BigInteger MAX = BigInteger.ONE.shiftLeft(Long.SIZE).subtract(BigInteger.ONE);

    /** From here on Go's JSON has an exponent, so that it is no integer. */
    private static final BigDecimal EXPONENT = BigDecimal.ONE.scaleByPowerOfTen(21);

    /** From here on Go's verb g has an exponent when it writes as few digits as will do. */
    private static final int EXPONENT_OF_G = 6;

    private static final int FLOAT_DIGITS = 9;
    private static final int DOUBLE_DIGITS = 17;

    private static final Map<String, Resolved> WORDS = words();

    /** A value, and which tag it has. */
    private record Resolved(String tag, @Nullable Object value) {}

    /** A scalar cannot have the value that it has; the message says why. */
    static final class InvalidScalarException extends Exception {
        @Serial
        private static final long serialVersionUID = 1L;

        InvalidScalarException(String message) {
            super(message);
        }
    }

    private GoScalars() {}

    private static Map<String, Resolved> words() {
        Map<String, Resolved> words = new HashMap<>();
        for (String word : new String[] {"y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON"}) {
            words.put(word, new Resolved(BOOL, true));
        }
        for (String word : new String[] {"n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF"}) {
            words.put(word, new Resolved(BOOL, false));
        }
        for (String word : new String[] {"", "~", "null", "Null", "NULL"}) {
            words.put(word, new Resolved(NULL, null));
        }
        for (String word : new String[] {".nan", ".NaN", ".NAN"}) {
            words.put(word, new Resolved(FLOAT, Double.NaN));
        }
        for (String word : new String[] {".inf", ".Inf", ".INF"}) {
            words.put(word, new Resolved(FLOAT, Double.POSITIVE_INFINITY));
            words.put("+" + word, new Resolved(FLOAT, Double.POSITIVE_INFINITY));
            words.put("-" + word, new Resolved(FLOAT, Double.NEGATIVE_INFINITY));
        }
        return Map.copyOf(words);
    }

    /**
     * The value of a scalar: null, text, a boolean or a number.
     *
     * @param tag as it is written, with the prefix of YAML's own; empty for a plain scalar without
     * @throws InvalidScalarException if the text cannot have that tag, or Go's JSON has no such value
     */
    static @Nullable Object value(String tag, String text) throws InvalidScalarException {
        String own = tag.startsWith(PREFIX) ? tag.substring(PREFIX.length()) : tag.isEmpty() ? "" : "!";
        if (own.equals("binary")) {
            return binary(text);
        }
        // A tag that nobody knows says nothing.
        if (own.equals(STR) || !(own.isEmpty() || RESOLVED.contains(own))) {
            return text;
        }
        Resolved plain = resolve(own, text);
        if (own.isEmpty() || own.equals(plain.tag)) {
            return plain.value;
        }
        if (own.equals(FLOAT) && (plain.value instanceof Integer || plain.value instanceof Long)) {
            return ((Number) plain.value).doubleValue();
        }
        throw new InvalidScalarException("\"" + text + "\" is no !!" + own + "; correct the value or its tag");
    }

    private static Resolved resolve(String tag, String text) {
        Resolved word = WORDS.get(text);
        if (word != null) {
            return word;
        }
        char first = text.charAt(0);
        if (first == '.') {
            return FRACTION.matches(text) ? decimal(text, text.replace("_", "")) : new Resolved(STR, text);
        }
        if (first != '+' && first != '-' && (first < '0' || first > '9')) {
            return new Resolved(STR, text);
        }
        if ((tag.isEmpty() || tag.equals(TIMESTAMP)) && isTime(text)) {
            return new Resolved(TIMESTAMP, text);
        }
        String digits = text.replace("_", "");
        Number integer = INTEGER.matches(digits) ? integer(digits) : null;
        if (integer != null) {
            return new Resolved(INT, integer);
        }
        return DECIMAL.matches(digits) ? decimal(text, digits) : new Resolved(STR, text);
    }

    private static boolean isTime(String text) {
        if (!DATE.matches(text)) {
            return false;
        }
        String[] parts = text.split("[Tt :.Z+-]");
        try {
            LocalDate.of(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]), Integer.parseInt(parts[2]));
            if (parts.length > 3) {
                LocalTime.of(Integer.parseInt(parts[3]), Integer.parseInt(parts[4]), Integer.parseInt(parts[5]));
            }
            return true;
        } catch (DateTimeException e) {
            return false;
        }
    }

    /** Null beyond 64 bits, and where a sign leaves no more than 63. */
    private static @Nullable Number integer(String digits) {
        if (digits.startsWith("0b+") || digits.startsWith("0b-")) {
            // Go looks at what is behind the base once more.
            return integer(digits.charAt(2) + "0b" + digits.substring(3));
        }
        boolean signed = digits.charAt(0) == '+' || digits.charAt(0) == '-';
        String bare = (signed ? digits.substring(1) : digits).toLowerCase(Locale.ROOT);
        BigInteger value = bare.startsWith("0x")
                ? new BigInteger(bare.substring(2), 16)
                : bare.startsWith("0b")
                        ? new BigInteger(bare.substring(2), 2)
                        : bare.startsWith("0o")
                                ? new BigInteger(bare.substring(2), 8)
                                : new BigInteger(bare, bare.length() > 1 && bare.charAt(0) == '0' ? 8 : 10);
        BigInteger whole = digits.charAt(0) == '-' ? value.negate() : value;
        if (whole.compareTo(MIN) < 0 || whole.compareTo(MAX) > 0 || (signed && whole.bitLength() >= Long.SIZE)) {
            return null;
        }
        return narrowed(whole);
    }

    private static Number narrowed(BigInteger value) {
        if (value.bitLength() < Integer.SIZE) {
            return value.intValue();
        }
        return value.bitLength() < Long.SIZE ? (Number) value.longValue() : value;
    }

    private static Resolved decimal(String text, String digits) {
        double value = Double.parseDouble(digits);
        // Go refuses what does not fit; it is a text then.
        return Double.isInfinite(value) ? new Resolved(STR, text) : new Resolved(FLOAT, value);
    }

    private static String binary(String text) throws InvalidScalarException {
        byte[] bytes;
        try {
            bytes = Base64.getDecoder().decode(padded(text.replaceAll("[\r\n]", "")));
        } catch (IllegalArgumentException e) {
            throw new InvalidScalarException("the value with the tag !!binary is no base64; correct it");
        }
        StringBuilder result = new StringBuilder();
        for (int i = 0; i < bytes.length; ) {
            int length = lengthOfRune(bytes, i);
            result.append(length == 0 ? "\ufffd" : new String(bytes, i, length, StandardCharsets.UTF_8));
            i += Math.max(length, 1);
        }
        return result.toString();
    }

    /** Zero where no character begins: Go's JSON has a mark for each such byte, and Java one for several. */
    private static int lengthOfRune(byte[] bytes, int at) {
        for (int length = 1; length <= 4 && at + length <= bytes.length; length++) {
            try {
                StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, at, length));
                return length;
            } catch (CharacterCodingException e) {
                // It may be longer.
            }
        }
        return 0;
    }

    /** Go wants the padding, Java does not. */
    private static String padded(String text) {
        if (text.length() % 4 != 0) {
            throw new IllegalArgumentException("no multiple of four characters");
        }
        return text;
    }

    /** The number as JSON has it: without a fraction it is an integer there. It is finite. */
    static Number json(Double number) {
        BigDecimal exact = new BigDecimal(number);
        if (exact.abs().compareTo(EXPONENT) >= 0 || exact.stripTrailingZeros().scale() > 0) {
            return number;
        }
        BigInteger whole = shortest(number, DOUBLE_DIGITS, text -> Double.parseDouble(text) == number)
                .toBigInteger();
        return whole.bitLength() < Long.SIZE ? narrowed(whole) : number;
    }

    /** The scalar as the key of a JSON object; empty for what cannot be one. */
    static Optional<String> key(@Nullable Object value) {
        if (value == null || value instanceof BigInteger) {
            return Optional.empty();
        }
        return Optional.of(value instanceof Double number ? floatKey(number) : String.valueOf(value));
    }

    /** As Go writes a number of 32 bits with verb g: the shortest digits, an exponent below -4 and from 6 digits on. */
    private static String floatKey(double number) {
        float value = (float) number;
        if (Float.isNaN(value)) {
            return ".nan";
        }
        if (Float.isInfinite(value)) {
            return value > 0 ? ".inf" : "-.inf";
        }
        String sign = Float.floatToRawIntBits(value) < 0 ? "-" : "";
        if (value == 0) {
            return sign + "0";
        }
        BigDecimal digits = shortest(Math.abs(value), FLOAT_DIGITS, text -> Float.parseFloat(text) == Math.abs(value))
                .stripTrailingZeros();
        String unscaled = digits.unscaledValue().toString();
        int exponent = unscaled.length() - digits.scale() - 1;
        if (exponent >= -4 && exponent < EXPONENT_OF_G) {
            return sign + digits.toPlainString();
        }
        return sign
                + unscaled.charAt(0)
                + (unscaled.length() > 1 ? "." + unscaled.substring(1) : "")
                + (exponent < 0 ? "e-" : "e+")
                + (Math.abs(exponent) < 10 ? "0" : "")
                + Math.abs(exponent);
    }

    /** The number with as few digits as it takes to read the same one again. */
    private static BigDecimal shortest(double number, int digits, Predicate<String> same) {
        BigDecimal exact = new BigDecimal(number);
        for (int i = 1; i < digits; i++) {
            BigDecimal rounded = exact.round(new MathContext(i, RoundingMode.HALF_EVEN));
            if (same.test(rounded.toString())) {
                return rounded;
            }
        }
        return exact.round(new MathContext(digits, RoundingMode.HALF_EVEN));
    }
}
