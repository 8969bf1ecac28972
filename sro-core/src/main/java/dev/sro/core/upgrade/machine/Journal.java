package dev.sro.core.upgrade.machine;

import dev.sro.core.upgrade.policy.RolloutPolicy;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a rollout remembers in one small object of its special resource. Immutable.
 *
 * <p>Entries exist for nodes in progress, and for nodes where an attempt failed; of more than {@value #MAX_ENTRIES} the text has those
 * with failures first. What is left out is in the notes on the nodes. So the text is at most about 500 KB however many nodes there
 * are; with 5,000 nodes of which 100 are in progress it is about 15 KB.
 *
 * @param target identity of the driver that was in effect at the last plan; empty before the first
 * @param since when that came into effect
 * @param good identity of the last driver that came to all nodes that could have it; empty if none did
 * @param rejected identity of a driver that was rolled back; empty for none
 * @param wave index of the wave that is under way
 * @param waveDone when that wave was done, while the next one waits
 * @param halt why the rollout halted
 * @param resumed the last {@link RolloutPolicy#resume()} that was acted on
 * @param forgiven failed nodes that do not count towards the next halt
 * @param entries by name of the node
 */
public record Journal(
        String target,
        Optional<Instant> since,
        String good,
        String rejected,
        int wave,
        Optional<Instant> waveDone,
        Optional<Halt> halt,
        String resumed,
        int forgiven,
        SortedMap<String, JournalEntry> entries) {

    /** The text has at most so many entries. */
    public static final int MAX_ENTRIES = 1_500;

    /** Key of {@link #text()} with what concerns the rollout: one line of words. */
    public static final String ROLLOUT = "rollout";

    /** Key of {@link #text()} with a line for each node: its name, and {@link JournalEntry#text()}. */
    public static final String NODES = "nodes";

    /** Before anything happened. */
    public static final Journal EMPTY = new Journal(
            "", Optional.empty(), "", "", 0, Optional.empty(), Optional.empty(), "", 0, Collections.emptySortedMap());

    /**
     * Why a rollout halted.
     *
     * @param since when
     * @param message for people
     */
    public record Halt(Instant since, String message) {
        /** Checks. */
        public Halt {
            Objects.requireNonNull(since, "since");
            Objects.requireNonNull(message, "message");
        }
    }

    /**
     * A journal that was read.
     *
     * @param journal what could be read
     * @param problems what could not and was dropped
     */
    public record Parsed(Journal journal, List<String> problems) {
        /** Copies. */
        public Parsed {
            Objects.requireNonNull(journal, "journal");
            problems = List.copyOf(problems);
        }
    }

    /** Checks and copies. */
    public Journal {
        entries = Collections.unmodifiableSortedMap(new TreeMap<>(entries));
    }

    Journal withEntries(SortedMap<String, JournalEntry> others) {
        return new Journal(target, since, good, rejected, wave, waveDone, halt, resumed, forgiven, others);
    }

    /** At the beginning of a rollout. */
    Journal begin(String next, RolloutPolicy policy, Instant now) {
        String still = rejected.equals(policy.target()) ? rejected : "";
        return new Journal(
                next,
                Optional.of(now),
                good,
                still,
                0,
                Optional.empty(),
                Optional.empty(),
                policy.resume(),
                0,
                entries);
    }

    /** As data of a ConfigMap. Equal journals have equal texts. */
    public Map<String, String> text() {
        KeyValueLine rollout = new KeyValueLine()
                .put("target", target)
                .put("since", since)
                .put("good", good)
                .put("rejected", rejected)
                .put("wave", wave == 0 ? "" : String.valueOf(wave))
                .put("waveDone", waveDone)
                .put("halted", halt.map(Halt::since))
                .put("reason", halt.map(Halt::message).orElse(""))
                .put("resumed", resumed)
                .put("forgiven", forgiven == 0 ? "" : String.valueOf(forgiven));
        StringBuilder nodes = new StringBuilder();
        for (Map.Entry<String, JournalEntry> entry : kept()) {
            nodes.append(entry.getKey())
                    .append(' ')
                    .append(entry.getValue().text())
                    .append('\n');
        }
        Map<String, String> text = new TreeMap<>();
        text.put(ROLLOUT, rollout.toString());
        text.put(NODES, nodes.toString());
        return text;
    }

    private Iterable<Map.Entry<String, JournalEntry>> kept() {
        if (entries.size() <= MAX_ENTRIES) {
            return entries.entrySet();
        }
        return entries.entrySet().stream()
                .sorted(Comparator.comparing((Map.Entry<String, JournalEntry> entry) ->
                                entry.getValue().failures() == 0)
                        .thenComparing(Map.Entry::getKey))
                .limit(MAX_ENTRIES)
                .sorted(Map.Entry.comparingByKey())
                .toList();
    }

    /** Reads {@link #text()}, edited by hand or not. What cannot be read is dropped and reported. Never throws. */
    public static Parsed parse(Map<String, String> text) {
        List<String> problems = new ArrayList<>();
        Map<String, String> words = KeyValueLine.read(text.getOrDefault(ROLLOUT, ""));
        SortedMap<String, JournalEntry> entries = new TreeMap<>();
        for (String line : text.getOrDefault(NODES, "").split("\n", -1)) {
            String trimmed = line.strip();
            int at = trimmed.indexOf(' ');
            Optional<JournalEntry> entry = at < 0 ? Optional.empty() : JournalEntry.parse(trimmed.substring(at + 1));
            if (entry.isPresent()) {
                entries.put(trimmed.substring(0, at), entry.get());
            } else if (!trimmed.isEmpty()) {
                problems.add("journal: cannot read the line \"" + cut(trimmed) + "\"");
            }
        }
        @Nullable Instant halted = instant(words, "halted", problems);
        return new Parsed(
                new Journal(
                        words.getOrDefault("target", ""),
                        Optional.ofNullable(instant(words, "since", problems)),
                        words.getOrDefault("good", ""),
                        words.getOrDefault("rejected", ""),
                        count(words, "wave", problems),
                        Optional.ofNullable(instant(words, "waveDone", problems)),
                        Optional.ofNullable(halted).map(at -> new Halt(at, words.getOrDefault("reason", ""))),
                        words.getOrDefault("resumed", ""),
                        count(words, "forgiven", problems),
                        entries),
                problems);
    }

    private static @Nullable Instant instant(Map<String, String> words, String key, List<String> problems) {
        @Nullable Instant time = KeyValueLine.time(words.get(key));
        if (time == null && words.containsKey(key)) {
            problems.add("journal: " + key + "=" + cut(words.getOrDefault(key, "")) + " is no time");
        }
        return time;
    }

    private static int count(Map<String, String> words, String key, List<String> problems) {
        int number = KeyValueLine.number(words.get(key));
        if (number < 0) {
            problems.add("journal: " + key + "=" + cut(words.getOrDefault(key, "")) + " is no number");
        }
        return Math.max(0, number);
    }

    private static String cut(String text) {
        return text.length() > 80 ? text.substring(0, 80) + "…" : text;
    }
}
