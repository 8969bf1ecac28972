package dev.sro.runtime.demo;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Changes as lines for people. Nodes that tell the same share a line, and have none where the line of their pool says it already;
 * what waits for another state has none at all. Not thread-safe: it widens its columns for good.
 */
final class ChangeLines {

    /** So many nodes of a line are named. */
    private static final int MAX_NAMES = 4;

    private int stateWidth = 22;
    private int placeWidth = 38;

    /**
     * The lines of one update.
     *
     * @param time as it is shown in front
     * @param changes what is different, of each pool before its nodes
     * @param now all outcomes, the changed ones too
     */
    List<String> of(String time, List<Change> changes, Map<Change.Place, Change> now) {
        widen(now);
        Map<Group, List<Change>> groups = new LinkedHashMap<>();
        changes.forEach(change -> groups.computeIfAbsent(Group.of(change), group -> new ArrayList<>())
                .add(change));
        List<String> lines = new ArrayList<>();
        groups.forEach((group, members) -> {
            Change first = members.get(0);
            if (first.waitsForAnotherState()) {
                return; // That one has lines of its own.
            }
            if (!group.ofNodes()) {
                lines.add(line(time, first, first.place().pool(), said(first, nodes(now, first))));
            } else if (tells(group, members, groups, now)) {
                List<String> names =
                        members.stream().map(member -> member.place().node()).toList();
                lines.add(line(time, first, named(names), said(first, List.of()) + others(members)));
            }
        });
        return lines;
    }

    private void widen(Map<Change.Place, Change> now) {
        for (Change.Place place : now.keySet()) {
            stateWidth = Math.max(stateWidth, place.state().length());
            placeWidth = Math.max(placeWidth, place.pool().length());
        }
    }

    /** Whether a group of nodes says more than the line of its pool. */
    private static boolean tells(
            Group group, List<Change> members, Map<Group, List<Change>> groups, Map<Change.Place, Change> now) {
        Change pool = now.get(new Change.Place(group.state(), group.pool(), ""));
        if (pool == null) {
            return !groups.containsKey(new Group(group.state(), group.pool(), false, Change.LEAVING, "", ""));
        }
        if (pool.waitsForAnotherState()) {
            return false;
        }
        boolean poolSpeaks = pool.kind().equals(group.kind()) && groups.containsKey(Group.of(pool));
        if (!poolSpeaks) {
            return true;
        }
        boolean ofSome = members.size() < nodes(now, pool).size();
        return ofSome && !pool.message().contains(members.get(0).message());
    }

    private static List<String> nodes(Map<Change.Place, Change> now, Change of) {
        return now.keySet().stream()
                .filter(place -> !place.node().isEmpty()
                        && place.state().equals(of.place().state())
                        && place.pool().equals(of.place().pool()))
                .map(Change.Place::node)
                .toList();
    }

    private static String said(Change change, List<String> nodes) {
        if (!change.message().isEmpty()) {
            return change.kind() + ": " + change.message();
        }
        return nodes.isEmpty() ? change.kind() : change.kind() + " on " + named(nodes);
    }

    private static String named(List<String> nodes) {
        if (nodes.size() <= MAX_NAMES) {
            return String.join(" ", nodes);
        }
        return String.join(" ", nodes.subList(0, MAX_NAMES - 1)) + " and " + (nodes.size() - MAX_NAMES + 1) + " more";
    }

    /** Others of a group may wait for pods of their own. */
    private static String others(List<Change> members) {
        long different =
                members.stream().map(Change::message).distinct().skip(1).count();
        return different == 0 ? "" : " (the others alike)";
    }

    private String line(String time, Change change, String where, String what) {
        return String.format(
                "%8s  %-" + stateWidth + "s %-" + placeWidth + "s %s",
                time,
                change.place().state(),
                where,
                what);
    }

    /**
     * Nodes of a pool that tell the same, or a pool.
     *
     * @param failed the node, if it failed: each failure is told of its own
     */
    private record Group(String state, String pool, boolean ofNodes, String kind, String reason, String failed) {

        static Group of(Change change) {
            Change.Place place = change.place();
            String failed = change.kind().equals(Change.FAILED) ? place.node() : "";
            return new Group(
                    place.state(), place.pool(), !place.node().isEmpty(), change.kind(), change.reason(), failed);
        }
    }
}
