package dev.sro.testkit.schema;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The form of schedules of CronJobs: five fields, or one of a few words. Stateless. */
final class CronSchedule {
    private static final Set<String> WORDS =
            Set.of("@yearly", "@annually", "@monthly", "@weekly", "@daily", "@midnight", "@hourly");
    private static final int FIELDS = 5;
    private static final int[] MIN = {0, 0, 1, 1, 0};
    private static final int[] MAX = {59, 23, 31, 12, 6};
    private static final List<String> MONTHS =
            List.of("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec");
    private static final List<String> DAYS = List.of("sun", "mon", "tue", "wed", "thu", "fri", "sat");
    private static final Map<Integer, List<String>> NAMES = Map.of(3, MONTHS, 4, DAYS);

    private CronSchedule() {}

    /** What is wrong with a schedule that is not empty; null if nothing is. */
    static @Nullable String fault(String schedule) {
        String text = schedule;
        if (text.startsWith("TZ=") || text.startsWith("CRON_TZ=")) {
            int space = text.indexOf(' ');
            text = space < 0 ? "" : text.substring(space).trim();
        }
        if (text.startsWith("@")) {
            return WORDS.contains(text) || text.matches("@every ([0-9]+(\\.[0-9]+)?(ns|us|ms|s|m|h))+")
                    ? null
                    : "unrecognized descriptor: " + text;
        }
        List<String> fields = new ArrayList<>(List.of(text.trim().split("\\s+")));
        fields.remove("");
        if (fields.size() != FIELDS) {
            return "expected exactly 5 fields, found " + fields.size() + ": [" + String.join(" ", fields) + "]";
        }
        for (int i = 0; i < FIELDS; i++) {
            for (String range : fields.get(i).split(",")) {
                String fault = range.isEmpty() ? null : range(range, i);
                if (fault != null) {
                    return fault;
                }
            }
        }
        return null;
    }

    private static @Nullable String range(String range, int field) {
        String[] parts = range.split("/", -1);
        String[] ends = parts[0].split("-", -1);
        boolean all = ends[0].equals("*") || ends[0].equals("?");
        int start = MIN[field];
        int end = MAX[field];
        try {
            if (!all) {
                start = number(ends[0], field);
                end = ends.length == 1 ? start : number(ends[1], field);
                if (ends.length > 2) {
                    return "too many hyphens: " + range;
                }
            }
            int step = parts.length == 1 ? 1 : number(parts[1], -1);
            if (parts.length > 2) {
                return "too many slashes: " + range;
            }
            if (parts.length == 2 && ends.length == 1) {
                end = MAX[field];
            }
            return outside(range, field, start, end, step);
        } catch (NumberFormatException e) {
            return e.getMessage();
        }
    }

    private static @Nullable String outside(String range, int field, int start, int end, int step) {
        if (start < MIN[field]) {
            return "beginning of range (" + start + ") below minimum (" + MIN[field] + "): " + range;
        }
        if (end > MAX[field]) {
            return "end of range (" + end + ") above maximum (" + MAX[field] + "): " + range;
        }
        if (start > end) {
            return "beginning of range (" + start + ") beyond end of range (" + end + "): " + range;
        }
        return step == 0 ? "step of range should be a positive number: " + range : null;
    }

    /** A number, or a name that stands for one; what is thrown says what is wrong. */
    private static int number(String text, int field) {
        List<String> names = NAMES.getOrDefault(field, List.of());
        int named = names.indexOf(text.toLowerCase(Locale.ROOT));
        if (named >= 0) {
            return named + MIN[field];
        }
        if (!text.matches("[+-]?[0-9]{1,9}")) {
            throw new NumberFormatException(
                    "failed to parse int from " + text + ": strconv.Atoi: parsing \"" + text + "\": invalid syntax");
        }
        int number = Integer.parseInt(text);
        if (number < 0) {
            throw new NumberFormatException("negative number (" + number + ") not allowed: " + text);
        }
        return number;
    }
}
