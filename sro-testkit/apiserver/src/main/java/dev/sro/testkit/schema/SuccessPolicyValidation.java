package dev.sro.testkit.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Validation of what makes an indexed Job succeed early, and of who manages a Job. Not thread-safe. */
final class SuccessPolicyValidation {
    private static final int MAX_MANAGER = 63;

    private final Checks checks;

    SuccessPolicyValidation(Checks checks) {
        this.checks = checks;
    }

    void managedBy(JsonNode value, String at) {
        if (!value.isTextual()) {
            return;
        }
        String name = value.textValue();
        int slash = name.indexOf('/');
        if (name.isEmpty()) {
            checks.required(at, "");
        } else if (slash <= 0 || slash == name.length() - 1) {
            checks.invalid(at, value, "must be a domain-prefixed path (such as \"acme.io/foo\")");
        } else {
            checks.subdomain(name.substring(0, slash), at);
        }
        if (name.length() > MAX_MANAGER) {
            checks.add(FieldError.of("FieldValueTooLong", "Too long: may not be more than 63 bytes", at));
        }
    }

    void policy(JsonNode job, String path) {
        JsonNode policy = job.path("successPolicy");
        if (!policy.isObject()) {
            return;
        }
        if (!JsonTree.text(job, "completionMode").equals("Indexed")) {
            checks.add(InternalForm.invalid(path, "*SuccessPolicy", policy, "requires indexed completion mode"));
            return;
        }
        List<ObjectNode> rules = JsonTree.objects(policy, "rules");
        if (rules.isEmpty()) {
            checks.required(
                    path + ".rules", "at least one rules must be specified when the successPolicy is specified");
        }
        for (int i = 0; i < rules.size(); i++) {
            rule(rules.get(i), job.path("completions").asInt(), path + ".rules[" + i + "]");
        }
    }

    private void rule(ObjectNode rule, int completions, String at) {
        JsonNode indexes = rule.path("succeededIndexes");
        JsonNode count = rule.path("succeededCount");
        if (!indexes.isTextual() && !count.isNumber()) {
            checks.required(at, "at least one of succeededCount or succeededIndexes must be specified");
        }
        int named = 0;
        if (indexes.isTextual()) {
            try {
                named = total(indexes.textValue(), completions);
            } catch (IllegalArgumentException e) {
                checks.invalid(at + ".succeededIndexes", indexes, "error parsing succeededIndexes: " + e.getMessage());
            }
        }
        if (count.isNumber()) {
            checks.notNegative(rule, "succeededCount", at);
            if (count.asInt() > completions) {
                checks.invalid(
                        at + ".succeededCount",
                        count,
                        "must be less than or equal to " + completions + " (the number of specified completions)");
            }
            if (indexes.isTextual() && count.asInt() > named) {
                checks.invalid(
                        at + ".succeededCount",
                        count,
                        "must be less than or equal to " + named
                                + " (the number of indexes in the specified succeededIndexes field)");
            }
        }
    }

    /** How many indexes a text as {@code 0,2-4} names. */
    private static int total(String text, int completions) {
        int total = 0;
        int last = -1;
        for (String interval : text.isEmpty() ? new String[0] : text.split(",", -1)) {
            String[] limits = interval.split("-", -1);
            if (limits.length > 2) {
                throw new IllegalArgumentException(
                        "the fragment \"" + interval
                                + "\" violates the requirement that an index interval can have at most two parts separated by '-'");
            }
            int from = index(limits[0], last, completions);
            last = limits.length == 2 ? index(limits[1], from, completions) : from;
            total += last - from + 1;
        }
        return total;
    }

    private static int index(String text, int last, int completions) {
        int index;
        try {
            index = Integer.parseInt(text);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("cannot convert string to integer for index: \"" + text + "\"", e);
        }
        if (last >= index) {
            throw new IllegalArgumentException("non-increasing order, previous: " + last + ", current: " + index);
        }
        if (index >= completions) {
            throw new IllegalArgumentException("too large index: \"" + text + "\"");
        }
        return index;
    }
}
