package dev.sro.core.recipe.chart;

import dev.sro.core.fixture.Nodes;
import dev.sro.core.model.KubeObject;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Names of objects of a chart, with the suffix of their kernel and without. Stateless. */
final class ChartNames {
    /** As published, of kernel and operating system. */
    private static final Map<String, String> SUFFIXES =
            Map.of(Nodes.K1, "-b657a71de7fad62f", Nodes.K2, "-e383247e62b56585", Nodes.UBUNTU, "-6d1425a686f2f04c");

    static String kernel(KubeObject live) {
        return SUFFIXES.entrySet().stream()
                .filter(suffix -> live.ref().name().endsWith(suffix.getValue()))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse("");
    }

    /** SRO: long names are cut where the suffix needs the room. */
    static String cut(String name) {
        return name.length() > 25 ? name.substring(0, 25) : name;
    }

    static Set<String> cut(Set<String> things) {
        Set<String> all = new TreeSet<>();
        for (String thing : things) {
            int slash = thing.indexOf('/');
            int end = thing.indexOf(' ', slash);
            all.add(thing.substring(0, slash + 1) + cut(thing.substring(slash + 1, end)) + thing.substring(end));
        }
        return all;
    }

    static String start(String place) {
        int slash = place.indexOf('/');
        return place.substring(0, slash + 1) + cut(place.substring(slash + 1));
    }

    /** The name without the suffix. */
    static String own(KubeObject live) {
        String name = live.ref().name();
        return name.substring(
                0, name.length() - SUFFIXES.getOrDefault(kernel(live), "").length());
    }
}
