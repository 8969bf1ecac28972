package dev.sro.testkit.server;

import dev.sro.testkit.schema.FieldError;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The options of a list or a watch, read in the order in which the original reads them, so that of several mistakes the same one is told.
 *
 * @param limit 0 for none
 * @param continueToken null for none
 * @param resourceVersion empty for none
 * @param resourceVersionMatch empty for none
 * @param sendInitialEvents null where nobody said it
 * @param timeoutSeconds 0 for none
 */
record ListOptions(
        LabelSelector labels,
        List<FieldSelector.Term> fields,
        long limit,
        @Nullable String continueToken,
        String resourceVersion,
        String resourceVersionMatch,
        boolean allowWatchBookmarks,
        @Nullable Boolean sendInitialEvents,
        long timeoutSeconds) {

    private static final String MATCH = "resourceVersionMatch";
    private static final Pattern NUMBER = Pattern.compile("[-+]?[0-9]+");

    ListOptions {
        fields = List.copyOf(fields);
    }

    static ListOptions of(ApiRequest request) {
        long timeout = number(request.param("timeoutSeconds"));
        long limit = number(request.param("limit"));
        @Nullable String initial = request.param("sendInitialEvents");
        @Nullable String bookmarks = request.param("allowWatchBookmarks");
        return new ListOptions(
                labels(request),
                FieldSelector.terms(orEmpty(request.param("fieldSelector"))),
                limit,
                request.param("continue"),
                orEmpty(request.param("resourceVersion")),
                orEmpty(request.param(MATCH)),
                bookmarks != null && isYes(bookmarks),
                initial == null ? null : isYes(initial),
                timeout);
    }

    /** All but no and nought is yes, in queries. */
    static boolean isYes(String text) {
        return !text.equalsIgnoreCase("false") && !text.equals("0");
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    private static LabelSelector labels(ApiRequest request) {
        try {
            String text = request.param("labelSelector");
            return text == null ? LabelSelector.everything() : LabelSelector.parse(text);
        } catch (IllegalArgumentException e) {
            throw Errors.badRequest(String.valueOf(e.getMessage()));
        }
    }

    static long number(@Nullable String text) {
        if (text == null) {
            return 0;
        }
        try {
            return Long.parseLong(text);
        } catch (NumberFormatException e) {
            String why = NUMBER.matcher(text).matches() ? "value out of range" : "invalid syntax";
            throw Errors.badRequest("strconv.ParseInt: parsing \"" + text + "\": " + why);
        }
    }

    /** Refuses options of a list that do not go together. */
    ListOptions checkedForList() {
        List<FieldError> errors = new ArrayList<>();
        if (!resourceVersionMatch.isEmpty()) {
            if (resourceVersion.isEmpty()) {
                errors.add(forbidden(MATCH, "resourceVersionMatch is forbidden unless resourceVersion is provided"));
            }
            forbidContinue(errors);
            if (!resourceVersionMatch.equals("Exact") && !resourceVersionMatch.equals("NotOlderThan")) {
                errors.add(notSupported("\"Exact\", \"NotOlderThan\", \"\""));
            } else if (resourceVersionMatch.equals("Exact") && resourceVersion.equals("0")) {
                errors.add(forbidden(MATCH, "resourceVersionMatch \"exact\" is forbidden for resourceVersion \"0\""));
            }
        }
        if (sendInitialEvents != null) {
            errors.add(forbidden("sendInitialEvents", "sendInitialEvents is forbidden for list"));
        }
        return checked(errors);
    }

    /** Refuses options of a watch that do not go together; one from the beginning, which says nothing else, starts with what is there. */
    ListOptions checkedForWatch() {
        boolean fromTheBeginning = resourceVersion.isEmpty() || resourceVersion.equals("0");
        if (sendInitialEvents == null && resourceVersionMatch.isEmpty()) {
            return fromTheBeginning ? withInitialEvents() : this;
        }
        List<FieldError> errors = new ArrayList<>();
        boolean notOlder = resourceVersionMatch.equals("NotOlderThan");
        if (sendInitialEvents != null && !notOlder) {
            errors.add(forbidden(MATCH, "sendInitialEvents requires setting resourceVersionMatch to NotOlderThan"));
        }
        if (!resourceVersionMatch.isEmpty()) {
            if (sendInitialEvents == null) {
                errors.add(forbidden(
                        MATCH, "resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided"));
            }
            if (!notOlder) {
                errors.add(notSupported("\"NotOlderThan\""));
            }
            forbidContinue(errors);
        }
        return checked(errors);
    }

    private ListOptions withInitialEvents() {
        return new ListOptions(
                labels,
                fields,
                limit,
                continueToken,
                resourceVersion,
                "NotOlderThan",
                allowWatchBookmarks,
                true,
                timeoutSeconds);
    }

    private void forbidContinue(List<FieldError> errors) {
        if (continueToken != null && !continueToken.isEmpty()) {
            errors.add(forbidden(MATCH, "resourceVersionMatch is forbidden when continue is provided"));
        }
    }

    private FieldError notSupported(String values) {
        return new FieldError(
                "FieldValueNotSupported",
                "Unsupported value: \"" + resourceVersionMatch + "\": supported values: " + values,
                MATCH);
    }

    private static FieldError forbidden(String field, String why) {
        return new FieldError("FieldValueForbidden", "Forbidden: " + why, field);
    }

    private ListOptions checked(List<FieldError> errors) {
        if (!errors.isEmpty()) {
            throw Errors.invalid("meta.k8s.io", "ListOptions", "", errors);
        }
        return this;
    }
}
