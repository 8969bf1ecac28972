package dev.sro.core.recipe.gotemplate;

import java.util.Locale;

/** Text, numbers and characters with width, precision and flags. */
final class PaddedWriter {
    private static final int MAX_CODE_POINT = Character.MAX_CODE_POINT;

    private final StringBuilder out = new StringBuilder();
    private final Budget budget;
    private FormatFlags flags = new FormatFlags();

    PaddedWriter(Budget budget) {
        this.budget = budget;
    }

    void use(FormatFlags now) {
        flags = now;
    }

    FormatFlags flags() {
        return flags;
    }

    String text() {
        return out.toString();
    }

    void raw(String text) {
        budget.writing(text.length());
        out.append(text);
    }

    void padded(String text) {
        padded(text, flags.zero && !flags.minus);
    }

    private void padded(String text, boolean zeros) {
        int missing = flags.width - text.codePointCount(0, text.length());
        if (!flags.minus) {
            padding(missing, zeros);
        }
        raw(text);
        if (flags.minus) {
            padding(missing, zeros);
        }
    }

    private void padding(int count, boolean zeros) {
        if (count > 0) {
            raw((zeros ? "0" : " ").repeat(count));
        }
    }

    /** In quotes, as Go's syntax has it. */
    void quoted(String text) {
        String cut = truncated(text);
        boolean back = flags.sharp && cut.chars().allMatch(PaddedWriter::fitsBackQuotes);
        padded(back ? "`" + cut + "`" : GoQuote.quote(cut, flags.plus));
    }

    private static boolean fitsBackQuotes(int c) {
        return c == '\t' || (c >= ' ' && c != '`' && c != 0x7f && c != 0xfeff);
    }

    void string(String text) {
        padded(truncated(text));
    }

    private String truncated(String text) {
        if (!flags.hasPrecision() || text.length() <= flags.precision) {
            return text;
        }
        int count = Math.min(flags.precision, text.codePointCount(0, text.length()));
        return text.substring(0, text.offsetByCodePoints(0, count));
    }

    void hex(String text, boolean upper) {
        byte[] bytes = GoText.bytes(text);
        int length = flags.hasPrecision() ? Math.min(flags.precision, bytes.length) : bytes.length;
        budget.writing(2L * length);
        String prefix = flags.sharp ? (upper ? "0X" : "0x") : "";
        StringBuilder hex = new StringBuilder();
        for (int i = 0; i < length; i++) {
            boolean separate = flags.space && i > 0;
            hex.append(separate ? " " : "").append(i == 0 || separate ? prefix : "");
            hex.append(String.format(Locale.ROOT, upper ? "%02X" : "%02x", bytes[i]));
        }
        padded(hex.toString());
    }

    void character(long codePoint) {
        padded(Character.toString(valid(codePoint)));
    }

    void quotedCharacter(long codePoint) {
        padded(GoQuote.quoteCharacter(codePoint, flags.plus));
    }

    void unicode(long number) {
        String digits = Long.toHexString(number).toUpperCase(Locale.ROOT);
        int precision = Math.max(4, flags.precision);
        String text = "U+" + "0".repeat(Math.max(0, precision - digits.length())) + digits;
        boolean shown = flags.sharp && number >= 0 && number <= MAX_CODE_POINT && GoText.isPrint((int) number);
        padded(shown ? text + " '" + Character.toString((int) number) + "'" : text, false);
    }

    static int valid(long codePoint) {
        boolean surrogate = codePoint >= Character.MIN_SURROGATE && codePoint <= Character.MAX_SURROGATE;
        return codePoint < 0 || codePoint > MAX_CODE_POINT || surrogate ? 0xfffd : (int) codePoint;
    }

    void integer(long number, int base, int verb) {
        if (flags.precision == 0 && number == 0) {
            padding(flags.width, false);
            return;
        }
        String digits = number < 0 ? Long.toUnsignedString(-number, base) : Long.toString(number, base);
        digits = verb == 'X' ? digits.toUpperCase(Locale.ROOT) : digits;
        String sign = number < 0 ? "-" : flags.plus ? "+" : flags.space ? " " : "";
        int wanted = flags.precision;
        if (!flags.hasPrecision() && flags.zero && !flags.minus) {
            wanted = flags.width - sign.length();
        }
        digits = "0".repeat(Math.max(0, wanted - digits.length())) + digits;
        padded(sign + prefix(base, verb, digits) + digits, false);
    }

    private String prefix(int base, int verb, String digits) {
        if (verb == 'O') {
            return flags.sharp && !digits.startsWith("0") ? "0o0" : "0o";
        }
        if (!flags.sharp) {
            return "";
        }
        return switch (base) {
            case 2 -> "0b";
            case 8 -> digits.startsWith("0") ? "" : "0";
            case 16 -> verb == 'X' ? "0X" : "0x";
            default -> "";
        };
    }

    /** @param number with a sign, always */
    void floating(String number) {
        char sign = number.charAt(0) == '+' && flags.space && !flags.plus ? ' ' : number.charAt(0);
        boolean signed = flags.plus || sign != '+';
        boolean finite = Character.isDigit(number.charAt(1));
        boolean zeros = finite && flags.zero && !flags.minus;
        if (signed && zeros && flags.width > number.length()) {
            raw(String.valueOf(sign));
            padding(flags.width - number.length(), true);
            raw(number.substring(1));
            return;
        }
        boolean bare = number.endsWith("NaN") ? !flags.plus && !flags.space : finite && !signed;
        padded(bare ? number.substring(1) : sign + number.substring(1), zeros);
    }
}
