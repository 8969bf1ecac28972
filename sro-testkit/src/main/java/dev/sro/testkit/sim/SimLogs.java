package dev.sro.testkit.sim;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** The logs of containers. The text set last that matches wins; without one a log is empty. Thread-safe. */
public final class SimLogs {
    private record Rule(Predicate<String> pod, Predicate<String> image, String text) {}

    private final List<Rule> rules = new ArrayList<>();

    SimLogs() {}

    /** The log of all containers whose image matches this glob. */
    public synchronized SimLogs image(String glob, String text) {
        rules.add(0, new Rule(p -> true, SimRegistry.glob(glob), text));
        return this;
    }

    /** The log of all containers of pods whose {@code namespace/name} matches this glob. */
    public synchronized SimLogs pod(String glob, String text) {
        rules.add(0, new Rule(SimRegistry.glob(glob), i -> true, text));
        return this;
    }

    /** The log of one container of a pod; an empty container name stands for the first one. */
    public synchronized String read(JsonNode pod, String container) {
        String image = "";
        for (JsonNode c : JsonNodes.at(pod, "spec", "containers")) {
            if (image.isEmpty() && (container.isEmpty() || container.equals(JsonNodes.text(c, "name")))) {
                image = JsonNodes.text(c, "image");
            }
        }
        for (Rule rule : rules) {
            if (rule.pod().test(JsonNodes.key(pod)) && rule.image().test(image)) {
                return rule.text();
            }
        }
        return "";
    }
}
