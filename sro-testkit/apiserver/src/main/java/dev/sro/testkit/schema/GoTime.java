package dev.sro.testkit.schema;

import java.time.DateTimeException;
import java.time.LocalDate;
import java.util.Optional;

/** Reads times as the server's library does it by RFC 3339, element by element, and says where it stops. One text; not for several threads. */
final class GoTime {
    private static final String[] ELEMENTS = {"2006", "-", "01", "-", "02", "T", "15", ":", "04", ":", "05"};
    private static final int[] MOST = {9999, 0, 12, 0, 31, 0, 23, 0, 59, 0, 59};
    private static final String[] NAMES = {"", "", "month", "", "day", "", "hour", "", "minute", "", "second"};
    private static final String FRACTION = ".000000";
    private static final String ZONE = "Z07:00";

    private static final int MONTH = 2;
    private static final int DAY = 4;

    private final String text;
    private final boolean fine;
    private final int[] values = new int[ELEMENTS.length];
    private int at;

    private GoTime(String text, boolean fine) {
        this.text = text;
        this.fine = fine;
    }

    /**
     * What is wrong with a text, or nothing.
     *
     * @param fine whether it has to have exactly six digits of a second's fraction
     */
    static Optional<String> fault(String text, boolean fine) {
        String fault = new GoTime(text, fine).read();
        return fault.isEmpty() ? Optional.empty() : Optional.of("parsing time \"" + text + "\"" + fault);
    }

    private String read() {
        for (int i = 0; i < ELEMENTS.length; i++) {
            if (!element(i)) {
                return stopped(ELEMENTS[i]);
            }
            // Days are looked at in the end, with their month.
            boolean outside = values[i] > MOST[i] || (i == MONTH && values[i] == 0);
            if (outside && i != DAY) {
                return ": " + NAMES[i] + " out of range";
            }
        }
        if (!fraction()) {
            return stopped(FRACTION);
        }
        String zone = zone();
        if (!zone.isEmpty()) {
            return zone;
        }
        if (at < text.length()) {
            return ": extra text: \"" + text.substring(at) + "\"";
        }
        return day() ? "" : ": day out of range";
    }

    private String stopped(String element) {
        return " as \"2006-01-02T15:04:05" + (fine ? FRACTION : "") + ZONE + "\": cannot parse \"" + text.substring(at)
                + "\" as \"" + element + "\"";
    }

    private boolean element(int i) {
        String element = ELEMENTS[i];
        if (element.length() == 1) {
            boolean there = text.startsWith(element, at);
            at += there ? 1 : 0;
            return there;
        }
        int digits = digits(at);
        if (digits < element.length() && !(element.equals("15") && digits == 1)) {
            return false;
        }
        int length = Math.min(digits, element.length());
        values[i] = Integer.parseInt(text.substring(at, at + length));
        at += length;
        return true;
    }

    private int digits(int from) {
        int end = from;
        while (end < text.length() && text.charAt(end) >= '0' && text.charAt(end) <= '9') {
            end++;
        }
        return end - from;
    }

    private boolean fraction() {
        boolean mark = at < text.length() && (text.charAt(at) == '.' || text.charAt(at) == ',');
        int digits = mark ? digits(at + 1) : 0;
        if (fine) {
            boolean enough = mark && digits >= FRACTION.length() - 1;
            at += enough ? FRACTION.length() : 0;
            return enough;
        }
        at += digits > 0 ? 1 + digits : 0;
        return true;
    }

    private String zone() {
        if (text.startsWith("Z", at)) {
            at++;
            return "";
        }
        String rest = text.substring(at);
        if (!rest.matches("(?s)[+-].{2}:.{2}.*") || !rest.matches("(?s)[+-][0-9]{2}:[0-9]{2}.*")) {
            return stopped(ZONE);
        }
        if (Integer.parseInt(rest.substring(1, 3)) > 24) {
            return ": time zone offset hour out of range";
        }
        if (Integer.parseInt(rest.substring(4, 6)) > 60) {
            return ": time zone offset minute out of range";
        }
        at += 6;
        return "";
    }

    private boolean day() {
        try {
            LocalDate.of(values[0], values[MONTH], values[DAY]);
            return true;
        } catch (DateTimeException e) {
            return false;
        }
    }
}
