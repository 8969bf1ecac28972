package dev.sro.testkit.podsecurity;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.sro.testkit.schema.FieldError;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the labels of a namespace say of its pods. A namespace without such labels lets them do all.
 *
 * @param enforced pods that are not up to it are refused
 * @param warned of pods and templates that are not up to it is warned; the enforced one if no label says more
 * @param errors in the labels. What cannot be read counts as restricted where it is enforced, and as privileged elsewhere
 */
public record NamespaceStandards(PodStandard enforced, PodStandard warned, List<FieldError> errors) {
    private static final String PREFIX = "pod-security.kubernetes.io/";

    /** Reads the labels of a namespace. */
    public static NamespaceStandards of(JsonNode labels) {
        return new Reading(labels).standards();
    }

    public NamespaceStandards {
        errors = List.copyOf(errors);
    }

    /** Label by label, in the order in which errors are told. */
    private static final class Reading {
        private final JsonNode labels;
        private final List<FieldError> errors = new ArrayList<>();

        Reading(JsonNode labels) {
            this.labels = labels;
        }

        NamespaceStandards standards() {
            Optional<Level> enforce = level("enforce");
            PodStandard enforced = new PodStandard(orElse(enforce, "enforce", Level.RESTRICTED), minor("enforce"));
            level("audit");
            minor("audit");
            Level warn = orElse(level("warn"), "warn", Level.PRIVILEGED);
            int minor = minor("warn");
            if (!labels.has(PREFIX + "warn") && enforce.isPresent()) {
                warn = enforced.level();
                minor = labels.has(PREFIX + "warn-version") || warn == Level.PRIVILEGED ? minor : enforced.minor();
            }
            return new NamespaceStandards(enforced, new PodStandard(warn, minor), errors);
        }

        private Level orElse(Optional<Level> level, String mode, Level unread) {
            return level.orElse(labels.has(PREFIX + mode) ? unread : Level.PRIVILEGED);
        }

        private Optional<Level> level(String mode) {
            JsonNode label = labels.path(PREFIX + mode);
            Optional<Level> level = Level.of(label.asText());
            if (level.isEmpty() && !label.isMissingNode()) {
                error(mode, label.asText(), "must be one of privileged, baseline, restricted");
            }
            return level;
        }

        private int minor(String mode) {
            String name = mode + "-version";
            JsonNode label = labels.path(PREFIX + name);
            Optional<Integer> minor = PodStandard.minor(label.asText());
            if (minor.isEmpty() && !label.isMissingNode()) {
                error(name, label.asText(), "must be \"latest\" or \"v1.x\"");
            }
            return minor.orElse(PodStandard.LATEST);
        }

        private void error(String label, String value, String detail) {
            String field = "metadata.labels[" + PREFIX + label + "]";
            errors.add(FieldError.invalid(field, TextNode.valueOf(value), detail));
        }
    }
}
