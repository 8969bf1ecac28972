package dev.sro.core.client.rights;

import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import java.util.ArrayList;
import java.util.List;

/** Rights as a table that a terminal of 120 columns shows without folding its lines. Stateless. */
final class RightsTable {

    /** The widest that each column gets; with the gaps between them they are 120. */
    private static final int[] MOST = {46, 19, 25, 24};

    private static final int GAP = 2;
    private static final String INDENT = "  ";
    private static final List<String> TITLES = List.of("RESOURCES", "VERBS", "WHERE", "ASKED BY");

    private RightsTable() {}

    static String of(List<Grant> grants) {
        List<List<List<String>>> rows = new ArrayList<>();
        rows.add(TITLES.stream().map(List::of).toList());
        for (Grant grant : grants) {
            String where = grant.isClusterWide() ? "cluster" : "namespace " + grant.namespace();
            for (PolicyRule rule : grant.rules()) {
                rows.add(List.of(
                        resources(rule),
                        wrap(String.join(",", rule.getVerbs()), MOST[1], ""),
                        wrap(where, MOST[2], ""),
                        wrap(grant.askedBy(), MOST[3], "")));
            }
        }
        return lines(rows);
    }

    private static String lines(List<List<List<String>>> rows) {
        int[] widths = new int[TITLES.size()];
        for (List<List<String>> row : rows) {
            for (int i = 0; i < widths.length; i++) {
                for (String line : row.get(i)) {
                    widths[i] = Math.max(widths[i], line.length());
                }
            }
        }
        StringBuilder text = new StringBuilder();
        for (List<List<String>> row : rows) {
            int height = row.stream().mapToInt(List::size).max().orElse(0);
            for (int at = 0; at < height; at++) {
                StringBuilder line = new StringBuilder();
                for (int i = 0; i < widths.length; i++) {
                    String cell = at < row.get(i).size() ? row.get(i).get(at) : "";
                    line.append(cell).append(" ".repeat(widths[i] - cell.length() + GAP));
                }
                text.append(line.toString().stripTrailing()).append('\n');
            }
        }
        return text.toString();
    }

    /** {@code jobs,cronjobs in batch}, and below, further in, {@code only a} and {@code b}. */
    private static List<String> resources(PolicyRule rule) {
        if (!rule.getNonResourceURLs().isEmpty()) {
            return wrap(String.join(",", rule.getNonResourceURLs()), MOST[0], INDENT);
        }
        String group = String.join(",", rule.getApiGroups());
        List<String> lines = new ArrayList<>(
                wrap(String.join(",", rule.getResources()) + (group.isEmpty() ? "" : " in " + group), MOST[0], INDENT));
        if (!rule.getResourceNames().isEmpty()) {
            String names = INDENT + "only " + String.join(",", rule.getResourceNames());
            lines.addAll(wrap(names, MOST[0], INDENT));
        }
        return lines;
    }

    /** Lines that end after a comma or at a space; what has neither is cut where the line is full. All but the first begin with the indent. */
    private static List<String> wrap(String text, int most, String indent) {
        List<String> lines = new ArrayList<>();
        String rest = text;
        while (rest.length() > most) {
            int end = Math.max(rest.lastIndexOf(',', most - 1), rest.lastIndexOf(' ', most)) + 1;
            int cut = end > indent.length() ? end : most;
            lines.add(rest.substring(0, cut).stripTrailing());
            rest = indent + rest.substring(cut);
        }
        lines.add(rest);
        return lines;
    }
}
