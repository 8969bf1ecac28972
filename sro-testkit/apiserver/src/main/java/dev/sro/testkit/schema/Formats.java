package dev.sro.testkit.schema;

import com.google.re2j.Pattern;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.Base64;
import java.util.Map;

/** The string formats that schemas may ask for; formats that are not known accept everything. */
final class Formats {
    private static final String HEX = "[0-9a-fA-F]";

    private static final Map<String, Pattern> PATTERNS = Map.of(
            "uuid",
            Pattern.compile("^(?i)" + HEX + "{8}-?" + HEX + "{4}-?" + HEX + "{4}-?" + HEX + "{4}-?" + HEX + "{12}$"),
            "hostname",
            Pattern.compile(
                    "^([a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)(\\.[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?)*$"),
            "email",
            Pattern.compile("^[^@\\s]+@[^@\\s]+$"),
            "mac",
            Pattern.compile("^(" + HEX + "{2}[:-]){5}" + HEX + "{2}$"),
            "duration",
            Pattern.compile(
                    "^[+-]?([0-9]+(\\.[0-9]+)?\\s*(ns|us|µs|ms|s|m|h|d|w|nanos?|micros?|millis?|secs?|seconds?|mins?|minutes?|hours?|hrs?|days?|weeks?)\\s*)+$"),
            "ipv4",
            Pattern.compile("^((25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])\\.){3}(25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])$"));

    private Formats() {}

    private static final int IPV4_BITS = 32;
    private static final int IPV6_BITS = 128;

    static boolean matches(String format, String text) {
        return switch (format) {
            case "date-time", "datetime" -> dateTime(text);
            case "date" -> date(text);
            case "byte" -> base64(text);
            case "uri" -> uri(text);
            case "ipv6" -> text.contains(":") && ipv6(text);
            case "cidr" -> cidr(text);
            default -> {
                Pattern pattern = PATTERNS.get(format);
                yield pattern == null || pattern.matcher(text).find();
            }
        };
    }

    private static boolean dateTime(String text) {
        try {
            OffsetDateTime.parse(text);
            return true;
        } catch (DateTimeParseException e) {
            return false;
        }
    }

    private static boolean date(String text) {
        try {
            LocalDate.parse(text);
            return true;
        } catch (DateTimeParseException e) {
            return false;
        }
    }

    private static boolean base64(String text) {
        try {
            Base64.getDecoder().decode(text);
            return true;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static boolean uri(String text) {
        try {
            return new URI(text).isAbsolute() || text.startsWith("/");
        } catch (URISyntaxException e) {
            return false;
        }
    }

    private static boolean cidr(String text) {
        int slash = text.indexOf('/');
        if (slash < 0) {
            return false;
        }
        String address = text.substring(0, slash);
        String bits = text.substring(slash + 1);
        return bits.matches("[0-9]{1,3}")
                && (matches("ipv4", address)
                        ? Integer.parseInt(bits) <= IPV4_BITS
                        : matches("ipv6", address) && Integer.parseInt(bits) <= IPV6_BITS);
    }

    private static boolean ipv6(String text) {
        int gap = text.indexOf("::");
        if (gap != text.lastIndexOf("::")) {
            return false;
        }
        String[] groups = text.replace("::", ":").split(":", -1);
        int count = 0;
        for (String group : groups) {
            if (!group.isEmpty()) {
                if (!group.matches(HEX + "{1,4}") && !matches("ipv4", group)) {
                    return false;
                }
                count += group.contains(".") ? 2 : 1;
            }
        }
        return gap >= 0 ? count < 8 : count == 8;
    }
}
