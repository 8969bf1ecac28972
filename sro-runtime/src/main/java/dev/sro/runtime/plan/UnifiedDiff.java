package dev.sro.runtime.plan;

import java.util.ArrayList;
import java.util.List;

/** Compares texts line by line, as {@code diff -u} prints it. Stateless. */
final class UnifiedDiff {

    private static final int CONTEXT = 3;

    /** So many pairs of lines are compared at most; what is larger counts as changed altogether. */
    private static final long MAX_CELLS = 9_000_000;

    private record Line(char sign, String text) {}

    private UnifiedDiff() {}

    /** Hunks with their context, without the header that names files; empty when there is no difference. */
    static List<String> compute(List<String> before, List<String> after) {
        List<Line> lines = lines(before, after);
        List<String> out = new ArrayList<>();
        int from = 0;
        while (true) {
            int start = nextChange(lines, from);
            if (start < 0) {
                return out;
            }
            int end = start;
            // Changes that are near enough share a hunk.
            for (int next = nextChange(lines, end + 1);
                    next >= 0 && next - end <= 2 * CONTEXT + 1;
                    next = nextChange(lines, end + 1)) {
                end = next;
            }
            from = end + 1;
            hunk(lines, Math.max(0, start - CONTEXT), Math.min(lines.size(), end + 1 + CONTEXT), out);
        }
    }

    private static int nextChange(List<Line> lines, int from) {
        for (int i = from; i < lines.size(); i++) {
            if (lines.get(i).sign() != ' ') {
                return i;
            }
        }
        return -1;
    }

    private static void hunk(List<Line> lines, int from, int to, List<String> out) {
        List<Line> hunk = lines.subList(from, to);
        out.add("@@ -" + range(lines.subList(0, from), hunk, '+') + " +" + range(lines.subList(0, from), hunk, '-')
                + " @@");
        hunk.forEach(line -> out.add(line.sign() + line.text()));
    }

    /** Where a hunk is in one of the texts: that without the lines of this sign. */
    private static String range(List<Line> head, List<Line> hunk, char without) {
        long skipped = head.stream().filter(line -> line.sign() != without).count();
        long length = hunk.stream().filter(line -> line.sign() != without).count();
        return (length == 0 ? skipped : skipped + 1) + "," + length;
    }

    private static List<Line> lines(List<String> before, List<String> after) {
        int head = 0;
        int shorter = Math.min(before.size(), after.size());
        while (head < shorter && before.get(head).equals(after.get(head))) {
            head++;
        }
        int tail = 0;
        while (tail < shorter - head
                && before.get(before.size() - 1 - tail).equals(after.get(after.size() - 1 - tail))) {
            tail++;
        }
        List<Line> lines = new ArrayList<>();
        before.subList(0, head).forEach(text -> lines.add(new Line(' ', text)));
        middle(before.subList(head, before.size() - tail), after.subList(head, after.size() - tail), lines);
        before.subList(before.size() - tail, before.size()).forEach(text -> lines.add(new Line(' ', text)));
        return lines;
    }

    private static void middle(List<String> before, List<String> after, List<Line> lines) {
        int[][] common = (long) before.size() * after.size() > MAX_CELLS ? null : common(before, after);
        int i = 0;
        int j = 0;
        while (i < before.size() || j < after.size()) {
            if (common != null
                    && i < before.size()
                    && j < after.size()
                    && before.get(i).equals(after.get(j))) {
                lines.add(new Line(' ', before.get(i)));
                i++;
                j++;
            } else if (i < before.size()
                    && (j == after.size() || common == null || common[i + 1][j] >= common[i][j + 1])) {
                lines.add(new Line('-', before.get(i++)));
            } else {
                lines.add(new Line('+', after.get(j++)));
            }
        }
    }

    /** Length of the longest common subsequence of what begins at each pair of lines. */
    private static int[][] common(List<String> before, List<String> after) {
        int[][] common = new int[before.size() + 1][after.size() + 1];
        for (int i = before.size() - 1; i >= 0; i--) {
            for (int j = after.size() - 1; j >= 0; j--) {
                common[i][j] = before.get(i).equals(after.get(j))
                        ? common[i + 1][j + 1] + 1
                        : Math.max(common[i + 1][j], common[i][j + 1]);
            }
        }
        return common;
    }
}
