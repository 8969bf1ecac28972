package dev.sro.runtime.bundle.check;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Collects findings in the order in which they are made. Not thread-safe. */
final class Findings {

    private final List<BundleFinding> found = new ArrayList<>();
    private final Set<BundleRule> raised = EnumSet.noneOf(BundleRule.class);

    /** With the rules whose warnings are errors this time. */
    Findings(Set<BundleRule> raised) {
        this.raised.addAll(raised);
    }

    void add(BundleRule rule, String where, String message) {
        found.add(new BundleFinding(rule.text(), rule.isError() || raised.contains(rule), where, message));
    }

    void addUnless(boolean good, BundleRule rule, String where, String message) {
        if (!good) {
            add(rule, where, message);
        }
    }

    List<BundleFinding> all() {
        return List.copyOf(found);
    }
}
